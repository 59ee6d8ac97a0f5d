"""A release that is the original in disguise: records were exchanged whole, or all their keys.

Measures of linkage ask whether a released record is found by the person it came from. If a method
exchanges all columns of two records at once, or all quasi-identifiers, none is, though everybody
can be found in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Pairing
from discreet.microdata import Column, Microdata
from discreet.microdata.equivalence import fingerprints
from discreet.microdata.lasting import once
from discreet.release.gate import constant_quasi_identifiers
from discreet.release.lost_columns import LEFT_OUT

LOOK = 2_000
"""This many records are examined before all of them."""
MOST_ROWS = 50_000
"""From this many records a share is known well enough."""


def only_exchanged(original: Microdata, released: Microdata, pairing: Pairing | None) -> bool:
    """Whether the records of the original were released whole, in the places of others.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47], "sex": ["f", "m"]})
    >>> swapped = data.take(np.array([1, 0]))
    >>> only_exchanged(data, swapped, Pairing.same_order(2))
    True
    >>> only_exchanged(data, swapped, Pairing(np.array([1, 0])))   # as they were
    False
    """
    if pairing is None or not len(original) or len(original) != len(released):
        return False
    names = [a.name for a in original.schema if a.role not in LEFT_OUT]
    if not names or any(name not in released.schema for name in names):
        return False
    columns = [released.column(name) for name in names]
    if all(_on_one_scale(original.column(column.name), column) for column in columns):
        prints = once(original, "fingerprints", lambda: _sorted(original, names), tuple(names))
        if not np.array_equal(prints, _sorted(released, names)):
            return False
    labels = np.zeros(2 * len(original), dtype=np.int64)
    moved = False
    for name in names:
        before, after = original.column(name), released.column(name)
        if before.attribute.continuous != after.attribute.continuous:
            return False
        codes = _codes(before, after)
        halves = codes[: len(original)], codes[len(original) :]
        if not np.array_equal(np.bincount(halves[0]), np.bincount(halves[1])):
            return False
        moved |= not np.array_equal(halves[0][pairing.origin], halves[1])
        _, labels = np.unique(labels * (int(codes.max()) + 1) + codes, return_inverse=True)
    first, second = (
        np.bincount(part, minlength=int(labels.max()) + 1) for part in np.split(labels, 2)
    )
    return moved and bool(np.array_equal(first, second))


def exchanged_keys(original: Microdata, released: Microdata, pairing: Pairing | None) -> float:
    """Return the share of the records that have all quasi-identifiers of another person.

    Only persons count whom these tell from all others, in original and release alike, and whose own
    record has other values. At least two must have moved together: a method that swaps the values
    of single columns protects by giving people the values of others. The number that chance alone
    would produce, if each column were exchanged by itself, is subtracted, with three standard
    errors.

    >>> import discreet
    >>> roles = {"quasi-identifier": ["height", "weight"]}
    >>> people = np.random.default_rng(1).normal(size=(3, 200)).tolist()
    >>> data = discreet.read(dict(zip(["height", "weight", "pay"], people)), roles)
    >>> swapped = data.replace(data.column(name).with_values(data[name][::-1])
    ...                        for name in ("height", "weight"))
    >>> exchanged_keys(data, swapped, Pairing.same_order(200))
    1.0
    """
    constant = once(original, "constant keys", lambda: constant_quasi_identifiers(original))
    names = [name for name in original.quasi_identifiers if name not in constant]
    if pairing is None or len(names) < 2 or not len(released):
        return 0.0
    if any(name not in released.schema for name in names):
        return 0.0
    columns = [released.column(name) for name in names]
    if not all(_on_one_scale(original.column(column.name), column) for column in columns):
        return 0.0
    before, originals = once(original, "keys", lambda: _keys(original, names), tuple(names))
    after = fingerprints(columns)
    moved = after != before[pairing.origin]
    # Usually a few records show that values were changed, not exchanged.
    some = np.flatnonzero(moved)[:: max(1, len(released) // LOOK)]
    if not (_occurring(originals, after[some]) > 0).any():
        return 0.0
    rows = np.arange(0, len(released), -(-len(released) // MOST_ROWS))
    together = np.zeros(len(rows), dtype=np.int64)
    for column in columns:
        values, original_values = column.values[rows], original[column.name][pairing.origin[rows]]
        # Only a missing number is not equal to itself.
        together += (values != original_values) & (
            (values == values) | (original_values == original_values)
        )
    apart = fingerprints(
        [column.with_values(np.roll(column.values, at)) for at, column in _apart(columns)]
    )
    unmoved = np.sort(after[~moved])

    def share_exchanged(prints: NDArray[np.uint64]) -> float:
        some = prints[rows]
        of_others = (_occurring(originals, some) == 1) & (_occurring(unmoved, some) == 0)
        return float(
            (of_others & (_occurring(np.sort(prints), some) == 1) & (together >= 2)).mean()
        )

    share, by_chance = share_exchanged(after), share_exchanged(apart)
    error = np.sqrt((share * (1 - share) + by_chance * (1 - by_chance)) / len(rows))
    return max(0.0, share - by_chance - 3 * float(error))


def _occurring(ordered: NDArray[np.uint64], prints: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how often each fingerprint occurs among ordered ones."""
    return np.asarray(
        np.searchsorted(ordered, prints, "right") - np.searchsorted(ordered, prints, "left")
    )


def _apart(columns: Sequence[Column]) -> Iterator[tuple[int, Column]]:
    """Yield columns with the places to shift them by, so that no two stay together."""
    for place, column in enumerate(columns):
        yield place * len(column.values) // len(columns), column


def _on_one_scale(before: Column, after: Column) -> bool:
    """Whether equal values are equal numbers in both columns."""
    first, second = before.attribute, after.attribute
    return first.continuous == second.continuous and first.categories == second.categories


def _sorted(table: Microdata, names: Sequence[str]) -> NDArray[np.uint64]:
    """Return the fingerprints of all records, sorted: the same for the same records."""
    return np.sort(fingerprints([table.column(name) for name in names]))


def _keys(table: Microdata, names: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the fingerprints of all records, in file order and sorted."""
    prints = fingerprints([table.column(name) for name in names])
    return prints, np.sort(prints)


def _codes(before: Column, after: Column) -> NDArray[np.int64]:
    """Return numbers for the values of both columns, one below the other."""
    if before.attribute.continuous:
        values = np.concatenate([before.values, after.values])
    else:
        places: dict[object, int] = {}
        tables = [
            [places.setdefault(c, len(places)) for c in column.attribute.categories]
            for column in (before, after)
        ]
        values = np.concatenate(
            [
                # A missing value has the code −1, which selects the last place.
                np.array([*table, -1])[column.values]
                for table, column in zip(tables, (before, after), strict=True)
            ]
        )
    _, codes = np.unique(values, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)
