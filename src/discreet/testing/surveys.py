"""Invented surveys whose columns depend on one another, for what needs more than a few records.

Every column follows two hidden traits of its person and chance, so that all pairs of columns are
associated, some strongly and some weakly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet.io.reading import read
from discreet.microdata import Microdata, Numbers

QUASI, SECRET, OTHER = "quasi-identifier", "confidential", "other"


class _Draw:
    """Columns of one file."""

    def __init__(self, traits: Numbers, generator: np.random.Generator) -> None:
        self.traits, self.generator = traits, generator

    def score(self, closeness: float) -> Numbers:
        """Return a standard normal score that depends on the traits to the given degree."""
        angle = self.generator.uniform(0, 2 * np.pi)
        shared = self.traits @ [np.cos(angle), np.sin(angle)]
        chance = self.generator.normal(size=len(self.traits))
        return np.asarray(closeness * shared + np.sqrt(1 - closeness**2) * chance)

    def amounts(self, middle: float, closeness: float = 0.8) -> list[float]:
        return list(np.rint(middle * np.exp(self.score(closeness) / 2)).tolist())

    def one_of(self, words: Sequence[Any], closeness: float = 0.7) -> list[Any]:
        """Return categories, the first ones the commonest."""
        shares = np.cumsum(0.6 ** np.arange(len(words)))
        places = self.score(closeness).argsort().argsort() / len(self.traits)
        return [words[i] for i in np.searchsorted(shares[:-1] / shares[-1], places, side="right")]


def mixed(rows: int = 1_000) -> Microdata:
    """Return records of loans: seven amounts, four grades, ten words.

    >>> mixed(50)
    Microdata(50 records; amount0: quasi-identifier, continuous; ...)
    """
    draw = _drawn(rows, 1)
    columns: dict[str, list[Any]] = {f"amount{i}": draw.amounts(1_000) for i in range(7)}
    columns |= {f"grade{i}": draw.one_of(["low", "middle", "high", "top"]) for i in range(4)}
    columns |= {f"word{i}": draw.one_of("abcdefg"[: 2 + i % 6]) for i in range(10)}
    roles = dict.fromkeys(columns, QUASI)
    roles |= dict.fromkeys(("amount5", "word8"), SECRET)
    roles |= dict.fromkeys(("amount6", "grade3", "word0", "word9"), OTHER)
    order = ["low", "middle", "high", "top"]
    return read(columns, roles, {f"grade{i}": order for i in range(4)})


def binary(rows: int = 4_000) -> Microdata:
    """Return answers of yes and no to sixteen questions.

    >>> binary(50).schema["answer15"].role.value
    'other'
    """
    draw = _drawn(rows, 2)
    columns = {f"answer{i}": draw.one_of(["no", "yes"], 0.9) for i in range(16)}
    roles = dict.fromkeys(columns, QUASI) | {"answer14": SECRET, "answer15": OTHER}
    return read(columns, roles)


def households(count: int = 800) -> Microdata:
    """Return the members of households, with what they share, each one's own, and weights.

    >>> households(20).having(*[]), households(20).schema["household"].role.value
    ((), 'household')
    """
    generator = np.random.Generator(np.random.PCG64(3))
    home = np.repeat(np.arange(count), generator.integers(1, 6, count))
    shared = generator.normal(size=(count, 2))
    at_home = _Draw(shared, generator)
    person = _Draw((shared[home] + generator.normal(size=(len(home), 2))) / np.sqrt(2), generator)
    of_household = {
        "region": at_home.one_of(["north", "south", "east", "west", "isles"]),
        "tenure": at_home.one_of(["owned", "rented", "free"]),
        "rent": at_home.amounts(600),
        "rooms": at_home.one_of([3, 4, 2, 5, 1]),
    }
    columns: dict[str, Any] = {
        name: [values[i] for i in home] for name, values in of_household.items()
    }
    columns |= {
        "age": np.clip(np.rint(40 + 18 * person.score(0.8)), 0, 95).tolist(),
        "sex": person.one_of(["f", "m"]),
        "status": person.one_of(["married", "single", "widowed", "divorced"]),
        "work": person.one_of(["employed", "retired", "pupil", "none"]),
        "income": person.amounts(2_000),
        "weight": person.amounts(100),
        "household": home.tolist(),
    }
    roles = dict.fromkeys(columns, QUASI) | {"rent": OTHER, "income": SECRET}
    return read(columns, roles | {"weight": "weight", "household": "household"})


def uneven(count: int = 700) -> Microdata:
    """Return members of households whose incomes are often nothing or unknown.

    >>> benefits = uneven(50)["benefit"]
    >>> bool((benefits == 0).mean() > 0.5)
    True
    """
    generator = np.random.Generator(np.random.PCG64(11))
    home = np.repeat(np.arange(count), 1 + generator.poisson(1.4, count))
    shared = generator.normal(size=count)

    def chance(size: int, spread: float = 1.0) -> Numbers:
        return generator.normal(scale=spread, size=size)

    level = 0.7 * shared[home] + 0.7 * chance(len(home))
    region = np.digitize(shared + chance(count, 0.5), [-0.7, 0, 0.7])
    rooms = np.clip(np.rint(3 + shared + chance(count, 0.6)), 1, 8)
    income = np.rint(np.exp(7 + 0.6 * level + chance(len(home), 0.3)))
    income[generator.random(len(home)) < 0.25] = 0
    income[generator.random(len(home)) < 0.05] = np.nan
    benefit = np.rint(np.exp(5 - 0.6 * level + chance(len(home), 0.4)))
    benefit[generator.random(len(home)) < 0.7] = 0
    columns = {
        "household": home.tolist(),
        "region": [("north", "south", "east", "west")[i] for i in region[home]],
        "rooms": rooms[home].tolist(),
        "age": np.clip(np.rint(38 + 15 * level), 0, 95).tolist(),
        "sex": ["f" if z > 0 else "m" for z in level + chance(len(home), 1.5)],
        "school": [
            ("first", "second", "third")[i]
            for i in np.digitize(level + chance(len(home), 0.6), [-0.5, 0.8])
        ],
        "income": income.tolist(),
        "benefit": benefit.tolist(),
        "weight": np.exp(4 + chance(len(home), 0.2)).round(1).tolist(),
    }
    roles = dict.fromkeys(columns, QUASI) | {"income": SECRET, "benefit": OTHER}
    return read(columns, roles | {"weight": "weight", "household": "household"})


def _drawn(rows: int, seed: int) -> _Draw:
    generator = np.random.Generator(np.random.PCG64(seed))
    return _Draw(generator.normal(size=(rows, 2)), generator)


SURVEYS: Mapping[str, Any] = {
    "mixed": mixed,
    "binary": binary,
    "households": households,
    "uneven": uneven,
}
