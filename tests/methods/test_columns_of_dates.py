"""Columns of dates: a day is a day, however the file counts it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet
from discreet import (
    AdditiveNoise,
    Bootstrap,
    Condensation,
    Hybrid,
    Ipso,
    LatinHypercube,
    MatrixMasking,
    Microdata,
    MomentPreservingNoise,
    RandomRounding,
    Rounding,
    SequentialRegression,
    UsageError,
)
from discreet.contracts import Context, Method, Randomness
from discreet.contracts.registry import entries

FIRST = date(1950, 1, 1)
DAYS = [FIRST + timedelta(days=int(d)) for d in np.random.default_rng(1).integers(0, 9000, 300)]
MOMENTS = [datetime(d.year, d.month, d.day) for d in DAYS]
FORMS = pytest.mark.parametrize("born", [DAYS, MOMENTS], ids=["dates", "moments"])


def table(born: list[date]) -> Microdata:
    return discreet.read({"born": born}, {"born": "quasi-identifier"})


def days_after(born: list[date], method: Method) -> np.ndarray:
    """Return the released dates in days since 1970."""
    now = method.protect(table(born), Context(Randomness(1))).data["born"]
    return now if born is DAYS else now / 86_400e6


OWN = np.array([(d - date(1970, 1, 1)).days for d in DAYS], dtype=float)


@FORMS
@pytest.mark.parametrize("method", [Rounding, RandomRounding])
def test_a_base_counts_days(born: list[date], method: type[Rounding | RandomRounding]) -> None:
    now = days_after(born, method(base=30))
    assert (now % 30 == 0).all()
    assert (now != OWN).mean() > 0.9
    assert "days in a column of dates" in method.params()["base"].help
    now = days_after(born, method(bases={"born": 365}))
    assert (now % 365 == 0).all()


@FORMS
def test_rounding_points_are_dates(born: list[date]) -> None:
    points = {"born": ["1955-01-01", "1965-01-01", "1975-01-01"]}
    expected = {-5479.0, -1826.0, 1826.0}
    assert set(days_after(born, Rounding(points=points)).tolist()) <= expected
    assert set(days_after(born, RandomRounding(points=points)).tolist()) <= expected
    together = Rounding(points=points, together=True)
    assert set(days_after(born, together).tolist()) <= expected
    with pytest.raises(UsageError, match=r"must be a list of dates, such as .1950-01-31"):
        days_after(born, Rounding(points={"born": [1955, 1965]}))


@FORMS
def test_a_displacement_counts_days(born: list[date]) -> None:
    assert (
        days_after(born, MatrixMasking(displacement={"born": 10})).tolist() == (OWN + 10).tolist()
    )


@FORMS
@pytest.mark.parametrize("method", [AdditiveNoise, MomentPreservingNoise])
def test_whole_days_stay_whole_on_request(
    born: list[date], method: type[AdditiveNoise | MomentPreservingNoise]
) -> None:
    now = days_after(born, method(round=True))
    assert (now == np.rint(now)).all()
    assert np.std(now - OWN) > 100


AGES = np.random.default_rng(2).normal(40, 9, len(DAYS))
PAY = 2000 - 0.1 * OWN + np.random.default_rng(3).normal(0, 99, len(DAYS))
FRAMES: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame({"born": pd.to_datetime(DAYS), "age": AGES, "pay": PAY}),
    "polars": lambda: pl.DataFrame({"born": DAYS, "age": AGES, "pay": PAY}),
}
# Not those that take the values of a column from a domain declared beforehand.
SYNTHETIC = [
    e
    for e in entries("method")
    if e.__module__.startswith("discreet.methods.synthetic") and "domains" not in e.params()
]


@pytest.mark.parametrize("entry", SYNTHETIC, ids=lambda entry: entry.spec.name)
def test_synthetic_days_are_whole_days_in_every_frame(entry: type[Method]) -> None:
    roles = {"born": "quasi-identifier", "age": "quasi-identifier", "pay": "confidential"}
    released: dict[str, Any] = {}
    for kind, make in FRAMES.items():
        own = make()
        data = discreet.read(own, roles)
        frame: Any = discreet.protect(data, entry.example(), seed=3, shuffle=False).data.frame()
        assert frame["born"].dtype == own["born"].dtype
        released[kind] = frame
    moments = released["pandas"]["born"]
    assert (moments == moments.dt.normalize()).all(), "midnight, like all of the original"
    assert moments.dt.date.tolist() == released["polars"]["born"].to_list()
    for other in ("age", "pay"):
        assert released["pandas"][other].to_numpy() == pytest.approx(
            released["polars"][other].to_numpy(), rel=1e-9
        )
    assert len(set(moments.dt.date) & set(DAYS)) < 0.5 * len(DAYS), "and they are others"


@FORMS
@pytest.mark.parametrize("method", [Condensation, Ipso, Bootstrap, Hybrid, LatinHypercube])
def test_synthetic_days_are_whole_on_request_before_they_are_written(
    born: list[date], method: type[Method]
) -> None:
    roles = {"born": "quasi-identifier", "age": "quasi-identifier", "pay": "confidential"}
    data = discreet.read({"born": born, "age": AGES, "pay": PAY}, roles)
    example = method.example()
    rounding = type(example)(**{**example.values(), "round": True})
    now = rounding.protect(data, Context(Randomness(1))).data["born"]
    now = now if born is DAYS else now / 86_400e6
    assert (now == np.rint(now)).all()


def test_a_rule_about_days_is_kept_in_what_is_written() -> None:
    # Rounding after the rule was looked at would bring back days that it leaves out.
    days = np.random.default_rng(4).integers(0, 9, 500)
    came = pd.to_datetime(np.datetime64("2020-01-01") + days)
    data = discreet.read(pd.DataFrame({"came": came}), {"came": "quasi-identifier"})
    method = SequentialRegression(rules=["always came > 2020-01-04"])
    made = discreet.protect(data, method, seed=1).data.frame()
    assert made["came"].min() == pd.Timestamp("2020-01-05")
