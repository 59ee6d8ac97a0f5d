"""Proposed hierarchies: by values, by the calendar, by equal counts, by known trees."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.methods.nonperturbative.full_domain.proposed import (
    MOST_CHILDREN,
    as_csv,
    checked,
    proposed,
    tree_lines,
)
from discreet.microdata.hierarchy import Hierarchy


def test_dates() -> None:
    data = discreet.read({"born": [datetime.date(1987, 11, 30), datetime.date(1990, 1, 1), None]})
    tree = proposed(data, "born").hierarchy
    labels = [tree.level(["1987-11-30"], n)[0] for n in range(tree.height + 1)]
    assert labels == ["1987-11-30", "1987-11", "1987-Q4", "1987", "1980–1989", "*"]


def test_moments() -> None:
    data = discreet.read({"seen": [datetime.datetime(2020, 2, 3, 14, 5)]})
    tree = proposed(data, "seen").hierarchy
    assert tree.level(tree.categories, 2) == ["2020-Q1"]


@pytest.mark.parametrize(
    ("numbers", "widths"),
    [
        (range(64), [5, 10, 20]),
        (range(18, 91), [5, 10, 20]),
        (range(-7, 8), [2, 10]),
        (range(1900, 2020, 7), [10, 20, 100]),
        (range(0, 100_001, 500), [5_000, 10_000, 20_000]),
        (np.arange(0.0, 0.31, 0.01), [0.02, 0.1, 0.2]),
    ],
)
def test_intervals_of_numbers_are_round(numbers: Iterable[float], widths: Sequence[float]) -> None:
    values = np.array(numbers)
    tree = proposed(discreet.read({"x": values}), "x").hierarchy
    assert tree.height == len(widths) + 1
    for n, width in enumerate(widths, 1):
        # Intervals begin at multiples of their width, so each is known by its number.
        wanted = np.floor(np.round(values / width, 9))
        found = tree.level(tree.categories, n)
        assert len(set(zip(wanted, found, strict=True))) == len(set(wanted)) == len(set(found))


def test_a_width_that_is_not_round_doubles() -> None:
    tree = proposed(discreet.read({"age": [18, 39, 80]}), "age", width=15).hierarchy
    assert tree.labels[1:-1] == (
        ("15–29", "30–44", "75–89"),
        ("0–29", "30–59", "60–89"),
        ("0–59", "60–119"),
    )


def test_codes_lose_their_last_characters() -> None:
    data = discreet.read({"plz": ["81667", "81675", "80331"]})
    assert proposed(data, "plz").hierarchy.level(["81675"], 3) == ["81***"]


def test_equal_counts() -> None:
    incomes = np.random.default_rng(1).lognormal(7, 1, 1000).round(2)
    proposal = proposed(discreet.read({"income": incomes}), "income", groups=5)
    tree = proposal.hierarchy
    sizes = dict.fromkeys(tree.labels[1], 0)
    for value, count in proposal.counts.items():
        [label] = tree.level([value], 1)
        sizes[str(label)] += count
    assert set(sizes.values()) == {200}


def test_more_groups_than_values() -> None:
    data = discreet.read({"x": [1, 1, 1, 2]})
    assert proposed(data, "x", groups=5).hierarchy.labels[1] == ("below 2", "2 and above")
    with pytest.raises(UsageError, match="too few values"):
        proposed(discreet.read({"x": [1, 1]}), "x", groups=2)


def test_widths_are_for_numbers() -> None:
    with pytest.raises(UsageError, match="'town' holds none"):
        proposed(discreet.read({"town": ["a", "b"]}), "town", width=5)
    with pytest.raises(UsageError, match="'town' has none"):
        proposed(discreet.read({"town": [None, None]}), "town")


def test_what_is_written_is_read_again_and_fits(tmp_path: Path) -> None:
    data = discreet.read({"x": [0.1, 0.25, 0.7, None], "t": ["a;b", 'q"q', "c", "c"]})
    for name in ("x", "t"):
        proposal = proposed(data, name)
        path = tmp_path / f"{name}.csv"
        path.write_bytes(as_csv(proposal.hierarchy))
        read = checked(data, name, path)
        assert read.hierarchy == proposal.hierarchy
        assert read.counts == proposal.counts


def test_an_edited_file_is_checked(tmp_path: Path) -> None:
    data = discreet.read({"town": ["Ayle", "Bron", "Bron"]})
    path = tmp_path / "towns.csv"
    path.write_text("Ayle;coast\nBron;coast\nCull;hills\n")
    assert checked(data, "town", path).reason == (
        "the hierarchy covers all 2 values; 1 of its categories do not occur"
    )
    path.write_text("Ayle;coast\nCull;hills\n")
    with pytest.raises(DataError, match="1 is not among its 2 categories"):
        checked(data, "town", path)


def test_a_long_tree_is_cut() -> None:
    tree = Hierarchy([(str(i), f"group {i % 20}") for i in range(100)])
    lines = tree_lines(tree, {str(i): 2 for i in range(100)})
    assert lines[:2] == ["*  200", "  group 0  10"]
    assert lines[-1] == f"  … and {20 - MOST_CHILDREN} more"
    assert len(lines) == MOST_CHILDREN + 2
