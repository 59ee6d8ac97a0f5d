"""k-anonymity: the size of the smallest set of records that look alike."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.measures.view import alike, sizes_alike
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import counted_once, households_of, key_of, units_of
from discreet.microdata.equivalence import compatible_sizes, distinguishing_columns


class KAnonymity(Measure):
    """The minimum number of released records that share their quasi-identifiers.

    A missing value counts as a value of its own, so the figure holds against a reader who sees
    which values are missing. With `missing_matches="anything"` it could be any value, and records
    count as alike if they agree wherever neither is missing. That is a weak reading: k − 1 records
    without any value would make every file k-anonymous.

    Records of one household (the role `household`) count as one, or else those of one person (the
    role `person`). With `unit: record` or `unit: person` the figure is of records or persons, and
    the fewest households in a class are stated beside it.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41], "sex": ["f", "f", "m"]},
    ...                      roles={"age": "quasi-identifier", "sex": "quasi-identifier"})
    >>> KAnonymity().score(data, data, Context()).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="k-anonymity",
        title="k-anonymity of the release",
        citation="Samarati & Sweeney (1998); Domingo-Ferrer, A survey of inference control "
        "methods, §5",
        missing="a category of its own, unless it is asked to match anything",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        of_release=True,
        formula="k = min over i of #{j : j equals i in all quasi-identifiers}",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    missing_matches: str = param(
        default="nothing",
        help="whether a missing value is like other missing values only (nothing else), or could "
        "be any value (anything)",
        choices=("nothing", "anything"),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the least class size; per record the size of its class."""
        names = distinguishing_columns(released)
        units, homes = units_of(released), households_of(released)
        if self.missing_matches == "nothing":
            sizes = sizes_alike(released, names, context)
        elif units is None:
            sizes = compatible_sizes(released, names)
        else:
            raise NotApplicable(
                f"a missing value that matches anything is counted by record, not by {units.word}; "
                "'unit: record' in the plan counts records"
            )
        detail = {
            "share of records alone": float((sizes == 1).mean()),
            "mean class size": float(sizes.mean()),
        }
        if units is None:
            detail["classes"] = float((1 / sizes).sum().round())
        notes = [] if units is None else [f"counts different {units.word}s, not records"]
        households = None
        by_home = units is not None and units.role is Role.HOUSEHOLD
        if homes is not None and not by_home and self.missing_matches == "nothing":
            households = int(counted_once(alike(released, names, context), homes.labels).min())
            detail["fewest households in a class"] = households
            if households == 1 < sizes.min():
                notes.append("a class consists of 1 household only")
        keyed = key_of(released) is not None
        return Score(
            float(sizes.min()),
            per_record=sizes.astype(np.float64),
            detail=detail,
            note="; ".join(notes),
            counts="" if not keyed else f"{'record' if units is None else units.word}s",
            households=households,
        )
