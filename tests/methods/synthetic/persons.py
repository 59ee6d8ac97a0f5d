"""Persons whose columns depend on one another, to be synthesised."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet
from discreet import (
    Microdata,
)
from discreet.contracts import Context, Randomness

ROWS = 3000


def survey(rows: int = ROWS, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, rows)
    age = rng.normal(45, 12, rows).round()
    pay = 500 + 30 * age + 300 * sex + rng.normal(0, 200, rows)
    married = rng.random(rows) < 1 / (1 + np.exp(-(age - 40) / 6))
    grade = np.digitize(pay + rng.normal(0, 300, rows), [1700, 2200])
    wealth = np.where(rng.random(rows) < 0.3, 0.0, np.exp(pay / 1000 + rng.normal(0, 0.5, rows)))
    pay = np.where(rng.random(rows) < np.where(sex == 1, 0.2, 0.05), np.nan, pay)
    return discreet.read(
        {
            "id": [f"P{i}" for i in range(rows)],
            "sex": np.array(["f", "m"])[sex],
            "age": age,
            "pay": pay,
            "married": np.where(married, "yes", "no"),
            "grade": np.array(["low", "mid", "high"])[grade],
            "wealth": wealth,
        },
        roles={"id": "identifier", "sex": "quasi-identifier", "age": "quasi-identifier",
               "pay": "confidential", "married": "quasi-identifier", "grade": "other",
               "wealth": "confidential"},
        kinds={"grade": ["low", "mid", "high"]},
    )  # fmt: skip


def protected(method: Any, data: Microdata, seed: int = 1) -> Any:
    return method.protect(data, Context(Randomness(seed)))


def slope(data: Microdata, x: str, y: str) -> float:
    both = ~(data.column(x).missing | data.column(y).missing)
    return float(np.polyfit(data[x][both], data[y][both], 1)[0])


def children(sex: str = "other") -> Microdata:
    """Return persons, some of whom break the rule that no child is married."""
    rng = np.random.default_rng(1)
    age = rng.integers(5, 80, 400).astype(float)
    return discreet.read(
        {"age": age, "marital": np.where(rng.random(400) < 0.5, "married", "single"),
         "sex": np.where(rng.random(400) < 0.5, "f", "m"), "pay": 50 * age},
        roles={"age": "quasi-identifier", "marital": "quasi-identifier", "sex": sex},
    )  # fmt: skip
