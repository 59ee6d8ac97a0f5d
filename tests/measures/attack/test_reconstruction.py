"""Reconstruction: noise that is taken off, PRAM that Bayes' rule sees through, blind guesses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Imitated, Pairing, Randomness, Target
from discreet.errors import NotApplicable, UsageError
from discreet.measures.attack.reconstruction import Reconstruction

QI = "quasi-identifier"


def numbers(rows: int, seed: int, common: float) -> discreet.Microdata:
    draw = np.random.default_rng(seed)
    shared = common * draw.normal(size=rows)
    columns = {c: shared + draw.normal(size=rows) for c in "abcd"}
    return discreet.read(columns, roles=dict.fromkeys(columns, QI))


def always(run: Imitated) -> Callable[[Context], Imitated]:
    return lambda _: run


def columns_of(release: discreet.Release) -> dict[str, dict[str, float]]:
    outcome = Reconstruction().attempt(release.target, Context(Randomness(1)))
    found: dict[str, dict[str, float]] = outcome.detail["columns"]
    return found


def test_the_error_is_that_of_the_linear_bayes_estimator() -> None:
    """Independent columns, noise of half the variance: 1/2 is left before, 1/3 after."""
    data = numbers(3_000, 1, common=0.0)
    noise = discreet.AdditiveNoise(alpha=0.5, variant="uncorrelated")
    for figures in columns_of(discreet.protect(data, noise, seed=2)).values():
        assert figures["error before"] == pytest.approx(1 / 2, abs=0.05)
        assert figures["error after"] == pytest.approx(1 / 3, abs=0.03)


def test_noise_that_is_not_correlated_as_the_columns_are_is_taken_off() -> None:
    data = numbers(1_000, 3, common=5.0)
    left = {
        variant: columns_of(
            discreet.protect(data, discreet.AdditiveNoise(alpha=0.5, variant=variant), seed=2)
        )["a"]["error after"]
        for variant in ("correlated", "uncorrelated")
    }
    assert left["correlated"] == pytest.approx(1 / 3, abs=0.05)
    assert left["uncorrelated"] < 0.5 * left["correlated"]


def test_bayes_rule_undoes_a_matrix_that_is_not_diagonal() -> None:
    """Everybody changes sides: the released value is never right, its contrary always."""
    draw = np.random.default_rng(4)
    data = discreet.read({"sex": draw.choice(["f", "m"], 500)}, roles={"sex": QI})
    matrix = {"sex": {"f": {"m": 1.0}, "m": {"f": 1.0}}}
    release = discreet.protect(data, discreet.PRAM(matrices=matrix), seed=2)
    figures = columns_of(release)["sex"]
    assert figures["as released"] == 0.0
    assert figures["success"] == 1.0


def test_independent_values_are_guessed_blindly() -> None:
    beyond = 0
    for seed in range(50):
        data, other = numbers(150, seed, common=0.0), numbers(150, 1_000 + seed, common=0.0)
        run = Imitated(numbers(150, 2_000 + seed, common=0.0), np.arange(150))
        pairing = Pairing(run.origin, imitate=always(run))
        outcome = Reconstruction().attempt(Target(data, other, pairing), Context(Randomness(seed)))
        assert outcome.interval is not None
        beyond += outcome.interval[0] > outcome.blind
    assert beyond < 5


def test_where_nothing_was_protected_everything_is_there() -> None:
    found = Reconstruction().run(numbers(100, 5, common=1.0), seed=1)
    assert found.exposure.min() == 1.0


def test_what_it_needs() -> None:
    data = numbers(50, 6, common=0.0)
    with pytest.raises(NotApplicable, match="which original"):
        Reconstruction().attempt(Target(data, data), Context())
    with pytest.raises(UsageError, match="wage"):
        Reconstruction(columns=("wage",)).attempt(
            Target(data, data, Pairing.same_order(50)), Context()
        )
    gone = data.drop(["a", "b", "c", "d"])
    with pytest.raises(NotApplicable, match=r"on its own scale|no records"):
        Reconstruction().attempt(Target(data, gone, Pairing.same_order(50)), Context())
