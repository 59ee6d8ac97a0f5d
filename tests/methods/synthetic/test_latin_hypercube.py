"""Latin hypercube sampling: one value from each part of a distribution, ranks as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

import discreet
from discreet import Microdata
from discreet.contracts import Context, Randomness
from discreet.methods.synthetic.latin_hypercube import LatinHypercube


def table(rows: int = 500) -> Microdata:
    rng = np.random.default_rng(7)
    age = rng.uniform(20, 60, rows)
    pay = np.exp(age / 20 + rng.normal(0, 0.5, rows))
    wealth = pay**2 * rng.lognormal(0, 1, rows)
    town = np.where(age + rng.normal(0, 5, rows) > 45, "Ayle", "Bron")
    return discreet.read(
        {"age": age, "pay": pay, "wealth": wealth, "town": town},
        {"age": "quasi-identifier", "pay": "quasi-identifier", "wealth": "confidential",
         "town": "other"},
    )  # fmt: skip


def released(data: Microdata, seed: int = 1, **options: Any) -> Microdata:
    return LatinHypercube(**options).protect(data, Context(Randomness(seed))).data


def test_one_value_from_each_part_of_equal_probability() -> None:
    data = table()
    made = np.sort(released(data)["pay"])
    ends = np.quantile(data["pay"], np.linspace(0, 1, len(data) + 1))
    assert (made >= ends[:-1]).all()
    assert (made <= ends[1:]).all()


def test_rank_correlations_stay_also_with_columns_that_are_not_treated() -> None:
    data = table()
    made = released(data)
    names = ["age", "pay", "wealth"]
    before, after = (spearmanr(t.matrix(names)).statistic for t in (data, made))
    assert np.abs(after - before).max() < 2e-3
    towns = [np.bincount(t["town"], t["age"]) / np.bincount(t["town"]) for t in (data, made)]
    assert towns[1] == pytest.approx(towns[0], rel=0.01)
    assert abs(np.corrcoef(made["age"] - data["age"], data["age"])[0, 1]) > 0.1, "drawn anew"


def test_refinement_brings_correlations_nearer() -> None:
    data = table()

    def off(times: int) -> float:
        made = [released(data, seed, refinements=times) for seed in range(5)]
        target = spearmanr(data["age"], data["pay"]).statistic
        return float(np.mean([abs(spearmanr(m["age"], m["pay"]).statistic - target) for m in made]))

    assert off(5) < off(0) / 5


def test_few_points_hide_values() -> None:
    data = table()
    made = released(data, points=3)["pay"]
    ends = np.quantile(data["pay"], [0, 0.5, 1])
    below = np.sort(made[made < ends[1]])
    # Between two quantiles the distribution is uniform.
    expected = np.linspace(ends[0], ends[1], len(below))
    assert below == pytest.approx(expected, abs=0.02 * ends[1])


def test_missing_values_stay() -> None:
    data = table()
    age = data["age"].copy()
    age[::5] = np.nan
    made = released(data.replace([data.column("age").with_values(age)]))
    assert (np.isnan(made["age"]) == np.isnan(age)).all()
    assert not np.isnan(made["pay"]).any()


def test_census_keeps_distributions_and_ranks(reference_data: Path) -> None:
    names = discreet.read(reference_data / "casc_census.csv").schema.names
    data = discreet.read(
        reference_data / "casc_census.csv", dict.fromkeys(names, "quasi-identifier")
    )
    made = released(data)
    for name in names:
        assert made[name].mean() == pytest.approx(data[name].mean(), rel=0.02)
    before, after = (spearmanr(t.matrix(list(names))).statistic for t in (data, made))
    assert np.abs(after - before).max() < 0.02, "equal values have no order of their own"
