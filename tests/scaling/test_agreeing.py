"""Counts of households by DuckDB are those of the plain way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.release.notes import classes_of_one_household, unique_as_a_whole
from discreet.scaling.agreeing import agreement, chance_alike, like_households
from discreet.scaling.store import Store
from tests.scaling.homes import store_of_homes

KNOWN = ["region", "age", "sex"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Persons in households on the disk."""
    return store_of_homes(tmp_path_factory.mktemp("homes"))


def _members(data: Microdata) -> list[list[int]]:
    homes = clusters_of(data)
    assert homes is not None
    found: dict[int, list[int]] = {}
    for row, home in enumerate(homes.labels.tolist()):
        found.setdefault(home, []).append(row)
    return list(found.values())


def test_what_members_agree_on(store: Store) -> None:
    data = store.named(store.table(store.files, 0, len(store)))
    several = [rows for rows in _members(data) if len(rows) > 1]
    found = agreement(store, "home")
    assert found.several == len(several)
    for name in found.apart:
        apart = [rows for rows in several if len({str(data[name][row]) for row in rows}) > 1]
        assert found.apart[name] == len(apart), name
        mates = sum(len(rows) - 1 for rows in several) - sum(len(rows) - 1 for rows in apart)
        assert found.mates[name] == mates
    times = Counter(data["region"].tolist()).values()
    assert chance_alike(store, "region") == pytest.approx(sum((n / len(data)) ** 2 for n in times))


@pytest.mark.parametrize("memory", [1_000_000, 10**9])
def test_households_that_look_alike(store: Store, memory: int) -> None:
    data = store.named(store.table(store.files, 0, len(store)))
    # In little memory, one share of the households is compared after the other.
    found = like_households(replace(store, memory=memory), "home", KNOWN)
    shown = Counter(
        tuple(sorted(tuple(str(data[n][row]) for n in KNOWN) for row in rows))
        for rows in _members(data)
    )
    assert found.least == min(shown.values())
    assert found.alone == pytest.approx(unique_as_a_whole(data, clusters_of(data)))
    assert (found.one_household_classes, found.one_household_records) == classes_of_one_household(
        data
    )
    assert found.identified <= found.beside
    in_class: dict[tuple[str, ...], set[int]] = {}
    for number, rows in enumerate(_members(data)):
        for row in rows:
            in_class.setdefault(tuple(str(data[n][row]) for n in KNOWN), set()).add(number)
    assert found.fewest == min(map(len, in_class.values()))


def test_the_store_has_what_the_file_has(store: Store, tmp_path: Path) -> None:
    assert store.keys["home"].count > 1000
    assert (store.values("home", 0, len(store)) == -1).any()
