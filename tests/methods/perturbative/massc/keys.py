"""Records with three keys, a weight and outcomes."""

from __future__ import annotations

import numpy as np

import discreet
from discreet import Microdata

KEYS = ["town", "sex", "grade"]


def table(rows: int = 500, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    return discreet.read(
        {
            "town": [f"t{i}" for i in np.minimum(rng.geometric(0.35, rows), 9)],
            "sex": [("f", "m", None)[i] for i in rng.choice(3, rows, p=[0.5, 0.45, 0.05])],
            "grade": [("lo", "mid", "hi")[i] for i in rng.integers(0, 3, rows)],
            "pay": rng.lognormal(8, 0.5, rows),
            "ill": [("yes", "no")[i] for i in rng.integers(0, 2, rows)],
            "w": rng.uniform(1, 20, rows),
        },
        dict.fromkeys(KEYS, "quasi-identifier")
        | {"pay": "confidential", "ill": "confidential", "w": "weight"},
        {"grade": ["lo", "mid", "hi"]},
    )
