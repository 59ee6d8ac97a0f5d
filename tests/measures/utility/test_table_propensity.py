"""Propensity by tables: synthpop's S_pMSE of columns and pairs."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import NotApplicable
from discreet.measures.utility.table_propensity import TablePropensity, ratio_to_chance


def table(rng: np.random.Generator, rows: int, together: float) -> discreet.Microdata:
    """Return people of two towns, whose pay follows the town in this share of the cases."""
    town = rng.integers(0, 2, rows)
    follows = rng.random(rows) < together
    pay = np.where(follows, town, rng.integers(0, 2, rows)) * 100 + rng.integers(0, 90, rows)
    return discreet.read({"town": np.array(["Ayle", "Bron"])[town], "pay": pay})


def test_the_ratio_is_that_of_a_saturated_logistic_model() -> None:
    original, released = np.array([30, 50, 0, 20]), np.array([25, 40, 5, 0])
    member = np.concatenate([np.zeros(100), np.ones(70)])
    cell = np.concatenate([np.repeat(np.arange(4), original), np.repeat(np.arange(4), released)])
    propensity = np.array([member[cell == c].mean() for c in cell])
    share, total = 70 / 170, 170
    error = ((propensity - share) ** 2).mean()
    expected = 3 * (1 - share) ** 2 * share / total
    assert ratio_to_chance(original, released) == pytest.approx(error / expected)


def test_a_new_sample_is_at_chance_and_a_broken_pair_is_not() -> None:
    rng = np.random.default_rng(3)
    ratios, broken = [], []
    for _ in range(40):
        original, fresh = table(rng, 1000, 0.6), table(rng, 1000, 0.6)
        ratios.append(TablePropensity().score(original, fresh, Context()).value)
        broken.append(TablePropensity().score(original, table(rng, 1000, 0.0), Context()))
    # A second sample carries the noise of both: each share of it is expected once.
    assert 1.5 < np.mean(ratios) < 2.5
    assert np.mean([score.value for score in broken]) > 10
    assert np.mean([score.parts["town",] for score in broken]) < 3


def test_the_largest_discrepancies_are_named() -> None:
    rng = np.random.default_rng(5)
    score = TablePropensity().score(table(rng, 800, 0.9), table(rng, 800, 0.0), Context())
    assert next(iter(score.detail["largest"])) == "town × pay"
    assert set(score.parts) == {("town",), ("pay",), ("town", "pay")}


def test_files_that_share_no_cell_are_at_the_loss() -> None:
    original = discreet.read({"a": ["x"] * 10, "b": ["p", "q"] * 5})
    released = discreet.read({"a": ["y"] * 10, "b": ["r", "s"] * 5})
    score = TablePropensity().score(original, released, Context())
    assert score.value == pytest.approx(score.at_loss)


def test_one_column_has_no_pairs() -> None:
    data = discreet.read({"a": ["x", "y"]})
    with pytest.raises(NotApplicable, match="two columns"):
        TablePropensity().score(data, data, Context())
