"""A register is part of what a component is, whether it is a file or a table in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet import UsageError

PEOPLE = {"age": [31, 47]}


def test_a_table_belongs_to_its_component_and_is_no_file() -> None:
    plain = discreet.FullySynthetic(records=9)
    with_people = plain.from_population(PEOPLE)
    assert with_people.people() is PEOPLE
    assert with_people.files() == []
    assert with_people.records == 9
    assert with_people == plain.from_population(PEOPLE)
    assert with_people != plain.from_population(dict(PEOPLE)), "another table, of equal values"
    assert with_people != plain


def test_a_file_is_read_when_it_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    named = discreet.FullySynthetic().from_population(file)
    assert named.files() == [str(file)]
    with pytest.raises(UsageError, match="there is no register"):
        named.people()
    file.write_text("age\n31\n47\n")
    assert named.people().to_pydict() == PEOPLE


def test_without_an_entry_it_says_what_is_needed() -> None:
    with pytest.raises(UsageError, match="one entry population=path"):
        discreet.FullySynthetic().people()
