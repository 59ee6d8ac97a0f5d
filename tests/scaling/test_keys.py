"""Numbers of households on the disk are those in memory, before and after they are drawn anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.io.reading import read
from discreet.microdata.clusters import clusters_of, renumbered
from discreet.scaling import keys
from discreet.scaling.keys import Key, households, renumbered_store
from tests.scaling.homes import ROLES, store_of_homes


@pytest.mark.parametrize("texts", [False, True])
def test_numbers_are_ranks_and_new_ones_are_drawn_alike(tmp_path: Path, texts: bool) -> None:
    store = store_of_homes(tmp_path, texts=texts)
    data = read(tmp_path / "homes.parquet", ROLES)
    ranks = store.values("home", 0, len(store))
    assert np.array_equal(ranks, data["home"])
    assert store.keys["home"] == Key(len(data.schema["home"].categories), texts)
    new = renumbered(data, np.random.default_rng(5)).column("home")
    ours = renumbered_store(store, np.random.default_rng(5))
    column = ours.named(ours.table(["home"], 0, len(ours))).column("home")
    there = ~column.missing
    assert np.array_equal(there, ~new.missing)
    theirs = [new.attribute.categories[code] for code in new.values[there].tolist()]
    assert [column.attribute.categories[c] for c in column.values[there].tolist()] == theirs


@pytest.mark.parametrize("lot", [2048, 1_000_000])
def test_households_come_whole(tmp_path: Path, lot: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "LOT", lot)
    store = store_of_homes(tmp_path)
    data = store.named(store.table(store.files, 0, len(store)))
    homes = clusters_of(data)
    assert homes is not None
    seen: list[int] = []
    for rows, table, members in households(store, "home", ["age"]):
        assert np.array_equal(table["age"], data["age"][rows])
        theirs = homes.labels[rows]
        # Each household here is one of the file, and no other lot has a member of it.
        assert len(set(theirs)) == len(members.sizes)
        assert not set(theirs) & set(homes.labels[seen])
        assert np.array_equal(theirs[1:] == theirs[:-1], members.labels[1:] == members.labels[:-1])
        seen += rows.tolist()
    assert sorted(seen) == list(range(len(data)))
