"""Domains: the parts of a file for which figures are wanted, such as each region by sex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, unknown_column

MOST = 100_000
"""More cells than anyone reads, and more than most files have records."""


@dataclass(frozen=True, eq=False)
class Domains:
    """The combinations of categories that a table has, and the one that each record is in.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m", "f"], "town": ["A", "A", None]})
    >>> found = Domains.of(data, ["sex", "town"], data)
    >>> found.labels, found.codes
    (('sex = f, town = A', 'sex = m, town = A'), array([ 0,  1, -1]))
    """

    labels: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, data: Microdata, by: Sequence[str], like: Microdata) -> Domains:
        """Return the domains that `like` has, and which one each record of `data` is in."""
        require(data, by)
        for name in by:
            if like.schema[name].continuous:
                raise DataError(
                    f"a domain is made of categories, but '{name}' is continuous; declare it "
                    "ordinal or nominal, or recode it"
                )
        room = int(np.prod([len(like.schema[name].categories) for name in by], dtype=np.float64))
        if room > MOST:
            raise DataError(
                f"there are {room:,} domains of {', '.join(by)}, which is more than {MOST:,}; name "
                "fewer columns"
            )
        cells = _cells(like, by)
        present = np.unique(cells[cells >= 0])
        place = np.full(max(room, 1), -1, dtype=np.int64)
        place[present] = np.arange(len(present))
        cells = _cells(data, by)
        codes = np.where(cells >= 0, place[cells], -1)
        return cls(tuple(_label(like, by, int(cell)) for cell in present), codes)

    def named(self, figure: str) -> list[str]:
        """Return the label of a figure within each domain."""
        return [f"{figure} ({label})" if label else figure for label in self.labels]


def require(data: Microdata, names: Sequence[str]) -> None:
    """Report which columns of an analysis the data lack."""
    for name in names:
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by="an analysis"))


def _cells(data: Microdata, by: Sequence[str]) -> NDArray[np.int64]:
    cells = np.zeros(len(data), dtype=np.int64)
    missing = np.zeros(len(data), dtype=bool)
    for name in by:
        column = data.column(name)
        cells = cells * max(1, len(column.attribute.categories)) + np.maximum(column.values, 0)
        missing |= column.missing
    return np.where(missing, -1, cells)


def _label(data: Microdata, by: Sequence[str], cell: int) -> str:
    words = []
    for name in reversed(by):
        categories = data.schema[name].categories
        cell, code = divmod(cell, len(categories))
        words.append(f"{name} = {categories[code]}")
    return ", ".join(reversed(words))
