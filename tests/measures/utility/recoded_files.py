"""A small file with a recoded and partly suppressed release, and what each label stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet
from discreet.contracts import Context, Measure, Pairing, Score
from discreet.contracts.registry import build
from discreet.microdata import Microdata

ROLES = {"age": "quasi-identifier", "town": "quasi-identifier"}
Cell = tuple[Any, ...]


def files(seed: int, n: int = 50) -> tuple[Microdata, Microdata, list[Cell], list[Cell]]:
    """Return original and release, the original's rows, and the sets of the released cells."""
    draw = np.random.default_rng(seed)
    age = [int(a) for a in draw.integers(20, 40, n)]
    town = [str(t) for t in draw.choice(["Ayle", "Bron", "Cull"], n)]
    coarse = [a // 10 * 10 for a in age]
    hidden = draw.random(n) < 0.2
    labels = [f"{low}–{low + 9}" for low in coarse]
    known = [None if h else t for t, h in zip(town, hidden, strict=True)]
    original = discreet.read({"age": age, "town": town}, roles=ROLES)
    released = discreet.read({"age": labels, "town": known}, roles=ROLES)
    ages, towns = set(age), set(town)
    sets = [
        (frozenset(a for a in ages if low <= a <= low + 9), frozenset(towns if h else {t}))
        for low, t, h in zip(coarse, town, hidden, strict=True)
    ]
    return original, released, list(zip(age, town, strict=True)), sets


def score(recipe: Any, original: Microdata, released: Microdata) -> Score:
    measure = build("measure", recipe)
    assert isinstance(measure, Measure)
    return measure.score(original, released, Context(), Pairing.same_order(len(original)))
