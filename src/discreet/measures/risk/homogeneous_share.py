"""Homogeneous groups: anyone who finds the group of a person knows the confidential class."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Question, Score, Side
from discreet.measures.confidential import (
    ConfidentialClasses,
    by_name,
    confidential_columns,
    groups_of,
    values_of,
)
from discreet.measures.tally import Tally, tally
from discreet.microdata import Microdata


class HomogeneousShare(ConfidentialClasses):
    """The share of records in groups whose confidential values are all of one class.

    The value is that of the worst confidential column; `detail` also has the least number of
    records that a class has in a group, and how many records are the only one of their class:
    anyone who knows all the others in such a group knows the class of the last one. The groups are
    those that the method made, where they are known, otherwise the records that agree in all
    quasi-identifiers.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 41], "ill": ["y", "y", "y", "n"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> HomogeneousShare().score(data, data, Context()).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="homogeneous-share",
        title="Records in groups of one confidential class",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §7",
        missing="a class of its own",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        percent=True,
        formula="(1/n) Σ_g n_g · [all records of g have one class]",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share; per record 1 if its group is of one class, 0 if not."""
        names = confidential_columns(original, released, self.confidential)
        groups = groups_of(original, released, pairing, context, self.confidential)
        columns: dict[str, dict[str, Any]] = {}
        value, per_record = -1.0, np.zeros(len(released))
        lone = 0
        for name in names:
            counts = tally(*values_of(released.column(name), self.classes), groups)
            columns[name] = _figures(counts)
            lone += columns[name]["records alone with their class"]
            if columns[name]["share"] > value:
                value = columns[name]["share"]
                per_record = (counts.distinct == 1).astype(np.float64).take(groups.labels)
        shares = {name: figures["share"] for name, figures in columns.items()}
        note = groups.words
        if lone:
            note += "; in some groups a class has one record only, which a larger k would prevent"
        return Score(
            value,
            per_record=per_record,
            detail={"columns": columns, "groups": groups.count},
            note=note,
            parts=by_name(shares),
            column=max(shares, key=shares.__getitem__),
        )


def _figures(counts: Tally) -> dict[str, Any]:
    single = counts.distinct == 1
    together = counts.sizes[counts.group] > 1
    return {
        "share": float(counts.sizes[single].sum() / counts.sizes.sum()),
        "homogeneous groups": int(single.sum()),
        "least class count in a group": int(counts.count.min()),
        "records alone with their class": int((together & (counts.count == 1)).sum()),
    }
