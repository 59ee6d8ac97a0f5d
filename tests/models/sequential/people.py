"""A table of persons with columns of several types and gaps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import discreet
from discreet.microdata import Microdata


def people(n: int = 300) -> Microdata:
    rng = np.random.default_rng(4)
    sex = rng.integers(0, 2, n)
    pay = np.round(rng.lognormal(7 + 0.5 * sex, 0.4), 2)
    table = pa.table(
        {
            "id": pa.array([f"p{i}" for i in range(n)]),
            "age": pa.array(rng.integers(18, 90, n), pa.int16()),
            "sex": pa.array(np.array(["f", "m"])[sex]),
            "pay": pa.array(pay, mask=rng.random(n) < 0.1),
            "code": pa.array(rng.choice(["a", "b", "c"], n)).dictionary_encode(),
        }
    )
    roles = {"identifier": ["id"], "quasi-identifier": ["age", "sex"], "confidential": ["pay"]}
    return discreet.read(table, roles=roles)
