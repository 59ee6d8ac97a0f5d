"""Data shuffling: values stay, relations by rank stay, and own values do not shine through."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, rankdata, spearmanr

import discreet
from discreet.contracts import Context, Randomness
from discreet.methods.perturbative.data_shuffling import DataShuffling
from discreet.microdata import Microdata

ROLES = {"x1": "quasi-identifier", "x2": "quasi-identifier", "s": "confidential"}


def table(n: int = 4000) -> Microdata:
    """Skewed columns behind which there are correlated normal ones."""
    draw = np.random.default_rng(3)
    s, e, f = draw.normal(size=(3, n))
    x1 = 0.6 * s + 0.8 * e
    x2 = 0.5 * x1 + 0.3 * s + 0.7 * f
    columns = {"x1": np.exp(x1), "x2": x2**3, "s": np.exp(2 * s)}
    return discreet.read(columns, roles=ROLES)


def shuffled(data: Microdata) -> Microdata:
    return DataShuffling().protect(data, Context(Randomness(1))).data


def scores(values: np.ndarray) -> np.ndarray:
    return np.asarray(norm.ppf((rankdata(values) - 0.5) / len(values)))


def test_a_column_that_follows_from_the_others_comes_back_as_it_was() -> None:
    """If ranks are equal nothing is left to draw, and a note says how much is explained."""
    data = discreet.read(
        {"x1": [1.0, 8.0, 27.0, 64.0, 125.0, 216.0], "s": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]},
        roles={"x1": "quasi-identifier", "s": "confidential"},
    )
    masked = DataShuffling().protect(data, Context(Randomness(1)))
    assert masked.data["x1"].tolist() == data["x1"].tolist()
    assert "100.0 % of 'x1' is explained" in masked.notes[0]


def test_every_value_is_released_once_and_gaps_stay() -> None:
    data = table(300)
    gaps = data["x1"].copy()
    gaps[::7] = np.nan
    data = data.replace([data.column("x1").with_values(gaps)])
    now = shuffled(data)
    for name in ("x1", "x2"):
        assert np.array_equal(np.sort(now[name]), np.sort(data[name]), equal_nan=True)
    assert np.isnan(now["x1"])[::7].all()
    assert (now["x1"] != data["x1"]).sum() > 200


def test_rank_correlations_are_kept() -> None:
    data = table()
    now = shuffled(data)
    for a, b in (("x1", "x2"), ("x1", "s"), ("x2", "s")):
        before, after = spearmanr(data[a], data[b])[0], spearmanr(now[a], now[b])[0]
        assert after == pytest.approx(before, abs=0.04)


def test_the_drawn_scores_have_the_distribution_of_the_formula() -> None:
    """Means Σ_xs Σ_ss⁻¹ s* and covariances Σ_xx − Σ_xs Σ_ss⁻¹ Σ_sx, written out."""
    data = table()
    now = shuffled(data)
    old = np.cov([scores(data[n]) for n in ("x1", "x2", "s")])
    made = np.array([scores(now[n]) for n in ("x1", "x2")])
    s = scores(data["s"])
    slopes = old[:2, 2] / old[2, 2]
    assert np.cov([*made, s])[:2, 2] / old[2, 2] == pytest.approx(slopes, abs=0.04)
    rest = old[:2, :2] - np.outer(old[:2, 2], old[:2, 2]) / old[2, 2]
    assert np.cov(made - np.outer(slopes, s)) == pytest.approx(rest, abs=0.05)


def test_a_released_value_says_nothing_about_its_own_beyond_the_others() -> None:
    data = table()
    now = shuffled(data)
    s = scores(data["s"])

    def left(values: np.ndarray) -> np.ndarray:
        z = scores(values)
        return np.asarray(z - s * (z @ s) / (s @ s))

    assert abs(np.corrcoef(left(data["x1"]), left(now["x1"]))[0, 1]) < 0.05


def test_without_a_column_to_depend_on_a_note_says_what_is_lost() -> None:
    data = table(100).drop(["s"])
    masked = DataShuffling().protect(data, Context(Randomness(1)))
    assert "relations with the columns that are not treated are lost" in masked.notes[-1]
