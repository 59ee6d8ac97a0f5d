"""Released records as sets, against an intruder who looks at every original's every value."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Method, Randomness
from discreet.measures.linkage.neighbours import own_among_nearest
from discreet.measures.linkage.sets import Placed
from discreet.measures.linkage.within_groups import group_among_nearest
from discreet.microdata import Kind, Microdata
from discreet.microdata.decoded import Decoded
from discreet.microdata.equivalence import classes
from discreet.testing.tables import ordinary


def slow_distances(original: Microdata, released: Microdata) -> np.ndarray:
    """The squared distance of every released record to every original, value by value."""
    names = original.quasi_identifiers
    view = Decoded(original, released, names, np.arange(len(original)))
    total = np.zeros((len(released), len(original)))
    for name in names:
        column, before = view[name], original.column(name)
        present = ~before.missing
        gaps = column.decoding is not None and bool(column.decoding.missing.any())
        nominal = before.attribute.kind is Kind.NOMINAL or gaps
        spread = float(before.values[present].std()) if not nominal else 1.0
        centre = 0.0 if nominal else float(before.values[present].mean())
        for i in range(len(released)):
            if column.unknown[i] or (column.missing[i] and column.suppressed):
                continue
            if column.decoding is None:
                value = np.nan if column.missing[i] else float(column.values[i])
                parts = [(value, value)]
            else:
                label = column.values[i]
                at = slice(column.decoding.starts[label], column.decoding.starts[label + 1])
                ends = (column.decoding.low[at], column.decoding.high[at])
                parts = list(zip(*ends, strict=True)) if label >= 0 else [(np.nan, np.nan)]
            for j in range(len(original)):
                steps = []
                for low, high in parts:
                    gone, blank = not present[j], np.isnan(low)
                    own = centre if gone else float(before.values[j])
                    low, high = (centre, centre) if blank else (low, high)
                    gap = max(low - own, own - high, 0.0)
                    if nominal:
                        steps.append(float(gone != blank or (not gone and gap > 0)))
                    else:
                        steps.append((gap / spread) ** 2 + float(gone != blank))
                total[i, j] += min(steps)
    return total


METHODS = [
    discreet.GlobalRecoding(k=None, levels={"height": 2, "income": 1, "grade": 1, "town": 1}),
    discreet.GlobalRecoding(k=None, mappings={"town": {"coast": ["Ayle", "Cull"]}}),
    discreet.LocalRecoding(k=3),
    discreet.LocalSuppression(k=2, columns=["grade", "town"]),
    discreet.Microaggregation(discreet.partition.MDAV(k=3), discreet.replacement.Range()),
    discreet.Microaggregation(
        discreet.partition.MDAV(k=3), discreet.replacement.ValueConcatenation()
    ),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m.spec.name}-{METHODS.index(m)}")
@pytest.mark.parametrize("missing", [False, True], ids=["whole", "with gaps"])
@pytest.mark.parametrize("widest", [64, 0], ids=["tree", "comparison"])
def test_against_an_intruder_who_looks_at_everything(
    method: Method, missing: bool, widest: int
) -> None:
    data = ordinary(rows=60, missing=missing)
    released = method.protect(data, Context(Randomness(1))).data
    rows = np.arange(60)
    placed = Placed.of(data, released, data.quasi_identifiers, rows, widest=widest)
    codes = (placed.codes, placed.sets) if placed.codes.shape[1] else None
    squared = slow_distances(data, released).round(12)
    own = squared[rows, rows]
    for m in (1, 2):
        nearer = (squared < own[:, None]).sum(axis=1)
        tied = (squared == own[:, None]).sum(axis=1)
        expected = np.clip(m - nearer, 0, tied) / tied
        for alike in (None, classes(released, placed.names)):
            found = own_among_nearest(placed.points, placed.boxes, rows, m, Context(), codes, alike)
            assert found == pytest.approx(expected)
        groups = Groups(rows % 4)
        found = group_among_nearest(
            placed.points, placed.boxes, groups, groups.labels, m, Context(), codes
        )
        for i in range(0, 60, 7):
            rank = [
                np.clip(m - (squared[i] < d).sum(), 0, (squared[i] == d).sum())
                / (squared[i] == d).sum()
                for d in squared[i]
            ]
            mine = groups.labels == groups.labels[i]
            assert found[i] == pytest.approx(np.array(rank)[mine].mean())


def test_numbers_with_holes_are_compared_as_categories() -> None:
    data = discreet.read({"code": [1, 2, 3, 4, 50]}, roles={"code": "quasi-identifier"})
    method = discreet.GlobalRecoding(
        k=None, mappings={"code": {"odd": ["1", "3"], "even": ["2", "4", "50"]}}
    )
    released = method.protect(data, Context()).data
    placed = Placed.of(data, released, ["code"], np.arange(5))
    found = own_among_nearest(placed.points, placed.boxes, np.arange(5), 1, Context())
    assert found == pytest.approx([1 / 2, 1 / 3, 1 / 2, 1 / 3, 1 / 3])
