"""Equivalence classes: the records that cannot be distinguished by some columns.

Every record gets one number that encodes its values in all columns, and equal numbers are then
counted in a table where the possible numbers are few, or brought together by sorting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.errors import NotApplicable
from discreet.microdata.ascending import placed
from discreet.microdata.table import Column, Microdata
from discreet.microdata.whole_numbers import AT_ONCE, whole_numbers

LARGEST = 2**62
"""Numbers of records and combinations stay below this, so that they fit into 64 bits."""
ODD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: multiplying by it spreads numbers over all bits (Knuth)."""
Codes = tuple[NDArray[np.integer], int, int]
"""The values of a column as whole numbers, the least of them, and how many there are."""


def distinguishing_columns(released: Microdata, but: str | None = None) -> list[str]:
    """Return the quasi-identifiers of a release; an error if its records have no classes.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> distinguishing_columns(discreet.read({"age": [30], "x": [1]}, roles=roles))
    ['age']
    """
    names = [name for name in released.quasi_identifiers if name != but]
    if not names:
        raise NotApplicable("no released column is a quasi-identifier")
    if not len(released):
        raise NotApplicable("the release has no records")
    return names


def classes(data: Microdata, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return a label per record; two records share it if they agree in all `columns`.

    A missing value agrees with another missing value and with nothing else: a reader of the file
    sees that it is missing, and that distinguishes it.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, None], "sex": ["f", "f", "m", "m"]})
    >>> classes(data, ["age", "sex"])
    array([0, 0, 1, 2])
    """
    if len(columns) == 1 and (column := data.column(columns[0])).attribute.continuous:
        return _numbered_values(column.values)[0]
    keys, space = _keys([codes_of(data.column(name)) for name in columns], len(data))
    return numbered(keys, space)[0]


def first_and_times(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first record of each class, and how many records it has.

    Classes are numbered from 0, and none is left out.

    >>> first_and_times(np.array([1, 0, 1]))
    (array([1, 0]), array([1, 2]))
    """
    times = np.bincount(labels)
    first = np.empty(len(times), dtype=np.int64)
    # If several records are written to one place, the last is kept.
    first[labels[::-1]] = np.arange(len(labels) - 1, -1, -1)
    return first, times


def class_sizes(data: Microdata, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return for each record how many records are like it in `columns`, itself included.

    >>> import discreet
    >>> class_sizes(discreet.read({"sex": ["f", "f", "m"]}), ["sex"])
    array([2, 2, 1])
    """
    return sizes_by([codes_of(data.column(name)) for name in columns], len(data))


def unique_share(data: Microdata, columns: Sequence[str]) -> float:
    """Return the share of records that are like no other in `columns`.

    >>> import discreet
    >>> unique_share(discreet.read({"age": [30, 30, 41, 52]}), ["age"])
    0.5
    """
    codes = [codes_of(data.column(name)) for name in columns]
    _, times = _keys_and_times(codes, len(data))
    return int(np.count_nonzero(times == 1)) / max(1, len(data))


def sizes_by(codes: Sequence[Codes], rows: int) -> NDArray[np.int64]:
    """Return for each of `records` records how many are like it in columns given by their codes.

    To count many sets of columns of one file, the codes of each column need be found only once.

    >>> sizes_by([(np.array([0, 0, 1]), 0, 2)], 3)
    array([2, 2, 1])
    """
    keys, times = _keys_and_times(codes, rows)
    return times.take(keys)


def classes_by(codes: Sequence[Codes], rows: int) -> NDArray[np.int64]:
    """Return a label for each of `rows` records, the same for those that are like it in columns
    given by their codes.

    >>> classes_by([(np.array([0, 0, 1]), 0, 2)], 3)
    array([0, 0, 1])
    """
    return numbered(*_keys(codes, rows))[0]


def compatible_sizes(
    data: Microdata, columns: Sequence[str], times: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return for each record how many could be like it in `columns`, missing values matching any.

    `times` says how many records each row stands for, by default one.

    Two records could be alike if they agree in every column in which neither is missing. That is
    not an equivalence relation: two records that could both equal a third need not be alike.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, None], "sex": ["f", "f", "m", "m"]})
    >>> compatible_sizes(data, ["age", "sex"])
    array([2, 2, 2, 2])
    """
    gaps = np.zeros(len(data), dtype=np.int64)
    for name in columns:
        gaps *= 2
        gaps += data.column(name).missing
    patterns, pattern = np.unique(gaps, return_inverse=True)
    if times is None:
        times = np.ones(len(data), dtype=np.int64)
    if len(patterns) == 1 and not patterns[0]:
        labels = classes(data, columns)
        return _summed(labels, times, len(data))[labels]
    sizes = np.zeros(len(data), dtype=np.int64)
    bits = 2 ** np.arange(len(columns) - 1, -1, -1)
    for a in range(len(patterns)):
        for b in range(a, len(patterns)):
            # Records with these gaps are compared in the columns that both have.
            telling = [
                name
                for name, bit in zip(columns, bits.tolist(), strict=True)
                if not (int(patterns[a]) | int(patterns[b])) & bit
            ]
            rows = np.flatnonzero((pattern == a) | (pattern == b))
            labels = classes(data.take(rows), telling)
            of_a = pattern[rows] == a
            counts = [
                _summed(labels[of_a == side], times[rows[of_a == side]], len(rows))
                for side in (1, 0)
            ]
            if a == b:
                sizes[rows] += counts[0][labels]
            else:
                sizes[rows] += np.where(of_a, counts[1][labels], counts[0][labels])
    return sizes


def _summed(labels: NDArray[np.int64], times: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return how many records have each label; below 2^53 a sum of whole numbers is exact."""
    return np.bincount(labels, times, count).astype(np.int64)


def fingerprints(columns: Sequence[Column], *labels: NDArray[np.generic]) -> NDArray[np.uint64]:
    """Return a number per record that is the same for records with equal values and labels.

    Different records have different numbers, except by rare accident. This is much faster than
    `classes`, and shows which records need no closer look.

    >>> import discreet
    >>> x = discreet.read({"x": [0.0, -0.0, 0.1]}).column("x")
    >>> first, second, third = fingerprints([x]).tolist()
    >>> first == second, first == third
    (True, False)
    """
    arrays = [*(column.values for column in columns), *labels]
    prints = np.zeros(max(map(len, arrays), default=1), dtype=np.uint64)
    for start in range(0, len(prints), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        for array in arrays:
            values = array[part]
            if values.dtype.kind == "f":
                # One form of zero, and one of a missing value.
                values = values + 0.0
                if np.isnan(values.min()):
                    values[np.isnan(values)] = np.nan
                values = values.view(np.uint64)
            joint = prints[part]
            joint ^= values.astype(np.uint64, copy=False)
            joint *= ODD
            joint ^= joint >> np.uint64(32)
    return prints


def numbered(keys: NDArray[np.int64], space: int) -> tuple[NDArray[np.int64], int]:
    """Return the rank of each key among the keys that occur, and how many occur.

    Keys are from 0 to `space` − 1.

    >>> numbered(np.array([700, 3, 700]), 1000)
    (array([1, 0, 1]), 2)
    """
    rows = len(keys)
    if not rows:
        return keys, 0
    if few(space, rows):
        # A table of all possible keys is small: mark those that occur, without sorting.
        seen = np.zeros(space, dtype=bool)
        seen[keys] = True
        ranks = np.cumsum(seen) - 1
        return ranks.take(keys), int(ranks[-1]) + 1
    bits = rows.bit_length()
    if space >> (62 - bits):
        present, labels = np.unique(keys, return_inverse=True)
        return labels, len(present)
    # Key and row in one number: sorting that is several times faster than an argsort.
    packed = (keys << bits) | np.arange(rows)
    packed.sort()
    row = packed & ((1 << bits) - 1)
    packed >>= bits
    labels = np.empty(rows, dtype=np.int64)
    starts = np.empty(rows, dtype=np.int64)
    starts[0] = 0
    np.not_equal(packed[1:], packed[:-1], out=starts[1:], casting="unsafe")
    ranks = np.cumsum(starts, out=starts)
    labels[row] = ranks
    return labels, int(ranks[-1]) + 1


def few(space: int, rows: int) -> bool:
    """Whether a table of all keys takes no more memory than the records themselves."""
    return space <= max(4 * rows, 1024)


def _keys(columns: Sequence[Codes], rows: int) -> tuple[NDArray[np.int64], int]:
    """Return a number per record that encodes its values, and how many numbers there could be.

    The values are the digits of the number, each column with as many digits as it has values.
    """
    keys = np.zeros(rows, dtype=np.int64)
    space = 1
    joined: list[Codes] = []
    for column in columns:
        if space * column[2] > LARGEST:
            _add_digits(keys, joined)
            keys, space = numbered(keys, space)
            joined = []
        joined.append(column)
        space *= column[2]
    _add_digits(keys, joined)
    return keys, space


def _add_digits(keys: NDArray[np.int64], columns: Sequence[Codes]) -> None:
    """Write the values of columns as further digits of the numbers of the records."""
    for start in range(0, len(keys), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        some = keys[part]
        for codes, least, distinct in columns:
            some *= distinct
            some += codes[part]
            if least:
                some -= least


def _keys_and_times(
    columns: Sequence[Codes], rows: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a number per record that encodes its values, and how often each number occurs."""
    keys, space = _keys(columns, rows)
    if not few(space, len(keys)):
        keys, space = numbered(keys, space)
    return keys, np.bincount(keys, minlength=space)


def codes_of(column: Column) -> Codes:
    """Return the column's values as whole numbers, the least of them, and how many there are.

    >>> import discreet
    >>> codes_of(discreet.read({"age": [30, 41, 30]}).column("age"))
    (array([0, 1, 0]), 0, 2)
    """
    if column.attribute.continuous:
        codes, distinct = _numbered_values(column.values)
        return codes, 0, max(1, distinct)
    # A missing value has the code −1. The fewer numbers there could be, the less must be sorted.
    least, most = int(column.values.min(initial=0)), int(column.values.max(initial=0))
    return column.values, least, most - least + 1


def coded(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the place of each number among the different ones, and these in order.

    NaN is one value, the last.

    >>> coded(np.array([30.0, 41.0, 30.0]))
    (array([0, 1, 0]), array([30., 41.]))
    """
    missing = np.isnan(values)
    if missing.any():
        places, present = coded(values[~missing])
        codes = np.full(len(values), len(present), dtype=np.int64)
        codes[~missing] = places
        return codes, np.append(present, np.nan)
    whole = whole_numbers(values)
    if whole is None:
        return placed(values)
    codes, count = numbered(*whole)
    distinct = np.empty(count)
    distinct[codes] = values
    return codes, distinct


def _numbered_values(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]:
    """Return the rank of each number among the different ones, and how many differ."""
    whole = whole_numbers(values)
    if whole is not None:
        return numbered(*whole)
    if np.isnan(values).any():
        distinct, codes = np.unique(values, return_inverse=True)  # NaN is one value
    else:
        codes, distinct = placed(values)
    return codes, len(distinct)
