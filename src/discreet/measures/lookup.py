"""How an intruder looks up persons in a release whose columns may be recoded.

Where the labels of a column have no value in common, each value of the original has one label, and
persons and records are compared by their labels: numbers by the middle of a label, categories by
the label itself. Labels that overlap are drawn from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE, Column, Kind, Microdata, Numbers
from discreet.microdata.decoded import DRAWS, Decoded, DecodedColumn
from discreet.microdata.decoding import Decoding


def learned_from(
    view: Decoded, quasi: Sequence[str], target: str, generator: np.random.Generator
) -> Iterator[Microdata]:
    """Yield the released records that an intruder learns from, several times if they are drawn."""
    drawn = [name for name in quasi if _overlapping(view[name])]
    fixed = [_learned(view[name]) for name in quasi if name not in drawn]
    response = view[target]
    if response.original.attribute.continuous:
        fixed.append(response.original.with_values(response.expected))
    elif response.decoding is None:
        fixed.append(response.original.with_values(response.values))
    else:
        drawn.append(target)
    for _ in range(DRAWS if drawn else 1):
        yield Microdata([*fixed, *(view.drawn(name, generator) for name in drawn)])


def asked_about(view: Decoded, quasi: Sequence[str], rows: NDArray[np.int64]) -> Microdata:
    """Return some persons of the original with their values as they appear in the release."""
    return Microdata([_asked(view[name]) for name in quasi]).take(rows)


def _overlapping(column: DecodedColumn) -> bool:
    return column.decoding is not None and _label_of_values(column, column.decoding) is None


def _learned(column: DecodedColumn) -> Column:
    attribute = column.original.attribute
    if attribute.kind is not Kind.NOMINAL:
        return _as_numbers(column.original, column.expected)
    if column.decoding is None:
        codes = np.where(column.unknown, MISSING_CODE, column.values)
        return Column(attribute, codes)
    return _labels(column, np.where(column.unknown, MISSING_CODE, column.values))


def _asked(column: DecodedColumn) -> Column:
    before, decoding = column.original, column.decoding
    label = None if decoding is None else _label_of_values(column, decoding)
    if before.attribute.kind is Kind.NOMINAL:
        if label is None:
            return before
        assert decoding is not None
        # A value that no label stands for is like a category that was never seen.
        rows_of_table = np.where(label < 0, len(decoding), label)
        return _labels(column, np.append(rows_of_table, MISSING_CODE)[before.values])
    numbers = np.where(before.missing, np.nan, before.values)
    if label is not None:
        assert decoding is not None
        numbers = np.where(label < 0, numbers, np.append(decoding.middles, np.nan)[label])
    return _as_numbers(before, numbers)


def _as_numbers(before: Column, numbers: Numbers) -> Column:
    """Return a column of numbers; the places of ordered categories may lie between two of them."""
    return before.recoded(numbers, Kind.CONTINUOUS)


def _labels(column: DecodedColumn, codes: NDArray[np.integer]) -> Column:
    assert column.decoding is not None
    numbers = range(len(column.decoding) + 1)
    return column.original.recoded(codes.astype(np.int32), Kind.NOMINAL, numbers)


def _label_of_values(column: DecodedColumn, decoding: Decoding) -> NDArray[np.int64] | None:
    """Return the one label that stands for each value of the original; None if labels overlap.

    By category for nominal columns, by record for others; −1 where no label does.
    """
    used = np.zeros(len(decoding) + 1, dtype=bool)
    used[column.values] = True
    parts = used[decoding.label]
    if decoding.missing[parts].any():
        return None
    label, low, high = decoding.label[parts], decoding.low[parts], decoding.high[parts]
    order = np.argsort(low, kind="stable")
    label, low, high = label[order], low[order], high[order]
    if (low[1:] <= high[:-1]).any():
        return None
    nominal = column.original.attribute.kind is Kind.NOMINAL
    values = (
        np.arange(len(column.original.attribute.categories))
        if nominal
        else column.original.values.astype(np.float64)
    )
    at = np.searchsorted(low, values, side="right") - 1
    inside = (at >= 0) & (values <= np.append(high, -np.inf)[at])
    return np.where(inside, np.append(label, -1)[at], -1)
