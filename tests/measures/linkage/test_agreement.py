"""Which columns agree, pair by pair, against the decoded view looked at one cell at a time."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method, Randomness
from discreet.kernels.agreement import fill_patterns
from discreet.measures.linkage import fellegi_sunter
from discreet.measures.linkage.agreement import Compared
from discreet.measures.linkage.fellegi_sunter import counts_of_patterns, counts_within
from discreet.microdata.decoded import Decoded
from discreet.testing.tables import ordinary

METHODS = [
    discreet.GlobalRecoding(k=None, levels={"height": 2, "income": 1, "grade": 1, "town": 1}),
    discreet.LocalRecoding(k=3),
    discreet.LocalSuppression(k=2, columns=["grade", "town"]),
    discreet.Microaggregation(discreet.partition.MDAV(k=3), discreet.replacement.Range()),
    discreet.Microaggregation(discreet.partition.MDAV(k=3)),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m.spec.name}-{METHODS.index(m)}")
def test_patterns(method: Method) -> None:
    data = ordinary(rows=60)
    released = method.protect(data, Context(Randomness(1))).data
    view = Decoded(data, released, data.quasi_identifiers, np.arange(60))
    names = [name for name in view.names if name not in view.lost]
    tolerance = np.array([1.5 if data.schema[n].continuous else 0.0 for n in names])
    compared = Compared.of(data, released, view, names, tolerance)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(60), np.arange(60), indexing="ij"))
    found = compared.patterns(compared.of_released[i], compared.of_original[j])
    by_kernel = np.empty(compared.sizes[1], dtype=np.int32)
    for row in range(60):
        fill_patterns(compared.pairs, int(compared.of_released[row]), by_kernel)
        assert (by_kernel[compared.of_original] == found[i == row]).all()
    costs_of = np.random.default_rng(1).random(1 << len(names)).astype(np.float32)
    costs = compared.costs(np.arange(60), slice(None), costs_of)
    assert (costs.ravel() == costs_of[found]).all()
    other = Compared.of(data, released, view, names, 2 * tolerance)
    pairs = compared.of_released[i], compared.of_original[j]
    assert (compared.within(2 * tolerance).patterns(*pairs) == other.patterns(*pairs)).all()
    tolerances = np.array([tolerance, 2 * tolerance, 0 * tolerance])
    counts = counts_within(compared, tolerances, Context())
    for stated, of_patterns in zip(tolerances, counts, strict=True):
        within = compared.within(stated).patterns(*pairs)
        assert of_patterns.tolist() == np.bincount(within, minlength=1 << len(names)).tolist()
        alone = counts_of_patterns(compared.within(stated), Context(), weighted=True)
        assert of_patterns.tolist() == alone.tolist()
    for c, name in enumerate(names):
        column, before = view[name], data.column(name)
        for a, b in zip(i[::7], j[::7], strict=True):
            agrees = bool(found[a * 60 + b] >> c & 1)
            if column.unknown[a] or column.missing[a] or before.missing[b]:
                assert not agrees
                continue
            value = float(before.values[b])
            if column.decoding is None:
                parts = [(float(column.values[a]),) * 2]
            else:
                at = column.decoding.starts[column.values[a] : column.values[a] + 2]
                ends = column.decoding.low, column.decoding.high
                parts = list(zip(*(end[at[0] : at[1]] for end in ends), strict=True))
            # A label that allows a missing value is compared as a category, without a tolerance.
            plain = column.decoding is None or not column.decoding.missing.any()
            most = tolerance[c] if plain else 0.0
            expected = any(low - most <= value <= high + most for low, high in parts)
            assert agrees == expected, (name, parts, value)


def test_tolerances_too_many_to_be_counted_together_are_counted_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = ordinary(rows=60)
    released = METHODS[-1].protect(data, Context(Randomness(1))).data
    view = Decoded(data, released, data.quasi_identifiers, np.arange(60))
    names = [name for name in view.names if name not in view.lost]
    tolerances = np.outer([0.5, 1, 2, 3], np.ones(len(names)))
    compared = Compared.of(data, released, view, names, tolerances[0])
    together = counts_within(compared, tolerances, Context())
    monkeypatch.setattr(fellegi_sunter, "MOST_NUMBERS", 8)
    assert counts_within(compared, tolerances, Context()).tolist() == together.tolist()
