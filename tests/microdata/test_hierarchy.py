"""Hierarchies: reading, building, walking, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import DataError, Schema, UsageError
from discreet.microdata import Attribute
from discreet.microdata.hierarchy import Hierarchy, Node, hierarchies_of, text_of

LAW = settings(max_examples=100, deadline=None, derandomize=True, database=None)

TOWNS = [("Ayle", "coast", "north"), ("Bron", "coast", "north"), ("Cull", "hills", "north"),
         ("Dorn", "plain", "south")]  # fmt: skip


def columns_of(hierarchy: Hierarchy, value: Any) -> list[str | None]:
    return [hierarchy.level([value], n)[0] for n in range(hierarchy.height + 1)]


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "towns.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_levels_and_top() -> None:
    towns = Hierarchy(TOWNS)
    assert towns.height == 3
    assert towns.categories == ("Ayle", "Bron", "Cull", "Dorn")
    assert columns_of(towns, "Cull") == ["Cull", "hills", "north", "*"]
    assert towns.level(["Dorn", None, math.nan], 2) == ["south", None, None]
    assert towns.root == Node(3, "*")


def test_a_top_of_another_name_is_kept_and_one_category_has_one_too() -> None:
    assert Hierarchy([("a", "any"), ("b", "any")]).root == Node(1, "any")
    assert Hierarchy([("a",)]).root == Node(1, "*")


def test_walking() -> None:
    towns = Hierarchy(TOWNS)
    assert towns.children(towns.root) == (Node(2, "north"), Node(2, "south"))
    assert towns.children(Node(2, "north")) == (Node(1, "coast"), Node(1, "hills"))
    assert towns.children(Node(0, "Ayle")) == ()
    with pytest.raises(UsageError, match="no label 'coast' at level 2"):
        towns.children(Node(2, "coast"))


def test_a_hierarchy_cannot_be_written_to() -> None:
    towns = Hierarchy(TOWNS)
    with pytest.raises(ValueError, match="read-only"):
        towns.codes[0, 0] = 1
    assert towns == Hierarchy(TOWNS)
    assert hash(towns) == hash(Hierarchy(TOWNS))
    assert towns != Hierarchy(TOWNS[:3])


def test_the_error_for_an_unknown_value_does_not_quote_it() -> None:
    with pytest.raises(DataError, match="1 is not among its 4 categories") as found:
        Hierarchy(TOWNS).level(["Ayle", "Secret", "Secret"], 1)
    assert "Secret" not in str(found.value)
    with pytest.raises(UsageError, match="from 0 to 3"):
        Hierarchy(TOWNS).level(["Ayle"], 4)


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([("a", "x"), ("b", "y"), ("a", "x")], "'a' is in rows 1 and 3"),
        ([("a", "x"), ("b",)], "2 levels like row 1, but row 2 has 1"),
        ([("a", "x"), ("b", " ")], "row 2 .* no label at level 1"),
        ([("a", "x", "p"), ("b", "y", "q"), ("c", "x", "q")],
         "'x' of level 1 lies under 'p' in row 1 and under 'q' in row 3"),
        ([], "at least one category"),
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused(rows: list[tuple[str, ...]], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Hierarchy(rows)


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files(tmp_path: Path, delimiter: str, header: bool, end: str) -> None:
    rows = [["level_0", "level_1", "level_2"]] * header + [list(row) for row in TOWNS]
    text = end.join(delimiter.join(row) for row in rows) + end + end
    assert Hierarchy.from_file(written(tmp_path, text, "utf-8-sig")) == Hierarchy(TOWNS)


def test_a_semicolon_file_may_have_commas_in_its_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "a, b;x, y;*\nc;z;*\n")
    assert Hierarchy.from_file(path).level(["a, b"], 1) == ["x, y"]


def test_files_that_are_refused_with_the_row_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="row 4 has 3"):
        Hierarchy.from_file(written(tmp_path, "level_0;level_1\na;x\nb;x\nc;x;y\n"))
    with pytest.raises(DataError, match="in row 1 and under 'q' in row 4"):
        Hierarchy.from_file(written(tmp_path, "a;x;p\n\nb;y;q\nc;x;q\n"))
    with pytest.raises(DataError, match="it has none"):
        Hierarchy.from_file(written(tmp_path, "level_0;level_1\n"))
    with pytest.raises(DataError, match="one entry only"):
        Hierarchy.from_file(written(tmp_path, "a\nb\n"))
    with pytest.raises(DataError, match="UTF-8"):
        Hierarchy.from_file(written(tmp_path, "Äyle;Köst\n", "latin-1"))
    with pytest.raises(UsageError, match=r"no hierarchy file .*nowhere.csv"):
        Hierarchy.from_file(tmp_path / "nowhere.csv")


def test_entries_of_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "Ayle;coast\nCull;hills\n")
    schema = Schema([Attribute("town"), Attribute("age")])
    monkeypatch.chdir(tmp_path)
    found = hierarchies_of(["town = towns.csv"], schema, "Mondrian")
    assert found["town"].level(["Cull"], 1) == ["hills"]
    assert hierarchies_of(None, schema, "Mondrian") == {}
    for entry, complaint in {
        "towns.csv": "column=path",
        "=towns.csv": "column=path",
        "twon=towns.csv": "did you mean 'town'",
    }.items():
        with pytest.raises(UsageError, match=complaint):
            hierarchies_of([entry], schema, "Mondrian")
    with pytest.raises(UsageError, match="two hierarchies for column 'town'"):
        hierarchies_of(["town=towns.csv"] * 2, schema, "Mondrian")


def test_adult_hierarchies_are_read_as_they_are(data_files: Path) -> None:
    heights = {
        path.stem.removeprefix("adult_hierarchy_"): Hierarchy.from_file(path).height
        for path in (data_files / "adult_hierarchies").glob("*.csv")
    }
    assert heights == {
        "age": 4, "education": 3, "marital-status": 2, "native-country": 2, "occupation": 2,
        "race": 1, "salary-class": 1, "sex": 1, "workclass": 2,
    }  # fmt: skip
    age = Hierarchy.from_file(data_files / "adult_hierarchies" / "adult_hierarchy_age.csv")
    assert columns_of(age, 39.0) == ["39", "35-39", "30-39", "20-39", "*"]


def test_from_mappings() -> None:
    one = Hierarchy.from_mapping({1: "odd", 2: "even", 3: "odd"})
    assert one.level([3, 2.0], 1) == ["odd", "even"]
    tree = Hierarchy.from_tree({"north": {"coast": ["Ayle"], "hills": ["Cull"]}, "south": ["Dorn"]})
    assert columns_of(tree, "Dorn") == ["Dorn", "south", "south", "*"]
    assert columns_of(tree, "Ayle") == ["Ayle", "coast", "north", "*"]


@LAW
@given(st.lists(st.text(st.sampled_from("ab1*"), min_size=1, max_size=5), min_size=1, max_size=20))
def test_hidden_text_always_nests(values: list[str]) -> None:
    hierarchy = Hierarchy.of_text(values)
    assert hierarchy.height == max(map(len, values))
    for value in values:
        for n, label in enumerate(columns_of(hierarchy, value)[:-1]):
            keep = hierarchy.height - n
            assert label == value[:keep] + "*" * max(0, len(value) - keep)


def test_text_of_numbers() -> None:
    assert [text_of(v) for v in (1, 1.0, np.float64(2.5), 1e22, -3.0, True, "x")] == [
        "1", "1", "2.5", "1e+22", "-3", "True", "x",
    ]  # fmt: skip
