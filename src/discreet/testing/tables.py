"""Tables that methods and measures are tested on: an ordinary one, and edge cases."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np

from discreet.io.reading import read
from discreet.microdata import Attribute, Column, Kind, Microdata, Role
from discreet.microdata.levels import with_levels

GRADES = ["low", "middle", "high"]
NAMES = {Kind.CONTINUOUS: ("height", "income"), Kind.ORDINAL: ("grade",), Kind.NOMINAL: ("town",)}
ALL_KINDS = tuple(NAMES)


def ordinary(
    kinds: Collection[Kind] = ALL_KINDS, rows: int = 60, missing: bool = True
) -> Microdata:
    """Return a table with every role but person, its quasi-identifiers of the given kinds only.

    >>> ordinary([Kind.CONTINUOUS], rows=20).quasi_identifiers
    ('height', 'income')
    """
    made = _ordinary(tuple(kinds), rows, missing)
    # With values of its own: what a component writes into one table must not be found in the next.
    return Microdata([Column(c.attribute, c.values.copy()) for c in made], made.source)


@lru_cache(maxsize=64)  # the checks of one entry ask for dozens, and reading takes most of them
def _ordinary(kinds: tuple[Kind, ...], rows: int, missing: bool) -> Microdata:
    rng = np.random.Generator(np.random.PCG64(20))
    height = rng.normal(170, 9, rows).round(1)
    income = np.exp(rng.normal(8, 0.5, rows)).round()
    grade = [GRADES[i] for i in rng.integers(0, 3, rows)]
    town = [("Ayle", "Bron", "Cull", "Dorn")[i] for i in rng.integers(0, 4, rows)]
    columns: dict[str, list[Any]] = {
        "id": [f"P{i:04d}" for i in range(rows)],
        "height": height.tolist(),
        "income": income.tolist(),
        "grade": grade,
        "town": town,
        "diagnosis": [("a", "b", "c")[i] for i in rng.integers(0, 3, rows)],
        "remark": [f"r{i % 7}" for i in range(rows)],
        "weight": rng.uniform(1, 9, rows).round(2).tolist(),
        "household": [i // 2 for i in range(rows)],
        "stratum": [("n", "s")[i % 2] for i in range(rows)],
    }
    if missing:
        for step, name in ((7, "height"), (11, "grade"), (13, "town")):
            columns[name] = [None if i % step == 3 else v for i, v in enumerate(columns[name])]
    return _read(columns, kinds)


def survey(
    kinds: Collection[Kind] = ALL_KINDS, households: int = 45, role: Role = Role.HOUSEHOLD
) -> Microdata:
    """Return persons in households, with quasi-identifiers of both levels of the given kinds.

    With the role person they are the visits of patients.

    >>> data = survey([Kind.NOMINAL])
    >>> {name: data.schema[name].level.value for name in data.quasi_identifiers}
    {'town': 'person', 'region': 'household'}
    """
    rng = np.random.Generator(np.random.PCG64(21))
    home = rng.permutation(np.repeat(np.arange(households), rng.integers(1, 5, households)))
    persons = ordinary(kinds, rows=len(home), missing=False)
    shared: dict[Kind, tuple[str, Any]] = {
        Kind.CONTINUOUS: ("rent", np.exp(rng.normal(6, 0.4, households)).round()),
        Kind.ORDINAL: ("heating", rng.integers(0, 3, households)),
        Kind.NOMINAL: ("region", rng.integers(0, 3, households)),
    }
    columns = [column for column in persons if column.name != "household"]
    for kind in kinds:
        name, values = shared[kind]
        categories = {Kind.ORDINAL: GRADES, Kind.NOMINAL: ["north", "south", "west"]}.get(kind, [])
        attribute = Attribute(name, Role.QUASI_IDENTIFIER, kind, tuple(categories))
        columns.append(Column(attribute, values[home]))
    number = Attribute("household", role, Kind.NOMINAL, tuple(range(households)))
    return with_levels(Microdata([*columns, Column(number, home)]))


def wide(kinds: Collection[Kind] = ALL_KINDS, rows: int = 60, numbers: int = 8) -> Microdata:
    """Return an ordinary table without households, with more correlated numbers where they may be.

    Libraries of linear algebra divide work among threads only if matrices are large in both
    directions.

    >>> len(wide([Kind.CONTINUOUS]).quasi_identifiers), len(wide([Kind.NOMINAL]).quasi_identifiers)
    (10, 1)
    """
    data = ordinary(kinds, rows).drop(["household"])
    if Kind.CONTINUOUS not in kinds:
        return data
    rng = np.random.Generator(np.random.PCG64(22))
    # Not a matrix product: the table itself must not depend on threads.
    shared = np.einsum("ij,jk->ik", rng.normal(size=(rows, 3)), rng.normal(size=(3, numbers)))
    drawn = shared + rng.normal(size=(rows, numbers))
    attributes = [
        Attribute(f"x{j}", Role.QUASI_IDENTIFIER, Kind.CONTINUOUS) for j in range(numbers)
    ]
    return Microdata([*data, *map(Column, attributes, drawn.T.copy())])


def edges(kinds: Collection[Kind] = ALL_KINDS) -> dict[str, Microdata]:
    """Return the edge-case tables, by what is special about them."""
    few = ordinary(kinds, rows=3, missing=False)
    single = few.take(np.array([0]))
    twenty = ordinary(kinds, rows=20, missing=False)
    same = twenty.take(np.zeros(20, dtype=np.int64))
    twice = twenty.take(np.arange(20).repeat(2))
    return {
        "empty": few.take(np.zeros(0, dtype=np.int64)),
        "one row": single,
        "fewer rows than k": few,
        "all rows equal": same,
        "every row twice": twice,
        "all missing": _all_missing(twenty),
        "huge values": _scaled(twenty, 1e130),
        "tiny values": _scaled(twenty, 1e-130),
        "one row far away": _one_far_away(twenty),
    }


def _read(columns: dict[str, list[Any]], kinds: Collection[Kind]) -> Microdata:
    treated = {name for kind in kinds for name in NAMES[kind]}
    roles = {
        "id": "identifier",
        **dict.fromkeys(treated, "quasi-identifier"),
        "diagnosis": "confidential",
        "remark": "other",
        "weight": "weight",
        "household": "household",
        "stratum": "stratum",
    }
    kept = {name: v for name, v in columns.items() if name in roles}
    return read(kept, roles, {"grade": GRADES} if "grade" in kept else {})


def _all_missing(data: Microdata) -> Microdata:
    columns = []
    for name in data.quasi_identifiers:
        column = data.column(name)
        nothing = np.nan if column.attribute.continuous else -1
        columns.append(column.with_values(np.full(len(data), nothing)))
    return data.replace(columns)


def _scaled(data: Microdata, factor: float) -> Microdata:
    numbers = [n for n in data.quasi_identifiers if data.schema[n].continuous]
    return data.replace([data.column(n).with_values(data[n] * factor) for n in numbers])


def _one_far_away(data: Microdata) -> Microdata:
    columns = []
    for name in data.quasi_identifiers:
        if data.schema[name].continuous:
            values = data[name].copy()
            values[4] = 1e9
            columns.append(data.column(name).with_values(values))
    return data.replace(columns)
