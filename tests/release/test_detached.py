"""What only a lost key would give is not released."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import discreet
from discreet.io.joining import Joined, Link
from discreet.microdata import Microdata
from discreet.release.detached import detached


def joined(key: list[str | None]) -> Microdata:
    columns = {"hid": key, "town": ["Ayle", "Bron", "Bron"], "age": [30, 40, 50]}
    data = discreet.read(columns)
    assert data.source is not None
    link = Joined("people", (Link("hid", "homes", ("town",)),))
    return Microdata(data, replace(data.source, joined=link))


def test_only_records_without_a_key_lose_what_the_household_has() -> None:
    data = joined(["a", None, "b"])
    table, notes = detached(data, data)
    assert table.column("town").missing.tolist() == [False, True, False]
    assert np.array_equal(table["age"], data["age"])
    assert "1 records of 'people' are released without 'hid'" in notes[0]


def test_one_file_and_whole_keys_are_left_alone() -> None:
    data = joined(["a", "b", "b"])
    assert detached(data, data) == (data, [])
    alone = discreet.read({"hid": ["a", None]})
    assert detached(alone, alone) == (alone, [])


def test_a_person_without_a_number_loses_the_household_too() -> None:
    columns = {"pid": ["p", None], "hid": ["a", "a"], "town": ["Ayle", "Ayle"], "ward": ["x", "y"]}
    data = discreet.read(columns)
    assert data.source is not None
    links = Link("pid", "people", ("hid",)), Link("hid", "homes", ("town",))
    data = Microdata(data, replace(data.source, joined=Joined("visits", links)))
    table, notes = detached(data, data)
    for name in ("hid", "town"):
        assert table.column(name).missing.tolist() == [False, True]
    assert not table.column("ward").missing.any()
    assert [note.partition("without ")[2][:5] for note in notes] == ["'pid'", "'hid'"]
