"""Decodings: parts and weights of labels, one after the other and composed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.microdata import Attribute, Kind
from discreet.microdata.decoding import MISSING_PART, Decoding

AGE = Attribute("age")
TOWN = Attribute("town", kind=Kind.NOMINAL, categories=("Ayle", "Bron", "Cull"))

labels = st.lists(
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)), max_size=3, unique_by=lambda p: p[0]),
    min_size=1,
    max_size=4,
)


def parts_of(decoding: Decoding) -> list[dict[float, float]]:
    """Each label as a mapping of values to weights, the slow and obvious way."""
    found = []
    for start, end in zip(decoding.starts[:-1], decoding.starts[1:], strict=True):
        parts: dict[float, float] = {}
        for low, weight in zip(decoding.low[start:end], decoding.weight[start:end], strict=True):
            key = -1.0 if np.isnan(low) else float(low)
            parts[key] = parts.get(key, 0.0) + float(weight)
        found.append(parts)
    return found


def of(scale: Attribute, drawn: list[list[tuple[int, int]]]) -> Decoding:
    return Decoding.of(
        scale, [[(c, c) for c, _ in label] for label in drawn], [[w for _, w in d] for d in drawn]
    )


@settings(deadline=None)
@given(labels, labels)
def test_labels_of_labels(first: list[Any], second: list[Any]) -> None:
    inner = of(TOWN, first)
    middle = Attribute("town", kind=Kind.NOMINAL, categories=tuple(range(len(first))))
    second = [[(c, w) for c, w in label if c < len(first)] for label in second]
    outer = of(middle, second)
    composed = parts_of(outer.after(inner))
    for label, parts in zip(parts_of(outer), composed, strict=True):
        inside = [parts_of(inner)[int(code)] for code in label]
        if not all(inside):
            assert parts == {}
            continue
        expected: dict[float, float] = {}
        for weight, share in zip(label.values(), inside, strict=True):
            for code, part in share.items():
                expected[code] = expected.get(code, 0.0) + weight * part
        assert parts == pytest.approx(expected)


@settings(deadline=None)
@given(labels, st.data())
def test_choosing_labels(drawn: list[Any], data: st.DataObject) -> None:
    decoding = of(TOWN, drawn)
    places = data.draw(st.lists(st.integers(-1, len(drawn) - 1), max_size=5))
    chosen = parts_of(decoding.take(np.array(places, dtype=np.int64)))
    assert chosen == [{} if p < 0 else parts_of(decoding)[p] for p in places]


def test_middles_leave_missing_parts_out_and_close_open_ends() -> None:
    decoding = Decoding.of(AGE, [[(20, 40), MISSING_PART], [(65, np.inf)], [(-np.inf, 18)], []])
    assert decoding.middles == pytest.approx([30, 65, 18, np.nan], nan_ok=True)
    assert decoding.missing_share.tolist() == [0.5, 0, 0, 0]
    low, high = decoding.hulls
    assert low.tolist() == [20, 65, -np.inf, -np.inf]
    assert high.tolist() == [40, np.inf, 18, np.inf]


def test_a_missing_part_is_one_part_more() -> None:
    some = Decoding.of(TOWN, [[(0, 0), (1, 1)], [(2, 2)]]).with_missing(np.array([True, False]))
    assert some.missing.tolist() == [False, False, True, False]
    assert some.weight == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])


def test_arrays_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Decoding.sets(TOWN, np.arange(2), np.arange(1)).low[0] = 5


def test_recoding_a_recoded_attribute_composes_and_keeps() -> None:
    coarse = AGE.recoded(
        Kind.NOMINAL, ["20–39", "40–59"], Decoding.of(AGE, [[(20, 39)], [(40, 59)]])
    )
    joined = coarse.recoded(Kind.NOMINAL, ["20–59"], Decoding.of(coarse, [[(0, 0), (1, 1)]]))
    assert joined.decoding is not None
    assert joined.decoding.middles.tolist() == [39.5]
    assert joined.decoding.scale == AGE
    renamed = coarse.recoded(Kind.NOMINAL, ["other", "40–59"])
    assert renamed.decoding is not None
    assert renamed.decoding.known.tolist() == [False, True]
