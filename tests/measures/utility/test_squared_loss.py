"""The squared loss of a column, against the embedding and against vectors of shares written out."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method, Randomness
from discreet.measures.utility.squared_loss import squared_loss
from discreet.microdata import Kind
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.testing.tables import ordinary

METHODS = [
    discreet.GlobalRecoding(k=None, levels={"height": 2, "income": 1, "grade": 1, "town": 1}),
    discreet.LocalRecoding(k=3),
    discreet.LocalSuppression(k=2, columns=["grade", "town"]),
    discreet.Microaggregation(discreet.partition.MDAV(k=3), discreet.replacement.Range()),
    discreet.Microaggregation(
        discreet.partition.MDAV(k=3), discreet.replacement.ValueConcatenation(weighted=True)
    ),
    discreet.PRAM(columns=["town"], stay=0.5),
]


def slow(column: DecodedColumn, row: int, truth: float) -> float:
    """One record's loss, with its expected vector written out."""
    before = column.original
    nominal = before.attribute.kind is Kind.NOMINAL
    gaps = float(before.missing.mean())
    if column.decoding is not None and not column.unknown[row] and column.values[row] >= 0:
        at = slice(*column.decoding.starts[column.values[row] : column.values[row] + 2])
        low, high = (end[at] for end in column.decoding.ends)
        parts = list(zip(low, high, column.decoding.weight[at], strict=True))
    else:
        value = np.nan if column.missing[row] else float(column.values[row])
        parts = [(value, value, 1.0)]
    if nominal:
        width = len(before.attribute.categories) + 1
        told = np.append(column.shares, 0.0)
        if not column.unknown[row]:
            told = np.zeros(width)
            for low, _, weight in parts:
                told[width - 1 if np.isnan(low) or low < 0 else int(low)] += weight
        own = np.zeros(width)
        own[width - 1 if truth < 0 else int(truth)] = 1
        return float(((own - told) ** 2).sum() / 2)
    present = before.values[~before.missing].astype(float)
    centre, spread = present.mean(), present.std()
    own = np.array([0.0, 1.0] if np.isnan(truth) else [(truth - centre) / spread, 0.0])
    if column.unknown[row]:
        told = np.array([0.0, gaps])
    else:
        missing = sum(w for low, _, w in parts if np.isnan(low))
        inside = [(w, ((a + b) / 2 - centre) / spread) for a, b, w in parts if not np.isnan(a)]
        told = np.array([sum(w * z for w, z in inside), missing])
    return float(((own - told) ** 2).sum())


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m.spec.name}-{METHODS.index(m)}")
def test_against_vectors_written_out(method: Method) -> None:
    data = ordinary(rows=80)
    released = method.protect(data, Context(Randomness(1))).data
    view = Decoded(data, released, data.quasi_identifiers, np.arange(80))
    for name in data.quasi_identifiers:
        found, _ = squared_loss(view[name], np.arange(80))
        before = data.column(name)
        truth = before.values.astype(float)
        if before.attribute.kind is Kind.ORDINAL:
            truth = np.where(before.missing, np.nan, truth)
        expected = [slow(view[name], row, truth[row]) for row in range(80)]
        assert found == pytest.approx(expected), name


def test_a_value_thrown_far_off_a_tiny_spread_has_a_loss_that_can_be_summed() -> None:
    original = discreet.read({"dose": [1e-160, 3e-160, 2e-160]})
    released = discreet.read({"dose": [1e139, 3e-160, 2e-160]})
    loss, _ = squared_loss(Decoded(original, released, ["dose"])["dose"], np.arange(3))
    assert loss[0] == loss.sum() == 1e280
