"""Pay that follows the square of age."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet


def table(n: int = 120) -> discreet.Microdata:
    rng = np.random.default_rng(11)
    age = rng.integers(20, 60, n)
    columns: dict[str, list[Any]] = {
        "age": age.tolist(),
        "town": ["abcd"[i] for i in rng.integers(0, 4, n)],
        "shoe": rng.normal(42, 2, n).round(1).tolist(),
        "pay": (age**2 / 10 + rng.normal(0, 20, n)).tolist(),
    }
    roles = dict.fromkeys(["age", "town", "shoe"], "quasi-identifier") | {"pay": "confidential"}
    return discreet.read(columns, roles=roles)
