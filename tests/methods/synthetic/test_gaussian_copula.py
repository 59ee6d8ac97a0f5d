"""The Gaussian copula: margins of any kind, one correlation for each pair."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import GaussianCopula
from discreet.contracts import Context, Randomness


def workers(rows: int = 3000) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    age = rng.integers(18, 66, rows).astype(float)
    skill = (age - 42) / 14 + rng.normal(0, 1, rows)
    pay = np.where(rng.random(rows) < 0.25, 0.0, np.exp(7 + 0.8 * skill).round(2))
    trade = np.array(["cook", "clerk", "judge"])[np.searchsorted([-0.5, 0.8], skill)]
    pay[:200] = np.nan
    return discreet.read(
        {"age": age, "pay": pay, "trade": trade},
        roles={"age": "quasi-identifier", "pay": "confidential", "trade": "other"},
    )


def test_margins_and_dependence_stay() -> None:
    data = workers()
    masked = GaussianCopula().protect(data, Context(Randomness(2)))
    made = masked.data
    assert (masked.origin == -1).all()
    assert made.column("pay").missing.mean() == pytest.approx(200 / 3000, abs=0.02)
    assert (made["pay"] == 0).mean() == pytest.approx((data["pay"] == 0).mean(), abs=0.03)
    assert np.nanmin(made["pay"]) >= 0
    assert np.nanmean(made["pay"]) == pytest.approx(np.nanmean(data["pay"]), rel=0.1)
    assert np.bincount(made["trade"]) / 3000 == pytest.approx(
        np.bincount(data["trade"]) / 3000, abs=0.03
    )
    for table in (data, made):
        judges = table["trade"] == table.schema["trade"].categories.index("judge")
        assert table["age"][judges].mean() - table["age"][~judges].mean() > 6
    assert (made["age"] == np.rint(made["age"])).all()


def test_the_number_of_records_is_free() -> None:
    masked = GaussianCopula(records=40).protect(workers(300), Context(Randomness(3)))
    assert len(masked.data) == 40
