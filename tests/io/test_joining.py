"""Several files become one table, and one table several files."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.formats import FileFormat, FileTable
from discreet.io.joining import Joined, Link, joined_files


def file(columns: dict[str, Any]) -> FileTable:
    return FileTable(pa.table(columns), FileFormat.default())


HOMES: dict[str, Any] = {"hid": [3, 1, 2], "town": ["C", "A", "B"]}
PEOPLE: dict[str, Any] = {"hid": [1, 2, 1, 3], "age": [30, 40, 2, 50]}


@pytest.mark.parametrize("order", [("homes", "people"), ("people", "homes")])
def test_each_person_gets_what_its_household_has(order: tuple[str, str]) -> None:
    both = {"homes": file(HOMES), "people": file(PEOPLE)}
    table, joined = joined_files({name: both[name] for name in order}, ["hid"])
    assert (joined.many, joined.links) == ("people", (Link("hid", "homes", ("town",)),))
    assert table.table.to_pydict() == {**PEOPLE, "town": ["A", "B", "A", "C"]}
    parts = joined.apart(table.table)
    assert parts["people"].to_pydict() == PEOPLE
    assert parts["homes"].to_pydict() == {"hid": [1, 2, 3], "town": ["A", "B", "C"]}


def test_keys_of_other_types_meet() -> None:
    people = {**PEOPLE, "hid": [str(key) for key in PEOPLE["hid"]]}
    table, _ = joined_files({"homes": file(HOMES), "people": file(people)}, ["hid"])
    assert table.table.column("town").to_pylist() == ["A", "B", "A", "C"]
    with pytest.raises(DataError, match="written differently in 'people'"):
        joined_files(
            {"homes": file(HOMES), "people": file({**PEOPLE, "hid": list("abcd")})}, ["hid"]
        )


def test_keys_may_be_places_in_a_list_of_texts() -> None:
    joined = Joined("people", (Link("hid", "homes", ("town",)),))
    table = pa.table({"hid": pa.array(["b", "a", "b"]).dictionary_encode(), "town": list("BAB")})
    parts = joined.apart(table)
    assert parts["homes"].to_pydict() == {"hid": ["b", "a"], "town": ["B", "A"]}
    texts = parts["homes"].set_column(0, "hid", pa.array(["b", "a"]))
    for homes in (parts["homes"], texts):
        assert joined.together(parts["people"], [homes]).to_pydict() == table.to_pydict()
    both = {
        "homes": FileTable(parts["homes"], FileFormat.default()),
        "people": file({"hid": ["a"]}),
    }
    assert joined_files(both, ["hid"])[0].table.to_pydict() == {"hid": ["a"], "town": ["A"]}


def test_a_lost_key_joins_nothing() -> None:
    joined = Joined("people", (Link("hid", "homes", ("town",)),))
    table = pa.table(
        {"hid": [1, None, 1, None], "age": [1, 2, 3, 4], "town": ["A", None, "A", None]}
    )
    parts = joined.apart(table)
    assert parts["homes"].to_pydict() == {"hid": [1], "town": ["A"]}
    assert joined.together(parts["people"], [parts["homes"]]).to_pydict() == table.to_pydict()


CHAIN: dict[str, dict[str, Any]] = {
    "homes": {"hid": ["b", "a", "z"], "town": ["B", "A", "Z"]},
    "people": {"pid": [4, 3, 2, 1], "hid": ["a", "b", "a", "b"], "age": [40, 30, 20, 10]},
    "visits": {"pid": [1, 2, 2, 3], "ward": ["x", "y", "x", "y"]},
}


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
def test_visits_name_persons_who_name_households(order: list[int]) -> None:
    names = [list(CHAIN)[place] for place in order]
    whole, joined = joined_files({name: file(CHAIN[name]) for name in names}, ["hid", "pid"])
    assert whole.table.to_pydict() == {
        **CHAIN["visits"],
        "hid": ["b", "a", "a", "b"],
        "age": [10, 20, 20, 30],
        "town": ["B", "A", "A", "B"],
    }
    assert joined.many == "visits"
    assert joined.keys == ("pid", "hid")
    assert joined.files == tuple(names)
    parts = joined.apart(whole.table)
    assert parts["visits"].to_pydict() == CHAIN["visits"]
    people = {"pid": [1, 2, 3], "hid": ["b", "a", "b"], "age": [10, 20, 30]}
    assert parts["people"].to_pydict() == people
    assert parts["homes"].to_pydict() == {"hid": ["b", "a"], "town": ["B", "A"]}
    again = joined.together(parts["visits"], [parts["people"], parts["homes"]])
    assert again.to_pydict() == whole.table.to_pydict()
    assert (
        "1 of 4 records of 'people' have no match in 'visits', and are not released" in whole.notes
    )
    assert (
        "1 of 3 records of 'homes' have no match in 'visits', and are not released" in whole.notes
    )
    assert "'homes' and 'people' are joined by 'hid'" in whole.notes


def test_chains_that_do_not_hold_are_refused() -> None:
    def join(**changed: dict[str, Any]) -> None:
        chain = {**CHAIN, **changed}
        joined_files({name: file(columns) for name, columns in chain.items()}, ["hid", "pid"])

    with pytest.raises(DataError, match="1 records of 'people' have a 'hid' that 'homes' does not"):
        join(people={**CHAIN["people"], "hid": ["a", "b", "c", "b"]})
    with pytest.raises(DataError, match="nothing joins 'homes' to 'visits'"):
        join(people={"pid": [4, 3, 2, 1], "age": [40, 30, 20, 10]})
    with pytest.raises(DataError, match="'pid' is repeated or missing both in 'people' and in"):
        join(people={**CHAIN["people"], "pid": [1, 1, 2, 3]})
    with pytest.raises(UsageError, match="have a column 'hid'"):
        join(visits={**CHAIN["visits"], "hid": ["b", "a", "a", "b"]})


def test_files_that_do_not_fit_are_refused() -> None:
    def join(homes: dict[str, Any], people: dict[str, Any]) -> FileTable:
        return joined_files({"homes": file(homes), "people": file(people)}, ["hid"])[0]

    with pytest.raises(DataError, match="repeated or missing both"):
        join({"hid": [1, 1], "town": ["A", "B"]}, PEOPLE)
    with pytest.raises(UsageError, match="both 'homes' and 'people' have a column 'age'"):
        join({**HOMES, "age": [1, 2, 3]}, PEOPLE)
    with pytest.raises(DataError, match="2 records of 'people' have a 'hid'"):
        join(HOMES, {"hid": [1, 9, None, 1], "age": [1, 2, 3, 4]})
    empty = join({"hid": [1, 2, 3, 4], "town": ["A", "B", "C", "D"]}, PEOPLE)
    assert any(
        "1 of 4 records of 'homes' have no match in 'people'" in note for note in empty.notes
    )
