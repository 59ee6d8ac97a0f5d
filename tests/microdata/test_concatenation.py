"""Categories joined to labels, and the way back."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, UsageError
from discreet.microdata import Attribute, Kind
from discreet.microdata.concatenation import (
    concatenated,
    expand,
    join,
    parts_of,
    take_apart,
)

LAW = settings(max_examples=150, deadline=None, derandomize=True, database=None)
# Every character that means something, and words that could be taken for something else.
TRICKY = st.one_of(
    st.text(max_size=6),
    st.text(alphabet="+\\01234a", max_size=6),
    st.sampled_from(["", "missing", "\\missing", "missing1", "+", "\\", "4", "a4", "٣", "²"]),
)
PARTS = st.dictionaries(st.none() | TRICKY, st.integers(1, 10**6), min_size=1, max_size=5)


@LAW
@given(PARTS)
def test_a_label_comes_apart_into_what_it_was_made_of(parts: dict[str | None, int]) -> None:
    assert list(take_apart(join(parts))) == list(parts)
    counted = take_apart(join(parts, weighted=True), weighted=True)
    assert counted == (parts if len(parts) > 1 else dict.fromkeys(parts, 1))
    assert list(counted) == list(parts)


@LAW
@given(PARTS, PARTS, st.booleans())
def test_different_sets_have_different_labels(
    one: dict[str | None, int], other: dict[str | None, int], weighted: bool
) -> None:
    if list(one) != list(other):
        assert join(one, weighted=weighted) != join(other, weighted=weighted)


def test_how_labels_are_written() -> None:
    assert join({"unskilled": 4, "technical": 1}) == "unskilled+technical"
    assert join({"unskilled": 4, "technical": 1}, weighted=True) == "unskilled4+technical1"
    assert join({"unskilled": 4}, weighted=True) == "unskilled"
    assert join({"a+b": 1, "c\\d": 1}) == r"a\+b+c\\d"
    assert join({"a1b2": 3, "c": 1}, weighted=True) == r"a\1b\23+c1"
    assert join({"1": 2, "2": 5}) == "1+2"
    assert join({"": 2, "x": 1}, weighted=True) == "2+x1"
    assert join({"missing": 1, None: 2}, weighted=True) == r"\missing1+missing2"
    with pytest.raises(ValueError, match="at least one part"):
        join({})


@pytest.mark.parametrize(
    ("label", "weighted", "words"),
    [
        ("a\\", False, "ends with a single backslash"),
        ("a+b+a", False, "twice"),
        ("a1+a2", True, "twice"),
        ("a0+b1", True, "positive whole number"),
        ("a1b+c2", True, "positive whole number"),
        ("a" + "9" * 5000, True, "positive whole number"),
    ],
)
def test_what_is_no_label_is_refused_without_quoting_it(
    label: str, weighted: bool, words: str
) -> None:
    with pytest.raises(DataError, match=words) as refused:
        take_apart(label, weighted=weighted)
    assert label not in str(refused.value)


def slow(values: list[str | None], groups: list[int], weighted: bool) -> list[str | None]:
    order = [*dict.fromkeys(v for v in values if v is not None), None]
    found = []
    for group in groups:
        mine = [v for v, g in zip(values, groups, strict=True) if g == group]
        parts = {v: mine.count(v) for v in order if v in mine}
        found.append(None if list(parts) == [None] else join(parts, weighted=weighted))
    return found


ROWS = st.lists(st.tuples(st.none() | TRICKY, st.integers(0, 3)), min_size=1, max_size=25)


def read(values: list[Any], **others: list[Any]) -> discreet.Microdata:
    known = list(dict.fromkeys(sorted(v for v in values if v is not None)))
    codes = [-1 if v is None else known.index(v) for v in values]
    attribute = Attribute("job", kind=Kind.NOMINAL, categories=tuple(known))
    job = discreet.microdata.Column(attribute, np.array(codes))
    return discreet.Microdata([job, *(discreet.read({n: v}).column(n) for n, v in others.items())])


def texts(column: discreet.microdata.Column) -> list[str | None]:
    return [None if c < 0 else column.attribute.categories[c] for c in column.values]


@LAW
@given(ROWS, st.booleans())
def test_a_column_is_joined_group_by_group(
    rows: list[tuple[str | None, int]], weighted: bool
) -> None:
    values, groups = [v for v, _ in rows], [g for _, g in rows]
    column = read(values).column("job")
    found = concatenated(column, np.array(groups), 4, weighted=weighted)
    assert texts(found) == slow(values, groups, weighted)
    assert len(set(found.attribute.categories)) == len(found.attribute.categories)
    for label, parts in zip(
        found.attribute.categories, parts_of(found, weighted=weighted), strict=True
    ):
        members = {
            v
            for v, g in rows
            if texts(found)[groups.index(g)] == label
        }  # fmt: skip
        assert set(parts) == members


@LAW
@given(ROWS)
def test_the_weighted_form_keeps_every_frequency(rows: list[tuple[str | None, int]]) -> None:
    values = [v for v, _ in rows]
    data = read(values, pay=list(range(len(rows))))
    column = concatenated(data.column("job"), np.array([g for _, g in rows]), 4, weighted=True)
    whole = expand(data.replace([column]), ["job"], weighted=True)
    found: dict[str | None, float] = {}
    for value, weight in zip(texts(whole.column("job")), whole["weight"], strict=True):
        found[value] = found.get(value, 0.0) + weight
    assert found == pytest.approx({v: values.count(v) for v in values})
    assert np.bincount(whole["pay"].astype(int), whole["weight"]) == pytest.approx(1.0)


def test_the_order_is_that_of_the_file_in_every_group() -> None:
    # Records 6 and 7 of Table 3: technical comes before unskilled there, not in the file.
    column = read(["unskilled", "technical", "technical", "unskilled"]).column("job")
    found = concatenated(column, np.array([0, 0, 1, 1]), 2)
    assert found.attribute.categories == ("unskilled+technical",)


def test_a_column_that_needs_no_label_stays_itself() -> None:
    column = discreet.read({"code": [1, 1, 2]}, kinds={"code": "nominal"}).column("code")
    assert concatenated(column, np.array([0, 0, 1]), 2) is column
    plus = read(["a+b", "c"]).column("job")
    assert texts(concatenated(plus, np.array([0, 1]), 2)) == [r"a\+b", "c"]


def test_numbers_as_categories_are_joined_as_text() -> None:
    column = discreet.read({"code": [1, 2, 2]}, kinds={"code": "nominal"}).column("code")
    assert texts(concatenated(column, np.array([0, 0, 1]), 2)) == ["1+2", "1+2", "2"]


def test_expanding_several_columns_and_existing_weights() -> None:
    data = discreet.read(
        {"a": ["x+y", "x"], "b": ["u", "u+v+missing"], "n": [1, 2], "w": [2.0, 6.0]},
        roles={"w": "weight"},
    )
    whole = expand(data, ["a", "b"])
    assert whole.frame().to_pydict() == {
        "a": ["x", "y", "x", "x", "x"],
        "b": ["u", "u", "u", "v", None],
        "n": [1, 1, 2, 2, 2],
        "w": [1.0, 1.0, 2.0, 2.0, 2.0],
    }
    both = expand(data.take(np.array([0])).replace([]), ["a", "b", "a"])
    assert len(both) == 2


def test_dates_and_missing_labels_survive_an_expansion() -> None:
    day = datetime.date(2020, 5, 1)
    data = discreet.read({"a": ["x+y", None], "day": [day, day]})
    whole = expand(data, ["a"], weight="part")
    assert whole.frame().to_pydict() == {
        "a": ["x", "y", None],
        "day": [day] * 3,
        "part": [0.5, 0.5, 1.0],
    }
    assert whole.schema["part"].role == "weight"


def test_bad_expansions_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    data = discreet.read({"a": ["x+y", "x"], "n": [1.5, 2.5], "weight": [1, 2]})
    with pytest.raises(UsageError, match="'n' is continuous"):
        expand(data, ["n"])
    with pytest.raises(UsageError, match="another name with weight="):
        expand(data, ["a"])
    with pytest.raises(DataError, match="column 'a' cannot be taken apart: a backslash"):
        expand(discreet.read({"a": ["x\\", "x"]}), ["a"])
    monkeypatch.setattr("discreet.microdata.concatenation.MOST_RECORDS", 2)
    with pytest.raises(DataError, match="take fewer columns apart"):
        expand(data.drop(["weight"]), ["a"])


def test_an_empty_table_stays_empty() -> None:
    data = discreet.read({"a": ["x+y"], "n": [1]}).take(np.zeros(0, dtype=np.int64))
    assert len(expand(data, ["a"])) == 0
    found = concatenated(data.column("a"), np.zeros(0, dtype=np.int64), 0)
    assert len(found.values) == 0
