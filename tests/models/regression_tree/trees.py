"""Tables with responses of a kind, and trees grown on them."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet
from discreet.models.regression_tree import Tree, grow


def table(seed: int, n: int, r: int = 2, **more: list[Any]) -> discreet.Microdata:
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {
        "age": rng.integers(20, 60, n).tolist(),
        "town": ["abcdef"[i] for i in rng.integers(0, 6, n)],
        **{f"y{j}": rng.normal(size=n).tolist() for j in range(r)},
        **more,
    }
    roles = {name: "quasi-identifier" if name in ("age", "town") else "confidential"
             for name in columns}  # fmt: skip
    return discreet.read(columns, roles=roles)


def tree_of(data: discreet.Microdata, k: int = 2) -> Tree:
    names = [n for n in data.schema.names if n not in data.quasi_identifiers]
    return grow(data, data.quasi_identifiers, names, k)
