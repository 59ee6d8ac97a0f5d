"""Numbers that are known by the bytes of a column."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest

from discreet.io import csv_types
from discreet.io.csv_types import infer_types
from discreet.io.plain_numbers import plain_numbers

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
DECIMAL = re.compile(r"-?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|0|[1-9][0-9]{0,14})")


def by_patterns(texts: list[str | None]) -> type | None:
    """Return the type of the numbers by a pattern for each text: the slow counterpart."""
    present = [text for text in texts if text is not None]
    if not present or not all(DECIMAL.fullmatch(t) or WHOLE.fullmatch(t) for t in present):
        return None
    if all(WHOLE.fullmatch(text) for text in present):
        return int
    long = any(len(text) >= 16 and "." not in text for text in present)
    return None if long or not all(DECIMAL.fullmatch(text) for text in present) else float


def test_texts_are_numbers_where_patterns_say_so() -> None:
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(4_000):
        texts: list[str | None] = []
        for _ in range(int(rng.integers(1, 4))):
            digits = "".join(rng.choice(list("0123456789"), int(rng.integers(1, 5))))
            form = rng.choice(["{}", "{}", "-{}", "{}.5", ".{}", "{}.", "-{}.0", "0.{}", "{}/1"])
            texts.append(None if rng.random() < 0.1 else form.format(digits))
        column = pa.chunked_array([texts[:1], texts[1:]], pa.string())
        found = plain_numbers(column)
        kind = by_patterns(texts)
        seen.add(kind)
        if kind is None:
            assert found is None
            continue
        assert found is not None
        assert found.values.to_pylist() == [None if t is None else kind(t) for t in texts]
        assert str(found.values.type) == {int: "int64", float: "double"}[kind]
        assert found.pointed == any("." in text for text in texts if text is not None)
    assert seen == {None, int, float}


@pytest.mark.parametrize(
    "text",
    ["", "-", ".", "--1", "1-2", "1.2.3", "1e5", "+1", " 1", "1 ", "0x1F", "1,5", "nan", "-00"],
)
def test_anything_else_is_left_to_patterns(text: str) -> None:
    assert plain_numbers(pa.chunked_array([["1", text]])) is None
    assert plain_numbers(pa.chunked_array([["1.5"], [text]])) is None


def test_numbers_that_their_type_does_not_hold_are_left_to_patterns() -> None:
    assert plain_numbers(pa.chunked_array([["9223372036854775808"]])) is None
    assert plain_numbers(pa.chunked_array([["1.5", "1234567890123456"]])) is None
    exact = plain_numbers(pa.chunked_array([["1.5", "123456789012345"]]))
    assert exact is not None
    assert exact.values.to_pylist() == [1.5, 123456789012345.0]


def test_a_part_of_a_column_and_a_column_without_values() -> None:
    column = pa.chunked_array([pa.array(["x", "10", None, "2.5", "y"]).slice(1, 3)])
    found = plain_numbers(column)
    assert found is not None
    assert found.values.to_pylist() == [10.0, None, 2.5]
    assert plain_numbers(pa.chunked_array([], pa.string())) is None
    assert plain_numbers(pa.chunked_array([pa.nulls(2, pa.string())])) is None
    with_gap = plain_numbers(pa.chunked_array([pa.nulls(2, pa.string()), ["3"]]))
    assert with_gap is not None
    assert with_gap.values.to_pylist() == [None, None, 3]


def test_types_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    values = {
        "whole": rng.integers(-50, 50, 3_000).astype(str).tolist(),
        "money": [f"{x:.2f}" for x in rng.normal(0, 900, 3_000)],
        "any": [repr(float(x)) for x in rng.normal(size=3_000)],
        "day": [f"2001{m:02d}{d:02d}" for m, d in rng.integers(1, 13, (3_000, 2))],
        "mixed": [*["1.5"] * 2_000, *["NA"] * 1_000],
        "zip": [f"{x:05d}" for x in rng.integers(0, 99_999, 3_000)],
        "below": ["-0", *rng.integers(-5, 50, 2_999).astype(str).tolist()],
        "gaps": [None, *rng.integers(0, 9, 2_999).astype(str).tolist()],
    }
    texts = {name: pa.chunked_array([column], pa.string()) for name, column in values.items()}
    for decimal in (None, ".", ","):
        ours = infer_types(texts, ";", decimal)
        with monkeypatch.context() as patch:
            patch.setattr(csv_types, "plain_numbers", lambda text: None)
            others = infer_types(texts, ";", decimal)
        assert ours.columns == others.columns
        assert (ours.decimal, ours.missing, ours.notes) == (
            others.decimal,
            others.missing,
            others.notes,
        )
        assert ours.forms == others.forms


def test_long_columns_are_looked_at_on_all_cores_with_the_same_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {f"c{i}": pa.chunked_array([[str(i), f"{i}.5"]]) for i in range(5)}
    texts["day"] = pa.chunked_array([["12/31/1990", "01/02/1990"]])
    alone = infer_types(texts, ",", None)
    monkeypatch.setattr("discreet.microdata.all_cores.LARGE", 1)
    together = infer_types(texts, ",", None)
    assert together.columns == alone.columns
    assert list(together.columns) == list(texts)
    assert together.notes == alone.notes
