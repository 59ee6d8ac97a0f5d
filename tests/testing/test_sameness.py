"""Comparing tables: every way to differ is seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from discreet.errors import DataError
from discreet.microdata import Attribute, Kind, Microdata, Role
from discreet.testing.sameness import (
    assert_same,
    assert_unchanged,
    snapshot,
    succeeds_or_explains,
)
from discreet.testing.tables import ordinary


def with_height(data: Microdata, values: np.ndarray) -> Microdata:
    return data.replace([data.column("height").with_values(values)])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: with_height(d, d["height"] + 1e-9), "column height was changed"),
        (lambda d: with_height(d, np.nan_to_num(d["height"])), "column height was changed"),
        (lambda d: d.drop(["height"]), "columns were added, dropped or moved"),
        (lambda d: d.with_attributes([Attribute("height", Role.OTHER)]), "another attribute"),
        (
            lambda d: d.replace([d.column("town").recoded(d["town"], Kind.NOMINAL, list("abcd"))]),
            "another attribute",
        ),
    ],
)
def test_a_difference_is_told(change: Callable[[Microdata], Microdata], says: str) -> None:
    data = ordinary()
    with pytest.raises(AssertionError, match=says):
        assert_unchanged(change(data), snapshot(data))


def test_equal_tables_are_equal_with_their_missing_values() -> None:
    assert_same(ordinary(), ordinary())
    data = ordinary()
    assert_unchanged(with_height(data, data["height"] + 1), snapshot(data), but=["height"])


def test_a_snapshot_does_not_follow_the_table() -> None:
    data = ordinary()
    before = snapshot(data)
    values = data["height"]
    values.flags.writeable = True
    values[0] = -1
    assert before["height"][1][0] != -1


def refuses(text: str) -> Callable[[], None]:
    def work() -> None:
        raise DataError(text)

    return work


def test_a_refusal_must_be_one_helpful_sentence() -> None:
    assert succeeds_or_explains(lambda: 5, "edge") == 5
    assert succeeds_or_explains(refuses("column 'age' has no value at all"), "edge") is None
    with pytest.raises(AssertionError, match="edge: the message is too short"):
        succeeds_or_explains(refuses("no"), "edge")
    with pytest.raises(AssertionError, match="edge: the message is longer than a sentence"):
        succeeds_or_explains(refuses("first line of the message\nsecond"), "edge")


def test_what_is_no_refusal_goes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        succeeds_or_explains(lambda: 1 // 0, "edge")
