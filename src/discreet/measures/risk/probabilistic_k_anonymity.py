"""Probabilistic k-anonymity: among how many records of its group a record is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.microdata import Column, Microdata, Role

NAMED = 10
"""If there are more columns, only this many are named."""
DESIGN = (Role.WEIGHT, Role.STRATUM, Role.HOUSEHOLD, Role.PERSON)
"""Columns of these roles are not drawn: other records depend on them."""


class ProbabilisticKAnonymity(Measure):
    """The minimum number of records in a group whose released values do not tell which is which.

    An intruder who knows the method, the release and an outside file links a record to its own with
    a probability of 1/k at most. Methods that draw the values of a group without regard to which
    record is which guarantee this by the size of their groups. It is computed from the groups that
    the method made, which only the owner of the data knows: the released file does not show it.

    It is about whole records. Each released column, whatever its role, either was drawn within the
    groups or has one value in each of them. Any other column may tell the records of a group apart:
    a confidential column that was left as it was can be predicted from what the intruder knows, and
    the record of the group that comes nearest is then the right one. In that case there is no such
    figure, nor if the rows were left in the order of the original.

    >>> import discreet
    >>> from discreet.contracts import Groups
    >>> data = discreet.read({"age": [30, 34, 41, 45]}, roles={"age": "quasi-identifier"})
    >>> released = data.replace([data.column("age").with_values(np.array([31., 33., 42., 44.]))])
    >>> groups = Groups(np.array([0, 0, 1, 1]), drawn_columns=frozenset(["age"]))
    >>> known = Pairing(np.array([2, 0, 3, 1]), groups)
    >>> ProbabilisticKAnonymity().score(data, released, Context(), known).value
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="probabilistic-k-anonymity",
        title="Probabilistic k-anonymity by the groups of the method",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), Definition 1",
        missing="a value like any other: a column that is not drawn must be missing in all records "
        "of a group or in none",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        paired=True,
        default=False,
        rests_on="the groups of the method, within which every value that differs was drawn "
        "without regard to the record; the file itself cannot show it",
        formula="k = min over the groups g of n_g",
        cost="n·c time",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the least group size; per record the size of its group."""
        groups = None if pairing is None else pairing.groups
        if pairing is None or groups is None or len(groups.labels) != len(original):
            raise NotApplicable("it needs the groups that the method formed, but there are none")
        if not len(released):
            raise NotApplicable("the release has no records")
        if pairing.in_order:
            raise NotApplicable(
                "the rows are in the order of the original, so anyone who has it can link "
                "the records; shuffle them"
            )
        labels = groups.labels[pairing.origin]
        if labels.min() < 0:
            raise NotApplicable("some released records were in no group of the method")
        telling = [
            column.name
            for column in released
            if column.name not in groups.drawn_columns and _differs_within(column, labels)
        ]
        if telling:
            raise NotApplicable(why_not(telling, released, groups.drawn_columns))
        # Records that a later step left out of the release hide nobody.
        sizes = np.bincount(labels)[labels]
        return Score(
            float(sizes.min()),
            per_record=sizes.astype(np.float64),
            detail={"groups": len(np.unique(labels)), "mean group size": float(sizes.mean())},
        )


def _differs_within(column: Column, labels: NDArray[np.int64]) -> bool:
    """Whether a column has more than one value in some group; missing is one value."""
    values = np.unique(column.values, return_inverse=True)[1]
    low = np.full(labels.max() + 1, len(values))
    high = np.full(labels.max() + 1, -1)
    np.minimum.at(low, labels, values)
    np.maximum.at(high, labels, values)
    return bool((low < high).any())


def why_not(telling: Sequence[str], released: Microdata, drawn: frozenset[str]) -> str:
    """Explain which columns may distinguish the records of a group, and what to do about them."""
    were = "was" if len(telling) == 1 else "were"
    named = ", ".join(f"'{name}'" for name in telling[:NAMED])
    if len(telling) > NAMED:
        named += f" and {len(telling) - NAMED} more"
    wrong = (
        f"{named} {were} not drawn within the groups and may tell which record of a group is which"
    )
    design = set(released.having(*DESIGN))
    addable = [name for name in telling if name not in design]
    ways = []
    if addable and drawn:
        columns = [a.name for a in released.schema if a.name in drawn or a.name in addable]
        ways.append(
            f"draw {_it_or_them(addable)} together with the others "
            f"(columns: [{', '.join(columns)}])"
        )
    ways.append(f"leave {_it_or_them(telling)} out with the role identifier")
    return f"{wrong}; {', or '.join(ways)}"


def _it_or_them(names: Sequence[str]) -> str:
    return "it" if len(names) == 1 else "them"
