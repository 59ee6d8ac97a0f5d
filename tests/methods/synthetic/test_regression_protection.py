"""Model-based protection: fitted values, and noise around them."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import Microdata, RegressionProtection
from discreet.contracts import Context, Randomness


def table(rows: int = 4000) -> Microdata:
    rng = np.random.default_rng(5)
    age = rng.uniform(20, 60, rows)
    sex = rng.integers(0, 2, rows)
    pay = 900 + 40 * age + 300 * sex + rng.normal(0, 500, rows)
    return discreet.read(
        {"age": age, "sex": [("f", "m")[i] for i in sex], "pay": pay},
        {"age": "quasi-identifier", "sex": "quasi-identifier", "pay": "confidential"},
    )


def released(data: Microdata, seed: int = 1, **options: object) -> np.ndarray:
    method = RegressionProtection(columns=["pay"], **options)
    return np.asarray(method.protect(data, Context(Randomness(seed))).data["pay"])


def test_without_noise_it_is_least_squares() -> None:
    data = table()
    terms = np.column_stack([np.ones(len(data)), data["age"], data["sex"]])
    expected = terms @ np.linalg.lstsq(terms, data["pay"], rcond=None)[0]
    assert released(data, noise=0) == pytest.approx(expected, rel=1e-10)
    assert (released(data, 1, noise=0) == released(data, 2, noise=0)).all()


@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_noise_has_its_share_of_the_residual_deviation(noise: float) -> None:
    data = table()
    bare = released(data, noise=0)
    added = released(data, noise=noise) - bare
    assert added.std() == pytest.approx(noise * (data["pay"] - bare).std(), rel=0.04)
    assert abs(np.corrcoef(added, data["pay"] - bare)[0, 1]) < 0.05, "it is new noise"


def test_only_the_given_columns_are_regressed_on() -> None:
    data = table()
    line = np.polyval(np.polyfit(data["age"], data["pay"], 1), data["age"])
    assert released(data, noise=0, given=["age"]) == pytest.approx(line, rel=1e-10)


def test_missing_values_stay_and_missing_predictors_have_their_own_mean() -> None:
    data = table(300)
    pay, age = data["pay"].copy(), data["age"].copy()
    pay[::9], age[1::9] = np.nan, np.nan
    data = data.replace([data.column("pay").with_values(pay), data.column("age").with_values(age)])
    made = released(data, noise=0)
    assert (np.isnan(made) == np.isnan(pay)).all()
    gone = np.isnan(age) & ~np.isnan(pay)
    assert made[gone].mean() == pytest.approx(pay[gone].mean(), rel=1e-10)


def test_whole_numbers_are_rounded_on_request() -> None:
    data = table(300)
    data = data.replace([data.column("pay").with_values(np.rint(data["pay"]))])
    made = released(data, round=True)
    assert (made == np.rint(made)).all()
