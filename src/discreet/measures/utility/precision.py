"""Precision: how far up their hierarchies the released values are."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Columns,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import compared_keys, decoded, hierarchies_behind
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.decoded import DecodedColumn
from discreet.microdata.hierarchy import Hierarchy, text_of
from discreet.microdata.weights import weights_of


class Precision(Measure):
    """One minus the mean level of the released cells, over the height of their hierarchies.

    A value is at level 0, a suppressed cell and a column that was not released at the top. A label
    counts by the lowest level of the hierarchy that has it. Hierarchies are those given, or else
    those of the steps that made the release. In a column without one, every label of several values
    is at the top. It sees how coarse values are, not whether they are true: a permuted file is as
    precise as the original.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "sex": "quasi-identifier"}
    >>> original = discreet.read({"age": [21, 38], "sex": ["f", "m"]}, roles=roles)
    >>> released = discreet.read({"age": ["20–39", "20–39"], "sex": ["f", None]}, roles=roles)
    >>> Precision().score(original, released, Context(), Pairing.same_order(2)).value
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="precision",
        title="Precision",
        citation="Sweeney (2002), Achieving k-anonymity privacy protection using generalization "
        "and suppression, §5, Prec; a quality model of ARX",
        missing="a value of its own where the original is missing too, otherwise suppressed",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.HIGHER,
        low=0,
        high=1,
        at_identity=1,
        default=False,
        percent=True,
        formula="Prec = 1 − Σᵢ Σⱼ levelᵢⱼ/heightⱼ / (n·c)",
        cost="n·c time",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(Ruin.PERMUTED, Ruin.CONSTANT, Ruin.UNPAIRED),
    )

    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files of recoded columns, each written as column=path; those of the steps "
        "if not given",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the precision; per record that of its own cells, and parts by column."""
        names = compared_keys(original, released)
        view = decoded(original, released, names, pairing, context)
        given = hierarchies_behind(self.hierarchies, original, pairing, type(self).__name__)
        w = weights_of(released)
        kept = np.zeros(len(released))
        parts: dict[tuple[str, ...], float] = {}
        for name in names:
            after = released.column(name) if name in released.schema else None
            precise = 1 - _heights(view[name], after, given.get(name))
            parts[(name,)] = float(np.average(precise, weights=w))
            kept += precise
        kept /= len(names)
        return Score(
            float(np.average(kept, weights=w)),
            per_record=kept,
            detail={"columns with a hierarchy": sorted(given.keys() & set(names))},
            note=lost_and_weighted(view, original),
            parts=parts,
        )


def _heights(column: DecodedColumn, after: Column | None, hierarchy: Hierarchy | None) -> Numbers:
    """Return the level of each released cell over the height of the hierarchy."""
    heights = column.unknown.astype(np.float64)
    if column.decoding is not None:
        wide = column.decoding.lengths != 1
        wide[column.decoding.label[column.decoding.low != column.decoding.high]] = True
        heights[~column.unknown] = np.append(wide, False)[column.values[~column.unknown]]
    if hierarchy is None or after is None or after.attribute.continuous:
        return heights
    level_of: dict[str, float] = {}
    for level in range(hierarchy.height, -1, -1):
        level_of |= dict.fromkeys(hierarchy.labels[level], level / hierarchy.height)
    labels = [level_of.get(text_of(label), np.nan) for label in after.attribute.categories]
    labelled_heights = np.array([*labels, np.nan])[after.values]
    return np.where(np.isnan(labelled_heights), heights, labelled_heights)
