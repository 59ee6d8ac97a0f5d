"""The released records that look most like a person, for attacks that ask about people one by one.

All released records are scanned in parts that fit in the processor's cache, for some people at a
time. Records whose labels contain what is known about a person are at distance 0; if there are
none, the nearest ones count, all of them if several are equally near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.cells import Cells, Matrix, Rows, summed
from discreet.measures.linkage.scanning import CACHED_CELLS
from discreet.microdata import Numbers

TIE = 1e-6
"""Squared distances that differ by less than this share are treated as equal."""
PEOPLE, HELD_CELLS = 100, 20_000_000
"""People who are looked up at a time; fewer if each may look like very many records."""


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The nearest released records of some people; `places` says which of those asked they are.

    `least` has the squared distance of each person, `rows` the records at that distance in order.
    """

    places: slice
    least: Numbers
    rows: list[Rows]

    def __iter__(self) -> Iterator[tuple[int, Rows]]:
        """Yield the position of each person and the records that could be that person's."""
        return zip(range(self.places.start, self.places.stop), self.rows, strict=True)


def look_alikes(
    columns: Sequence[Cells], people: Rows, among: int | Rows, everybody: int
) -> Iterator[LookAlikes]:
    """Yield the nearest released records of people, some people at a time.

    `among` has the released records that are considered, or how many there are; `everybody` is the
    number of people from whom those asked about are taken.

    >>> import discreet
    >>> from discreet.measures.linkage.cells import cells
    >>> people = discreet.read({"age": [31, 62]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.read({"age": ["30–39", "30–39", "60–64"]})
    >>> columns = cells(people, release, ["age"], None)
    >>> [[rows.tolist() for _, rows in found] for found in look_alikes(columns, np.arange(2), 3, 2)]
    [[[0, 1], [2]]]
    """
    records = np.arange(among) if isinstance(among, int) else among
    size = max(1, min(PEOPLE, HELD_CELLS // max(len(records), 1)))
    for start in range(0, len(people), size):
        yield _nearest(columns, people[start : start + size], start, records, everybody)


def _nearest(
    columns: Sequence[Cells], people: Rows, start: int, records: Rows, everybody: int
) -> LookAlikes:
    least = np.full(len(people), np.inf, dtype=np.float32)
    step = max(1, CACHED_CELLS // len(people))
    rows, whose = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    apart: list[Matrix] = [np.zeros(0, dtype=np.float32)]
    for first in range(0, len(records), step):
        block = records[first : first + step]
        squares = (column.looked_up(block, people, np.square) for column in columns)
        distances = summed(squares, block, people, everybody)
        lowest = distances.min(axis=0)
        nearer = np.flatnonzero(lowest <= least * (1 + TIE))
        least = np.minimum(least, lowest)
        if len(nearer):
            beside = distances[:, nearer]
            at, of = np.nonzero(beside <= least[nearer] * (1 + TIE))
            rows.append(block[at])
            whose.append(nearer[of])
            apart.append(beside[at, of])
    row, person, distance = np.concatenate(rows), np.concatenate(whose), np.concatenate(apart)
    kept = np.flatnonzero(distance <= least[person] * (1 + TIE))
    order = kept[np.argsort(person[kept], kind="stable")]
    ends = np.searchsorted(person[order], np.arange(1, len(people)))
    stop = start + len(people)
    return LookAlikes(slice(start, stop), least.astype(np.float64), np.split(row[order], ends))
