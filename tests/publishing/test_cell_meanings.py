"""Which cells of a file are written alike, and which mean the same."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.publishing.cell_meanings import Writing, meant, written


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (pa.array([0.0, -0.0, 0.0]), 2),
        (pa.array(["", None, ""]), 2),
        (pa.array(["\u00e9", "e\u0301"]), 2),
        (pa.array(["a", "a ", "A"]), 3),
        (pa.array([2**53, 2**53 + 1], pa.int64()), 2),
        (pa.array([2**64 - 1, 2**64 - 2], pa.uint64()), 2),
        (pa.array([0, 1], pa.time64("ns")), 2),
        (pa.array([0, 1], pa.timestamp("ns", "Europe/Berlin")), 2),
        (pa.array([decimal.Decimal("1.0")] * 2, pa.decimal32(5, 1)), 1),
        (pa.array(["a", "b", None], pa.string_view()), 3),
        (pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "a", None])), 2),
        (pa.nulls(3), 1),
    ],
)
def test_cells_that_are_written_alike(values: pa.Array, count: int) -> None:
    assert len(set(written(pa.chunked_array([values])).tolist())) == count


@pytest.mark.parametrize(
    ("values", "writing", "codes"),
    [
        (["10", "9", "-0", "0", "1e+1"], Writing("continuous"), [2, 1, 0, 0, 2]),
        (["0,5", ",50", "NA"], Writing("continuous", missing="NA", decimal=","), [0, 0, -1]),
        ([str(10**17), str(10**17 + 1)], Writing("continuous"), [0, 1]),
        (["2020-02-01", "2019-12-31", "-0044-03-15"], Writing("continuous"), [2, 1, 0]),
        (
            ["2020-10-25 02:30:00+0100", "2020-10-25 02:30:00+0200", "2020-10-25 00:30:00Z"],
            Writing("continuous"),
            [1, 0, 0],
        ),
        (["true", "false"], Writing("continuous"), [1, 0]),
        (["10:00:00", "09:59:59.5"], Writing("continuous"), [1, 0]),
        (["high", "low", None], Writing("ordinal", ("low", "high")), [1, 0, -1]),
        (["Straße", "STRASSE", " ", ""], Writing("nominal"), [0, 0, -1, -1]),
        (["1.50", "1.5", "01.5"], Writing("nominal"), [0, 0, 1]),
        (
            ["a  b", "a\u00a0b", "\ufeffA\u200b b", "\u200b", "ab"],
            Writing("nominal"),
            [0, 0, 0, -1, 1],
        ),
    ],
)
def test_cells_that_mean_the_same(values: list[Any], writing: Writing, codes: list[int]) -> None:
    assert meant(pa.chunked_array([values]), writing)[0].tolist() == codes


def test_stored_values_keep_every_digit() -> None:
    for values in (
        pa.array([10**17, 10**17 + 1]),
        pa.array([1, 2], pa.timestamp("ns")),
        pa.array([1, 2], pa.duration("ns")),
        pa.array([decimal.Decimal(10**30), decimal.Decimal(10**30 + 1)]),
        pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 2)]),
    ):
        assert meant(pa.chunked_array([values]), Writing("continuous"))[0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("values", "writing", "said"),
    [
        (["12", "twelve"], Writing("continuous"), "holds text"),
        (["2020-02-31"], Writing("continuous"), "holds text"),
        (["12", "2020-01-01"], Writing("continuous"), "both dates and numbers"),
        (["low", "lower"], Writing("ordinal", ("low",)), "order does not list"),
        ([[1], [2]], Writing("nominal"), "cannot be counted"),
    ],
)
def test_cells_that_are_not_what_is_said_of_them(
    values: list[Any], writing: Writing, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        meant(pa.chunked_array([values]), writing)


@pytest.mark.parametrize(
    "cells",
    [
        [1.5, -0.0, 0.0, None, float("nan"), -3.0, float("inf"), 1.5],
        [2**53 + 1, 2**53, None, -7, 2**53 + 1],
        [None, None],
        [],
    ],
)
def test_stored_numbers_mean_what_their_texts_mean(cells: list[Any]) -> None:
    import pyarrow as pa

    kind = pa.int64() if any(isinstance(cell, int) for cell in cells) else pa.float64()
    stored = pa.chunked_array([pa.array(cells, kind)])
    texts = [None if cell is None or cell != cell else str(cell) for cell in cells]
    as_text = pa.chunked_array([pa.array(texts, pa.string())])
    fast, slow = (meant(column, Writing("continuous")) for column in (stored, as_text))
    assert (fast[0].tolist(), fast[1]) == (slow[0].tolist(), slow[1])
