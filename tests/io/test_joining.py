"""Two files become one table, and one table two files."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.formats import FileFormat, FileTable
from discreet.io.joining import Joined, joined_files


def file(columns: dict[str, Any]) -> FileTable:
    return FileTable(pa.table(columns), FileFormat.default())


HOMES: dict[str, Any] = {"hid": [3, 1, 2], "town": ["C", "A", "B"]}
PEOPLE: dict[str, Any] = {"hid": [1, 2, 1, 3], "age": [30, 40, 2, 50]}


@pytest.mark.parametrize("order", [("homes", "people"), ("people", "homes")])
def test_each_person_gets_what_its_household_has(order: tuple[str, str]) -> None:
    both = {"homes": file(HOMES), "people": file(PEOPLE)}
    table, joined = joined_files({name: both[name] for name in order}, "hid")
    assert (joined.one, joined.many, joined.shared) == ("homes", "people", ("town",))
    assert table.table.to_pydict() == {**PEOPLE, "town": ["A", "B", "A", "C"]}
    parts = joined.apart(table.table)
    assert parts["people"].to_pydict() == PEOPLE
    assert parts["homes"].to_pydict() == {"hid": [1, 2, 3], "town": ["A", "B", "C"]}


def test_keys_of_other_types_meet() -> None:
    people = {**PEOPLE, "hid": [str(key) for key in PEOPLE["hid"]]}
    table, _ = joined_files({"homes": file(HOMES), "people": file(people)}, "hid")
    assert table.table.column("town").to_pylist() == ["A", "B", "A", "C"]
    with pytest.raises(DataError, match="written in 'people' otherwise"):
        joined_files({"homes": file(HOMES), "people": file({**PEOPLE, "hid": list("abcd")})}, "hid")


def test_keys_may_be_places_in_a_list_of_texts() -> None:
    joined = Joined("hid", "homes", "people", ("town",))
    table = pa.table({"hid": pa.array(["b", "a", "b"]).dictionary_encode(), "town": list("BAB")})
    parts = joined.apart(table)
    assert parts["homes"].to_pydict() == {"hid": ["b", "a"], "town": ["B", "A"]}
    texts = parts["homes"].set_column(0, "hid", pa.array(["b", "a"]))
    for homes in (parts["homes"], texts):
        assert joined.together(parts["people"], homes).to_pydict() == table.to_pydict()
    both = {
        "homes": FileTable(parts["homes"], FileFormat.default()),
        "people": file({"hid": ["a"]}),
    }
    assert joined_files(both, "hid")[0].table.to_pydict() == {"hid": ["a"], "town": ["A"]}


def test_a_lost_key_joins_nothing() -> None:
    joined = Joined("hid", "homes", "people", ("town",))
    table = pa.table(
        {"hid": [1, None, 1, None], "age": [1, 2, 3, 4], "town": ["A", None, "A", None]}
    )
    parts = joined.apart(table)
    assert parts["homes"].to_pydict() == {"hid": [1], "town": ["A"]}
    assert joined.together(parts["people"], parts["homes"]).to_pydict() == table.to_pydict()


def test_files_that_do_not_fit_are_refused() -> None:
    def join(homes: dict[str, Any], people: dict[str, Any]) -> FileTable:
        return joined_files({"homes": file(homes), "people": file(people)}, "hid")[0]

    with pytest.raises(DataError, match="repeated or missing both"):
        join({"hid": [1, 1], "town": ["A", "B"]}, PEOPLE)
    with pytest.raises(UsageError, match="both 'homes' and 'people' have a column 'age'"):
        join({**HOMES, "age": [1, 2, 3]}, PEOPLE)
    with pytest.raises(DataError, match="2 records of 'people' have a 'hid'"):
        join(HOMES, {"hid": [1, 9, None, 1], "age": [1, 2, 3, 4]})
    empty = join({"hid": [1, 2, 3, 4], "town": ["A", "B", "C", "D"]}, PEOPLE)
    assert any("1 of 4 records of 'homes' have none in 'people'" in note for note in empty.notes)
