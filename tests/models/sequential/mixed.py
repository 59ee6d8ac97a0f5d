"""A table of columns of every kind that depend on one another."""

from __future__ import annotations

import numpy as np

import discreet
from discreet import Microdata


def mixed(rows: int = 2000) -> Microdata:
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, rows)
    town = rng.integers(0, 6, rows)
    y = np.where(np.isin(town, [1, 4]), x**2, -(x**2)) + rng.normal(0, 0.05, rows)
    home = np.where(np.abs(x) > 0.5, "owned", "rented")
    z = np.where(rng.random(rows) < 0.3, 0.0, rng.exponential(5, rows))
    return discreet.read(
        {
            "id": [f"P{i}" for i in range(rows)],
            "x": x,
            "town": np.array(list("abcdef"))[town],
            "y": np.where(rng.random(rows) < 0.1, np.nan, y),
            "home": home,
            "grade": np.array(["low", "mid", "high"])[np.digitize(x, [-0.3, 0.3])],
            "z": z,
            "n": rng.poisson(4, rows),
        },
        roles={"id": "identifier", "x": "quasi-identifier", "town": "other", "y": "confidential",
               "home": "quasi-identifier", "grade": "other", "z": "other", "n": "other"},
        kinds={"grade": ["low", "mid", "high"]},
    )  # fmt: skip
