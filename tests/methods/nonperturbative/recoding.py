"""Tables to recode."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import discreet

ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]


def people(rows: int = 60, seed: int = 1) -> discreet.Microdata:
    rng = np.random.default_rng(seed)
    return discreet.read(
        {
            "age": rng.integers(18, 80, rows).tolist(),
            "town": [["Ayle", "Bron", "Cull"][i] for i in rng.integers(0, 3, rows)],
            "ill": [["a", "b", "c"][i] for i in rng.integers(0, 3, rows)],
        },
        roles={"age": "quasi-identifier", "town": "quasi-identifier", "ill": "confidential"},
    )


def adult(folder: Path) -> tuple[discreet.Microdata, tuple[str, ...]]:
    roles = {**dict.fromkeys(ADULT, "quasi-identifier"), "occupation": "confidential"}
    data = discreet.read(folder / "adult_arx_30162.csv", roles=roles)
    place = folder / "adult_hierarchies"
    return data, tuple(f"{n}={place / f'adult_hierarchy_{n}.csv'}" for n in ADULT)
