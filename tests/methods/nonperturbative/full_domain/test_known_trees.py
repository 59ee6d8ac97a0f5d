"""The trees that are shipped: complete, and used only where a name hints at them."""

from __future__ import annotations

import pytest

from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.known_trees import (
    FOLDER,
    HINTS,
    known_rows,
    known_tree_for,
)
from discreet.microdata.hierarchy import Hierarchy


def test_every_file_is_a_hierarchy_of_a_named_tree() -> None:
    for file in FOLDER.glob("*.csv"):
        Hierarchy.from_file(file)
        assert any(file.stem.startswith(name) for name in HINTS)


def test_they_are_complete() -> None:
    sizes = {f.stem: len(Hierarchy.from_file(f).categories) for f in FOLDER.glob("*.csv")}
    # ISO 3166-1 has 249 codes of either length, NACE Rev. 2 has 21 sections and 88 divisions.
    # ISCO-08 has 10 major and 43 sub-major groups; 37 countries have regions of NUTS.
    assert sizes == {
        "countries": 498,
        "isced": 9,
        "nace_sections": 21,
        "nace_divisions": 88,
        "isco": 53,
        "nuts": 37,
    }


@pytest.mark.parametrize(
    ("tree", "code", "labels"),
    [
        ("countries", "CHE", ("Western Europe", "Europe")),
        ("countries", "MX", ("Central America", "Americas")),
        ("isced", "3", ("upper secondary", "medium (ISCED 3–4)")),
        ("nace", "62", ("J", "information and communication")),
        ("nace", "Q", ("public services",)),
        ("nace", "01.11", ("011", "01", "A", "agriculture, forestry and fishing")),
        ("nace", "J62.01", ("620", "62", "J", "information and communication")),
        ("isic", "6201", ("620", "62", "J", "information and communication")),
        ("isco", "0110", ("011", "01", "armed forces")),
        ("isco", "2", ("professionals",)),
        ("nuts", "EL30", ("EL3", "EL", "Southern Europe")),
        ("nuts", "DEG0N", ("DEG0", "DEG", "DE", "Western Europe")),
    ],
)
def test_labels(tree: str, code: str, labels: tuple[str, ...]) -> None:
    assert known_rows(tree, "x", [code]) == [(code, *labels)]


def test_sections_beside_divisions() -> None:
    assert known_rows("nace", "x", ["01", "A"]) == [
        ("01", "A", "agriculture, forestry and fishing"),
        ("A", "A", "agriculture, forestry and fishing"),
    ]


def test_codes_of_several_lengths_are_one_tree() -> None:
    codes = ["2310", "231", "23", "2", "9"]
    hierarchy = Hierarchy(known_rows("isco", "x", codes))
    assert hierarchy.level(codes, 3) == ["professionals"] * 4 + ["elementary occupations"]


@pytest.mark.parametrize("code", ["2810", "23101", "10", "x", "231x"])
def test_codes_that_no_occupation_has(code: str) -> None:
    with pytest.raises(UsageError, match="1 of 1 are not in it"):
        known_rows("isco", "x", [code])


def test_a_name_must_hint_at_the_tree() -> None:
    assert known_tree_for("ISCED_level", ["1", "2"]) == "isced"
    assert known_tree_for("isco08", ["2310", "5223"]) == "isco"
    # The British list of occupations has codes that look the same.
    assert known_tree_for("soc2020", ["2310", "5223"]) is None
    assert known_tree_for("region", ["IE041", "FRK26"]) == "nuts"
    assert known_tree_for("region", ["XX1", "FRK26"]) is None
    assert known_tree_for("children", ["1", "2"]) is None
    assert known_tree_for("country", ["DE", "Ayle"]) is None


def test_what_a_tree_does_not_list() -> None:
    with pytest.raises(UsageError, match="1 of 2 are not in it") as caught:
        known_rows("countries", "country", ["DE", "secret"])
    assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match="did you mean 'countries'"):
        known_rows("contries", "country", ["DE"])
