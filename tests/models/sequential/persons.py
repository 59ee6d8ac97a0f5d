"""Persons to draw a sequence of columns for."""

from __future__ import annotations

import numpy as np

import discreet
from discreet import Microdata


def persons(rows: int = 400) -> Microdata:
    generator = np.random.default_rng(1)
    age = generator.integers(0, 90, rows).astype(float)
    married = (age >= 15) & (generator.random(rows) < 0.7)
    school = np.where(age < 6, 0, generator.integers(0, 3, rows))
    return discreet.read(
        {
            "age": age,
            "marital": np.where(married, "married", "single"),
            "school": np.array(["none", "basic", "high"])[school],
            "first name": np.array(["Ann", "Bo"])[generator.integers(0, 2, rows)],
        },
        kinds={"school": ["none", "basic", "high"]},
    )
