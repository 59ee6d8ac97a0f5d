"""Which columns give people away, beside a slow twin."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.by_columns import _less, _total, revealing


def data(rows: int) -> discreet.Microdata:
    draw = np.random.default_rng(1)
    columns = {
        "sex": draw.choice(["f", "m"], rows),
        "age": draw.integers(20, 40, rows),
        "town": draw.choice(list("abcdef"), rows),
    }
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def alike(table: discreet.Microdata, names: list[str], row: int) -> int:
    return int(np.all([table[name] == table[name][row] for name in names], axis=0).sum())


def test_the_curve_and_the_cells_beside_a_slow_twin() -> None:
    table = data(120)
    target = Target(table, table, Pairing.same_order(120))
    found = revealing(target, Context(Randomness(1)))
    names: list[str] = []
    for name, share in found.curve:
        names.append(name)
        assert share == pytest.approx(np.mean([1 / alike(table, names, i) for i in range(120)]))
    assert names == ["age", "town", "sex"]
    for row, chance, cell, then in zip(
        found.rows.tolist(), found.chance, found.cell, found.then, strict=True
    ):
        assert chance == pytest.approx(1 / alike(table, names, row))
        left = {c: 1 / alike(table, [n for n in names if n != c], row) for c in names}
        assert then == pytest.approx(min(left.values()))
        assert left[found.columns[cell]] == pytest.approx(then)


def test_it_needs_a_pairing_and_something_released() -> None:
    table = data(20)
    with pytest.raises(NotApplicable, match="which original"):
        revealing(Target(table, table), Context())
    nothing = table.drop(["sex", "age", "town"])
    with pytest.raises(NotApplicable, match=r"says nothing|no records"):
        revealing(Target(table, nothing, Pairing.same_order(20)), Context())


def test_the_sum_without_a_column_is_that_of_the_others() -> None:
    draw = np.random.default_rng(2)
    apart = [draw.integers(0, 9, (5, 40)).astype(np.float32) for _ in range(3)]
    for column in apart:  # some people are ruled out, by one column or by several
        column[draw.random((5, 40)) < 0.3] = np.inf
    for place, column in enumerate(apart):
        others = sum(np.delete(np.array(apart), place, axis=0))
        assert np.array_equal(_less(*_total(apart), column), others)
