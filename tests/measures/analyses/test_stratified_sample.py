"""Declared analyses of a stratified sample: by hand, and over many samples of one population."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import discreet
from discreet.contracts import Analysis
from discreet.contracts.registry import build
from discreet.microdata import Microdata

SIZES, SAMPLED = (6_000, 3_000, 1_000), (60, 60, 80)
"""Records of each stratum in the population, and in the sample: the smallest is sampled most."""


def read(columns: dict[str, np.ndarray]) -> Microdata:
    roles = {"w": "weight", "stratum": "stratum"}
    kinds = {name: "continuous" for name in columns if name in ("w", "pay", "age")}
    return discreet.read(columns, roles=roles, kinds=kinds)


def test_two_strata_by_hand() -> None:
    data = read(
        {
            "stratum": np.array(["a", "a", "b", "b", "b"]),
            "w": np.array([10.0, 10.0, 2.0, 2.0, 2.0]),
            "pay": np.array([1.0, 3.0, 10.0, 12.0, 20.0]),
        }
    )
    mean = build("analysis", {"mean": {"of": ["pay"]}})
    assert isinstance(mean, Analysis)
    found = mean.figures(data)
    # (10·4 + 2·42)/26. What a record adds is w(y − ȳ)/26; within the strata these deviate by ±10/26
    # and by 2(−4, −2, 6)/26, so that V = (2·200 + 1.5·4·56)/26².
    assert found.estimates == pytest.approx([124 / 26])
    assert found.errors == pytest.approx([np.sqrt(2 * 200 + 1.5 * 4 * 56) / 26])


def population() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(7)
    stratum = np.repeat(["a", "b", "c"], SIZES)
    level = np.repeat([10.0, 20.0, 60.0], SIZES)
    age = draw.integers(20, 70, len(level)).astype(float)
    pay = level + 0.3 * age + draw.gamma(2, 5, len(level))
    poor = np.where(pay < 30, "yes", "no")
    return {"stratum": stratum, "age": age, "pay": pay, "poor": poor}


@cache
def samples() -> list[Microdata]:
    """Return 200 stratified samples of the population."""
    people, draw = population(), np.random.default_rng(8)
    drawn = list(zip(np.cumsum([0, *SIZES[:-1]]), SIZES, SAMPLED, strict=True))
    weights = np.repeat([n / m for _, n, m in drawn], SAMPLED)
    found = []
    for _ in range(200):
        rows = np.concatenate([s + draw.choice(n, m, replace=False) for s, n, m in drawn])
        sample = {column: values[rows] for column, values in people.items()}
        found.append(read({**sample, "w": weights}))
    return found


def logistic(people: dict[str, np.ndarray]) -> np.ndarray:
    """Return the coefficients that the whole population has, by Newton's method."""
    x = np.column_stack([np.ones(len(people["age"])), people["age"]])
    y, beta = people["poor"] == "yes", np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ beta))
        beta = beta + np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x, x.T @ (y - p))
    return beta


TRUTH: dict[str, tuple[dict[str, object], Callable[[dict[str, np.ndarray]], object]]] = {
    "mean": ({"of": ["pay"]}, lambda p: [p["pay"].mean()]),
    "total": ({"of": ["pay"]}, lambda p: [p["pay"].sum()]),
    "quantile": ({"of": ["pay"]}, lambda p: [np.sort(p["pay"])[len(p["pay"]) // 2]]),
    "table": ({"of": ["poor"]}, lambda p: [(p["poor"] == c).mean() for c in ("no", "yes")]),
    "linear": (
        {"formula": "pay ~ age"},
        lambda p: np.linalg.lstsq(
            np.column_stack([np.ones(len(p["age"])), p["age"]]), p["pay"], rcond=None
        )[0],
    ),
    "logistic": ({"formula": "poor ~ age"}, logistic),
}


@pytest.mark.parametrize("name", TRUTH)
def test_intervals_hold_the_population_in_95_of_100_samples(name: str) -> None:
    parameters, of = TRUTH[name]
    analysis = build("analysis", {name: parameters})
    assert isinstance(analysis, Analysis)
    truth = np.asarray(of(population()))
    figures = [analysis.figures(sample) for sample in samples()]
    estimates = [found.estimates for found in figures]
    held = [np.abs(found.estimates - truth) <= 1.96 * found.errors for found in figures]
    spread = np.std(estimates, axis=0)
    assert np.all(np.abs(np.mean(estimates, axis=0) - truth) < 0.35 * spread)
    share = np.mean(held, axis=0)
    assert np.all((share > 0.89) & (share < 0.995))
