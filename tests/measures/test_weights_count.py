"""Every measure of utility counts a record as often as its weight says.

A file with whole weights is compared with the file in which each record stands that often.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Measure, Pairing, Randomness, Score, Side
from discreet.contracts.registry import entries, find
from discreet.microdata import Kind, Microdata

LEARNS = {"model-accuracy": 0.2, "mape": 0.1}
"""Folds and forests are drawn from the records, so that other files give other figures."""
SIZES = {"association": 0.1, "il1s": 0.003}
"""A correction for chance depends on how many records there are, and so does n − 1."""
ERRORS = ("interval-overlap",)
"""Intervals of a sample are wider than those of a file with all its copies: computed by hand below.
"""
PLAIN: dict[str, dict[str, object]] = {
    "propensity": {"model": "logistic", "order": 1},
    "model-accuracy": {"model": "tree"},
}
"""More records carry more terms of a model; and a forest takes its time."""
COMPOSED = ("trade-off-score", "analyses")
"""Made of other measures, or of analyses that are tested by themselves."""
OF_RECODED = ("ambiguity", "discernibility", "kl-divergence", "non-uniform-entropy", "precision")
"""They see only how coarse values are: their release is recoded and suppressed."""

UTILITY = [
    entry.spec.name
    for entry in entries("measure")
    if issubclass(entry, Measure)
    and entry.spec.side is Side.UTILITY
    and entry.spec.name not in COMPOSED
]


@cache
def files() -> tuple[Microdata, Microdata, np.ndarray]:
    """Return an original, a release of it, and the weights, which go with both."""
    draw = np.random.default_rng(3)
    weights = draw.integers(1, 6, 240)
    age = draw.integers(20, 80, 240) + 6.0 * weights
    town = draw.choice(["Ayle", "Bron", "Cull"], 240)
    pay = 10 * age + 80 * (town == "Ayle") + draw.normal(0, 60, 240)
    ill = np.where(age + draw.normal(0, 15, 240) > 66, "yes", "no")
    height = 150 + age / 4 + draw.normal(0, 6, 240)
    kinds = dict.fromkeys(["age", "height", "pay", "w"], "continuous")
    roles = dict.fromkeys(["age", "height", "town"], "quasi-identifier") | {"w": "weight"}
    roles |= {"pay": "confidential", "ill": "confidential"}
    columns = {"age": age, "height": height, "town": town, "pay": pay, "ill": ill, "w": weights}
    original = discreet.read(columns, roles=roles, kinds=kinds)
    moved = np.where(weights > 3, draw.permutation(240), np.arange(240))
    changed = {
        "age": age + draw.normal(0, 3, 240) * weights,
        "town": town[moved],
        "pay": pay[moved],
    }
    released = discreet.read({**columns, **changed}, roles=roles, kinds=kinds)
    return original, released, weights


@cache
def files_for(name: str) -> tuple[Microdata, Microdata, np.ndarray]:
    original, released, weights = files()
    if name not in OF_RECODED:
        return original, released, weights
    # Heavy records are suppressed more often.
    hidden = original.column("town").values.copy()
    hidden[weights > 3] = -1
    high = original["age"] >= 60
    age = original.column("age").recoded(high.astype(int), Kind.ORDINAL, ["0–59", "60–120"])
    town = original.column("town").with_values(hidden)
    return original, original.drop(["height"]).replace([age, town]), weights


def value(name: str, original: Microdata, released: Microdata) -> float:
    return score(name, original, released, **PLAIN.get(name, {})).value


def score(name: str, original: Microdata, released: Microdata, **options: object) -> Score:
    measure = find("measure", name)(**options)
    assert isinstance(measure, Measure)
    context, pairing = Context(Randomness.of(1)), Pairing.same_order(len(original))
    return measure.score(original, released, context, pairing)


@pytest.mark.parametrize("name", UTILITY)
def test_a_weight_counts_like_copies(name: str) -> None:
    original, released, weights = files_for(name)
    often = np.repeat(np.arange(len(weights)), weights)
    weighted = value(name, original, released)
    unweighted = value(name, original.drop(["w"]), released.drop(["w"]))
    copies = value(name, original.drop(["w"]).take(often), released.drop(["w"]).take(often))
    assert weighted != unweighted
    if name == "table-propensity":
        # Chance explains less of more records, and more where weights differ (Kish 1965, §11.7).
        records = weights.sum() ** 2 / (weights**2).sum()
        assert weighted == pytest.approx(copies * records / weights.sum())
    elif name in ERRORS:
        assert abs(weighted - unweighted) > 1e-3
    elif name in LEARNS:
        assert abs(weighted - copies) <= LEARNS[name]
    else:
        assert weighted == pytest.approx(copies, rel=SIZES.get(name, 1e-6))


@pytest.mark.parametrize("name", UTILITY)
def test_equal_weights_count_for_nothing_and_are_named_otherwise(name: str) -> None:
    original, released, _ = files_for(name)
    even = np.full(len(original), 7.0)
    alike = [file.replace([file.column("w").with_values(even)]) for file in (original, released)]
    assert value(name, *alike) == value(name, original.drop(["w"]), released.drop(["w"]))
    assert "weighted by 'w'" in score(name, original, released, **PLAIN.get(name, {})).note


def test_intervals_of_weighted_means_are_those_computed_by_hand() -> None:
    original, released, weights = files()
    found = score("interval-overlap", original, released).detail["means"]
    for name in ("age", "pay"):
        ends = []
        for file in (original, released):
            mean = np.average(file[name], weights=weights)
            parts = weights * (file[name] - mean) / weights.sum()
            # Linearised, records drawn with replacement: n/(n − 1) Σ (z − z̄)² (Cochran 1977, §6.3).
            error = np.sqrt(240 / 239 * ((parts - parts.mean()) ** 2).sum())
            ends.append((mean - 1.959964 * error, mean + 1.959964 * error))
        shared = min(ends[0][1], ends[1][1]) - max(ends[0][0], ends[1][0])
        by_hand = np.mean([shared / (high - low) for low, high in ends])
        assert found[name] == pytest.approx(by_hand, rel=1e-6)
