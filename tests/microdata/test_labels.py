"""Labels read by their text: the forms that discreet writes, and what is of no known form."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.microaggregation.replacement.range import Range
from discreet.microdata import Attribute, Kind, Microdata
from discreet.microdata.concatenation import concatenated
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import Hierarchy
from discreet.microdata.labels import KnownLabels, read_hierarchy, read_labels

AGE = Attribute("age")
TOWN = Attribute("town", kind=Kind.NOMINAL, categories=("8166", "8167", "8033", "A+B"))
GRADE = Attribute("grade", kind=Kind.ORDINAL, categories=("low", "lower–middle", "middle", "high"))


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("20–39", 20, 39),
        ("20-39", 20, 39),
        ("-5–-1", -5, -1),
        ("[20–35]", 20, 35),
        ("[1e+20–2e+20]", 1e20, 2e20),
        ("[0.2, 0.3)", 0.2, np.nextafter(0.3, 0)),
        ("(0.2, 0.3]", np.nextafter(0.2, 1), 0.3),
        ("31", 31, 31),
        ("-3.5", -3.5, -3.5),
        ("below 20", -np.inf, np.nextafter(20, 0)),
        ("65 and above", 65, np.inf),
        ("60 and more", 60, np.inf),
        ("60+", 60, np.inf),
        ("≥60", 60, np.inf),
    ],
)
def test_numbers(label: str, low: float, high: float) -> None:
    decoding = read_labels([label], AGE)
    assert (decoding.low.tolist(), decoding.high.tolist()) == ([low], [high])


@pytest.mark.parametrize("label", ["*", "old", "39–20", "(other)", "", "20 to"])
def test_what_has_no_known_form_says_nothing(label: str) -> None:
    assert not read_labels([label], AGE).known.any()


def test_a_range_with_missing_values() -> None:
    decoding = read_labels(["{[20–35], missing}"], AGE)
    assert decoding.middles.tolist() == [27.5]
    assert decoding.missing_share.tolist() == [0.5]


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("1990-05", "1990-05-01", "1990-05-31"),
        ("1990", "1990-01-01", "1990-12-31"),
        ("1990–1994", "1990-01-01", "1994-12-31"),
        ("1990-05-17", "1990-05-17", "1990-05-17"),
        ("[1990-05-17–1991-01-02]", "1990-05-17", "1991-01-02"),
        ("from 1990-05-17 to before 1991-01-02", "1990-05-17", "1991-01-01"),
    ],
)
def test_dates(label: str, first: str, last: str) -> None:
    decoding = read_labels([label], AGE, "D")
    found = [np.datetime64(int(end[0]), "D") for end in (decoding.low, decoding.high)]
    assert [str(day) for day in found] == [first, last]


def test_open_dates_and_moments() -> None:
    decoding = read_labels(["before 1970-01-02", "1970-01-03 and after", "1970-13"], AGE, "D")
    assert decoding.high.tolist() == [0, np.inf]
    assert decoding.low.tolist() == [-np.inf, 2]
    assert decoding.known.tolist() == [True, True, False]
    [moment] = read_labels(["1970-01-01T00:00:01"], AGE, "us").low
    assert moment == 1e6


def test_categories() -> None:
    read = ["8166", "816*", "{8166, 8033}", "{8166, 8033, missing}", r"8166+A\+B", "*", "9***"]
    decoding = read_labels(read, TOWN)
    assert decoding.lengths.tolist() == [1, 2, 2, 3, 2, 0, 0]
    assert decoding.low[1:3].tolist() == [0, 1]


def test_ranges_of_ordered_categories() -> None:
    decoding = read_labels(["low–middle", "lower–middle–high", "high–low"], GRADE)
    assert decoding.lengths.tolist() == [3, 3, 0]
    assert decoding.low.tolist() == [0, 1, 2, 1, 2, 3]


def test_weights_of_a_concatenation() -> None:
    job = Attribute("job", kind=Kind.NOMINAL, categories=("unskilled", "technical"))
    decoding = read_labels(["unskilled4+technical1", "technical"], job)
    assert decoding.weight == pytest.approx([0.8, 0.2, 1])


def test_both_forms_of_a_concatenation_and_neither() -> None:
    job = Attribute("job", kind=Kind.NOMINAL, categories=("a", "b", "b1"))

    def shares(*labels: str) -> dict[float, float]:
        first = read_labels(labels, job).take(np.array([0]))
        return dict(zip(np.nan_to_num(first.low, nan=-1).tolist(), first.weight, strict=True))

    assert shares("a+b") == {0: 0.5, 1: 0.5}
    assert shares("a+missing") == {0: 0.5, -1: 0.5}
    assert shares("a3+b1", "b") == {0: 0.75, 1: 0.25}
    # It reads both ways, and the plain one is tried first.
    assert shares("a+b1") == {0: 0.5, 2: 0.5}
    for unread in ("a+c", "{a, c}", "a\\"):
        assert shares(unread) == {}


def as_read(column_data: Microdata, name: str, released: Attribute) -> None:
    """The text of the labels says the same as the method that wrote them."""
    unit = unit_of(column_data, name)
    read = read_labels(released.categories, column_data.schema[name], unit)
    told = released.decoding
    assert told is not None
    assert read.known.tolist() == told.known.tolist()
    for one, other in zip(read.hulls, told.hulls, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("name", ["age", "pay", "born", "town", "grade"])
def test_ranges_and_recodings_are_read_as_they_were_meant(name: str) -> None:
    rng = np.random.default_rng(3)
    data = discreet.read(
        {
            "age": rng.integers(0, 90, 60),
            "pay": rng.normal(0, 5, 60),
            "born": [date(1950 + int(i), 1 + int(i) % 12, 3) for i in rng.integers(0, 50, 60)],
            "town": [f"81{i:03d}" for i in rng.integers(0, 300, 60)],
            "grade": [("low", "mid", "high", "top", "best")[i] for i in rng.integers(0, 5, 60)],
        },
        roles={name: "quasi-identifier"},
        kinds={"grade": ["low", "mid", "high", "top", "best"]},
    )
    groups = Groups(np.arange(60) // 4)
    [ranged] = Range().replace(data, [name], groups, Context())
    as_read(data, name, ranged.attribute)
    method = discreet.GlobalRecoding(k=None, columns=[name], levels={name: 1})
    as_read(data, name, method.protect(data, Context()).data.schema[name])


def test_concatenations_are_read_as_they_were_meant() -> None:
    data = discreet.read({"town": ["A+B", "b2", None, "c", "c", "b2"]})
    for weighted in (False, True):
        column = concatenated(
            data.column("town"), np.array([0, 0, 1, 1, 1, 2]), 3, weighted=weighted
        )
        told, read = (
            column.attribute.decoding,
            read_labels(column.attribute.categories, data.schema["town"]),
        )
        assert told is not None
        for label in range(len(told)):
            parts = [
                dict(zip(np.nan_to_num(one.low, nan=-1), one.weight, strict=True))
                for one in (told.take(np.array([label])), read.take(np.array([label])))
            ]
            assert parts[0] == pytest.approx(parts[1])


def test_leaves_that_the_column_does_not_know_are_left_out() -> None:
    towns = Hierarchy([("8166", "south"), ("9999", "south"), ("8033", "north")])
    levels = read_hierarchy(towns, TOWN)
    assert levels[1].lengths.tolist() == [1, 1]
    assert not levels[2].known.any()


def test_labels_that_are_known_come_before_their_text() -> None:
    towns = Hierarchy([("8166", "A+B"), ("8167", "A+B"), ("8033", "north"), ("A+B", "north")])
    known = KnownLabels.of_levels(TOWN, towns.labels, read_hierarchy(towns, TOWN))
    decoding = known.read(["A+B", "{north, missing}", "8166", "{8166, 8033}", "sea"])
    # "A+B" is a town and the name of two: a reader cannot tell, and the higher level has both.
    assert decoding.lengths.tolist() == [2, 3, 1, 2, 0]
    assert decoding.low[:2].tolist() == [0, 1]


@pytest.mark.parametrize("by_text", [True, False])
def test_anything_or_missing_says_nothing(by_text: bool) -> None:
    scale = Attribute("age")
    ages = Hierarchy([("20", "young", "*"), ("60", "old", "*")])
    known = KnownLabels.of_levels(scale, ages.labels, read_hierarchy(ages, scale))
    labels = ["{*, missing}", "{20, missing}"]
    decoding = read_labels(labels, scale) if by_text else known.read(labels)
    assert decoding.lengths.tolist() == [0, 2]
    town = Attribute("town", kind=Kind.NOMINAL, categories=("Ayle", "Bron"))
    assert read_labels(["{*, missing}", "{Ayle, missing}"], town).lengths.tolist() == [0, 2]


def test_a_group_of_anything_or_missing_is_linked_by_chance_alone() -> None:
    data = discreet.read({"age": [20, 60, None, 20]}, roles={"age": "quasi-identifier"})
    starred = data.column("age").recoded(np.zeros(4), Kind.NOMINAL, ["{*, missing}"])
    release = data.replace([starred])
    pairing = Pairing.same_order(4)
    score = DistanceLinkage().score(data, release, Context(), pairing)
    assert score.value == pytest.approx(0.25)
