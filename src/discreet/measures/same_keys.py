"""Original and released records with the same keys, for synthetic files.

A synthetic record belongs to nobody. What can be counted is how many records of the original and of
the release have the same values, and what those of the release say about the original's (Raab,
Nowok & Dibben 2024). For keys q and a value t of a target, d and s are the counts of the original
and of the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Measure, param
from discreet.errors import NotApplicable
from discreet.measures.utility.cell_distances import bin_edges
from discreet.measures.view import decoded
from discreet.microdata import Microdata

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SameKeys:
    """The number of each record's combination of values, in the original and in the release."""

    before: Rows
    after: Rows

    @property
    def counts(self) -> tuple[Rows, Rows]:
        """How often each combination occurs in the original and in the release."""
        width = 1 + int(max(self.before.max(initial=-1), self.after.max(initial=-1)))
        return np.bincount(self.before, minlength=width), np.bincount(self.after, minlength=width)

    def crossed(self, other: SameKeys) -> SameKeys:
        """Return the combinations of both."""
        return combined([self, other])


class KeyTables(Measure):
    """A measure that compares the tables of the same keys in both files."""

    groups: int | None = param(
        default=None,
        help="number of classes that numbers are cut into at the original's quantiles; compared as "
        "they are if not given",
        at_least=2,
    )

    def keys(
        self, original: Microdata, released: Microdata, context: Context, but: str | None = None
    ) -> list[SameKeys]:
        """Return the values of each quasi-identifier, without one that is the target."""
        known = [name for name in original.quasi_identifiers if name != but]
        if not known:
            raise NotApplicable("no column is a quasi-identifier")
        if not len(original) or not len(released):
            raise NotApplicable("it needs records in both files")
        return each_key(original, released, known, context, self.groups)


def same_keys(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    context: Context,
    groups: int | None = None,
) -> SameKeys:
    """Return the combinations of some columns, missing values being a value of their own.

    >>> import discreet
    >>> original = discreet.read({"age": [30, 30, 41]})
    >>> keys = same_keys(original, discreet.read({"age": [41, 52]}), ["age"], Context())
    >>> keys.counts
    (array([2, 1, 0]), array([0, 1, 1]))
    """
    return combined(each_key(original, released, names, context, groups))


def each_key(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    context: Context,
    groups: int | None = None,
) -> list[SameKeys]:
    """Return the values of each of some columns.

    Columns that were not released are left out; in a recoded one nobody can say which values are
    the same. `groups` cuts numbers into classes at the quantiles of the original.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 41], "sex": ["f", "f"]})
    >>> [key.before.tolist() for key in each_key(data, data, ["age", "sex"], Context())]
    [[0, 1], [0, 0]]
    """
    view = decoded(original, released, names, None, context)
    released_names = [name for name in names if not view[name].lost]
    if not released_names:
        raise NotApplicable("the release says nothing about these columns")
    columns = []
    for name in released_names:
        column = view[name]
        if column.decoding is not None:
            raise NotApplicable(
                f"'{name}' was recoded, and this measure is only for files with values on the "
                "original's scale"
            )
        before, after = original[name], column.values
        if groups is not None and original.schema[name].continuous:
            edges = bin_edges(original.column(name), groups)
            before, after = (
                np.where(np.isnan(v), -1, np.searchsorted(edges, v)) for v in (before, after)
            )
        columns.append(_codes(before, after))
    return columns


def _codes(before: NDArray[np.generic], after: NDArray[np.generic]) -> SameKeys:
    codes = np.unique(np.concatenate([before, after]), return_inverse=True)[1]
    return SameKeys(codes[: len(before)], codes[len(before) :])


def combined(columns: Sequence[SameKeys]) -> SameKeys:
    """Return the combinations of the values of several columns.

    >>> column = SameKeys(np.array([0, 0, 1]), np.array([1]))
    >>> combined([column, column]).before
    array([0, 0, 1])
    """
    total = columns[0]
    for column in columns[1:]:
        width = 1 + int(max(column.before.max(initial=-1), column.after.max(initial=-1)))
        total = _codes(total.before * width + column.before, total.after * width + column.after)
    return total
