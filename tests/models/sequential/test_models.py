"""Regressions with drawn parameters: parameters of known models, and that they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import discreet
from discreet import UsageError
from discreet.models.sequential import categorical
from discreet.models.sequential.categorical import Multinomial, Ordered
from discreet.models.sequential.count import Count
from discreet.models.sequential.linear import NormalLinear, Semicontinuous
from discreet.models.sequential.models import Regression, checked_model, suitable

ROWS = 4000


def predictors(rows: int = ROWS, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 2))


def many(draw: Any, times: int = 60) -> np.ndarray:
    """Parameters drawn again and again from the same data."""
    return np.array([draw(np.random.default_rng(seed)) for seed in range(times)])


def test_normal_parameters_have_the_posterior_of_theory() -> None:
    x = predictors(60)
    y = 1 + x @ [2.0, -1.0] + np.random.default_rng(2).normal(0, 1.5, 60)

    def draw(generator: np.random.Generator) -> list[float]:
        found = NormalLinear.drawn(x, y, generator)
        return [found.constant, *found.coefficients, found.deviation**2]

    drawn = many(draw, 4000)
    design = np.column_stack([np.ones(60), x])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    square = ((y - design @ beta) ** 2).sum() / 57
    # σ² has the mean s²·ν/(ν − 2), the coefficients the variance of a t with ν = 57.
    error = drawn.std(axis=0) / np.sqrt(4000)
    expected = [*beta, square * 57 / 55]
    assert (np.abs(drawn.mean(axis=0) - expected) < 4.5 * error).all()
    spread = np.sqrt(square * 57 / 55 * np.diag(inverse))
    assert drawn[:, :3].std(axis=0) == pytest.approx(spread, rel=0.06)


def test_logistic_draws_spread_like_the_information() -> None:
    x = predictors(800)
    p = 1 / (1 + np.exp(-(0.5 + x @ [1.0, -0.5])))
    y = (np.random.default_rng(3).random(800) < p).astype(int)
    drawn = many(lambda g: Multinomial.drawn(x, y, 2, g).coefficients[:, 0], 150)
    design = np.column_stack([np.ones(800), x])
    information = design.T @ (design * (p * (1 - p))[:, None])
    expected = np.sqrt(np.diag(np.linalg.inv(information)))
    assert drawn.std(axis=0) == pytest.approx(expected, rel=0.25)
    assert np.abs(drawn.mean(axis=0) - [0.5, 1.0, -0.5]).max() < 4 * expected.max()


def test_multinomial_parameters_come_back() -> None:
    x = predictors()
    truth = np.array([[0.5, -0.5], [1.0, 0.0], [0.0, 1.0]])
    scores = np.exp(np.column_stack([np.zeros(ROWS), np.column_stack([np.ones(ROWS), x]) @ truth]))
    y = (np.cumsum(scores / scores.sum(1, keepdims=True), 1)
         < np.random.default_rng(4).random(ROWS)[:, None]).sum(1)  # fmt: skip
    drawn = many(lambda g: Multinomial.drawn(x, y, 3, g).coefficients, 10)
    assert np.abs(drawn.mean(axis=0) - truth).max() < 0.2


def test_ordered_parameters_come_back() -> None:
    x = predictors()
    latent = x @ [1.5, -0.5] + np.random.default_rng(5).logistic(size=ROWS)
    y = np.searchsorted([-1.0, 0.0, 2.0], latent)
    drawn = many(lambda g: _flat(Ordered.drawn(x, y, 4, g)), 10)
    assert np.abs(drawn.mean(axis=0) - [-1.0, 0.0, 2.0, 1.5, -0.5]).max() < 0.2


def _flat(found: Ordered) -> list[float]:
    return [*found.thresholds, *found.coefficients]


@pytest.mark.parametrize("kind", [Multinomial, Ordered, Count])
def test_gradients_are_those_of_differences(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    caught: dict[str, Any] = {}

    def catch(objective: Any, start: np.ndarray, penalised: Any) -> np.ndarray:
        caught.update(objective=objective, start=start)
        return start

    monkeypatch.setattr(categorical, "maximise", catch)
    monkeypatch.setattr("discreet.models.sequential.count.maximise", catch)
    x = predictors(40)
    y = np.random.default_rng(6).integers(0, 4, 40)
    generator = np.random.default_rng(7)
    if kind is Count:
        Count.drawn(x, y.astype(float), generator)
    else:
        kind.drawn(x, y, 4, generator)
    at = caught["start"] + np.random.default_rng(8).normal(0, 0.2, len(caught["start"]))
    expected = approx_fprime(at, lambda b: caught["objective"](b)[0], 1e-6)
    assert caught["objective"](at)[1] == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("dispersion", [0.0, 0.8])
def test_counts_have_the_mean_and_the_variance_of_the_data(dispersion: float) -> None:
    x = predictors()
    generator = np.random.default_rng(9)
    mean = np.exp(0.8 + x @ [0.3, 0.0])
    rate = generator.gamma(1 / dispersion, dispersion * mean) if dispersion else mean
    y = generator.poisson(rate).astype(float)
    found = Count.drawn(x, y, generator)
    made = found.draw(x, generator)
    assert (made == np.floor(made)).all()
    assert (made >= 0).all()
    assert made.mean() == pytest.approx(y.mean(), rel=0.1)
    assert made.var() == pytest.approx(y.var(), rel=0.3)
    assert found.dispersion == pytest.approx(dispersion, abs=0.15)


def test_semicontinuous_values_keep_zeros_and_sign() -> None:
    x = predictors()
    generator = np.random.default_rng(10)
    pays = generator.random(ROWS) < 1 / (1 + np.exp(-x[:, 0]))
    for sign in (1.0, -1.0):
        y = np.where(pays, sign * np.exp(2 + 0.5 * x[:, 1] + generator.normal(0, 0.3, ROWS)), 0.0)
        made = Semicontinuous.drawn(x, y, generator).draw(x, generator)
        assert (made == 0).mean() == pytest.approx((y == 0).mean(), abs=0.04)
        assert (sign * made >= 0).all()
        paid = made != 0
        assert np.corrcoef(np.log(np.abs(made[paid])), x[paid, 1])[0, 1] > 0.7
        assert abs(np.corrcoef(paid, x[:, 0])[0, 1] - np.corrcoef(y != 0, x[:, 0])[0, 1]) < 0.08


def test_few_records_do_not_give_the_originals_back() -> None:
    generator = np.random.default_rng(11)
    x, y = generator.standard_normal((12, 30)), generator.standard_normal(12)
    found = NormalLinear.drawn(x, y, generator)
    assert found.deviation > 0.2
    assert np.abs(found.draw(x, generator) - y).min() > 1e-6


def test_complete_separation_is_finite() -> None:
    x = np.linspace(-2, 2, 50)[:, None]
    found = Multinomial.drawn(x, (x[:, 0] > 0).astype(int), 2, np.random.default_rng(1))
    assert np.abs(found.coefficients).max() < 20
    assert found.probabilities(x)[-1, 1] > 0.9


def test_the_model_that_suits_a_column() -> None:
    data = discreet.read(
        {"n": [1.5, 2.0, 3.0, 7.0], "two": [3, 3, 4, 4], "zeros": [0, 0, 2.5, 4.0],
         "semi": [0.0, 5.0, 6.0, 9.0], "sex": ["f", "m", "f", "m"], "town": list("abca"),
         "grade": ["low", "high", "mid", "low"]},
        kinds={"grade": ["low", "mid", "high"]},
    )  # fmt: skip
    found = {column.name: suitable(column) for column in data}
    assert found == {
        "n": "normal", "two": "logistic", "zeros": "normal", "semi": "semicontinuous",
        "sex": "logistic", "town": "multinomial", "grade": "ordered",
    }  # fmt: skip


def test_two_numbers_stay_two_numbers() -> None:
    data = discreet.read({"age": list(range(40)), "smokes": [0.0, 7.0] * 20})
    generator = np.random.default_rng(1)
    made = Regression.fit(data, data.column("smokes"), ["age"], generator).draw(data, generator)
    assert set(made.tolist()) == {0.0, 7.0}


@pytest.mark.parametrize(
    ("model", "column", "said"),
    [
        ("poisson", "n", "must be given one of the models normal"),
        ("count", "n", "values other than whole numbers of 0 or more"),
        ("semicontinuous", "signs", "values of both signs"),
        ("logistic", "n", "more than two values"),
        ("ordered", "town", "which is nominal"),
        ("normal", "town", "which is nominal; choose one of logistic, multinomial"),
    ],
)
def test_a_model_that_does_not_suit_is_refused(model: str, column: str, said: str) -> None:
    data = discreet.read({"n": [1.5, 2.0, 3.0], "signs": [-1, 1, 2], "town": list("abc")})
    with pytest.raises(UsageError, match=said):
        checked_model(model, data.column(column), "SequentialRegression")
