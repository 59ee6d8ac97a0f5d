"""The checker's own counts, on tables small enough to be counted by hand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pytest

from bench.campaign.counting import COUNTED, SeenColumn, same


def column(
    role: str, cells: Sequence[Hashable], kind: str = "nominal", values: Sequence[Hashable] = ()
) -> SeenColumn:
    return SeenColumn(role, kind, cells, values or cells)


def table(known: str, told: Sequence[Hashable], kind: str = "nominal") -> dict[str, SeenColumn]:
    return {
        "q": column("quasi-identifier", list(known)),
        "s": column("confidential", told, kind),
    }


@pytest.mark.parametrize(
    ("measure", "figure"),
    [
        ("k-anonymity", 1),
        ("sample-uniqueness", 0.2),
        ("average-group-size", 5 / 3),
        ("l-diversity", 1),
    ],
)
def test_classes(measure: str, figure: float) -> None:
    found = COUNTED[measure](table("aabbc", ["x", "y", "x", "x", "y"]))
    assert found is not None
    assert same(found, figure)


@pytest.mark.parametrize(
    ("measure", "figure"),
    [
        ("k-anonymity", 1),  # both records of a are of household 1
        ("sample-uniqueness", 0.4),
        ("average-group-size", 1.5),
        ("l-diversity", 1),
        ("t-closeness", 0.5),  # x of households 2 and 3, y of 1 once and of 2: half of all are x
    ],
)
def test_members_of_a_household_count_once(measure: str, figure: float) -> None:
    seen = table("aabbb", ["y", "y", "x", "x", "y"])
    seen["h"] = column("household", [1, 1, 2, 3, 2])
    found = COUNTED[measure](seen)
    assert found is not None
    assert same(found, figure)
    nameless = {**seen, "h": column("household", [None] * 5)}
    del seen["h"]
    assert COUNTED[measure](nameless) == COUNTED[measure](seen)


def test_words_that_read_the_same_are_one_value() -> None:
    assert COUNTED["l-diversity"](table("aa", ["flu", "Flu "])) == 1
    assert COUNTED["l-diversity"](table("aa", ["1.5", "1.50"])) == 1
    assert COUNTED["l-diversity"](table("aa", ["e\u200b\u0301 \u00a0b", "\u00c9 b"])) == 1
    assert COUNTED["l-diversity"](table("aa", [" ", None])) == 1
    assert COUNTED["l-diversity"](table("aa", ["flu", None])) == 2


def test_nominal_distance() -> None:
    # In class b half of the records have y, of all records a quarter.
    assert COUNTED["t-closeness"](table("aabb", ["x", "x", "x", "y"])) == 0.25


def test_ordered_distance() -> None:
    # Li, Li & Venkatasubramanian's example of salaries: 3, 4, 5 thousand against 3 to 11.
    pay = [3, 4, 5, 6, 7, 8, 9, 10, 11]
    found = COUNTED["t-closeness"](table("aaabbbbbb", pay, "continuous"))
    assert found is not None
    assert same(found, 0.375)


def test_a_missing_value_is_a_step_away() -> None:
    assert COUNTED["t-closeness"](table("ab", [1, None], "continuous")) == 0.5


def test_the_order_of_an_ordinal_column() -> None:
    order = ("low", "mid", "high")
    seen = table("ab", ["low", "high"], "ordinal")
    seen["s"] = SeenColumn("confidential", "ordinal", [], ["low", "high"], order)
    # Of the categories that occur, high is the whole way from low, and half of all are there.
    assert COUNTED["t-closeness"](seen) == 0.5


def test_without_an_order_there_is_no_figure() -> None:
    assert COUNTED["t-closeness"](table("ab", ["low", "high"], "ordinal")) is None
    assert COUNTED["k-anonymity"]({"s": column("confidential", ["x"])}) is None


def test_special_uniques_of_the_papers_example() -> None:
    # Two records are alone by one column (worth 2 each); the second by b and by c, and a pair.
    known = {"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]}
    seen = {name: column("quasi-identifier", cells) for name, cells in known.items()}
    assert COUNTED["special-uniques"](seen) == 1.0, "no record is in a pair: every match is right"
    twins = {"a": column("quasi-identifier", [1, 2, 2])}
    found = COUNTED["special-uniques"](twins)
    assert found is not None
    assert same(found, 1 / (1 + 2 * 0.99 / 0.01) / 3)
    many = {f"a{i}": column("quasi-identifier", [1, 2, 2]) for i in range(13)}
    assert COUNTED["special-uniques"](many) is None
