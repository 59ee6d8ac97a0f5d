"""Released records as an intruder compares them with originals: each is a set of points.

The intruder knows the recoding. So an original is at distance 0 from a label that stands for its
value, and otherwise at the distance to the nearest value that the label stands for. Nothing is
known about a suppressed cell, so every original is at distance 0 from it. The coordinates are those
of the embedding, in which a released record is a box. A nominal column can be codes instead; a
released code may stand for several.

A missing value is a category of its own as long as nothing was suppressed in its column; otherwise
the two cannot be distinguished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE, Column, Kind, Microdata, Numbers
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.microdata.decoding import Decoding
from discreet.microdata.embedding import INDICATOR, Coordinate, Embedding
from discreet.microdata.lasting import once

Codes = NDArray[np.int32]
Rows = NDArray[np.int64]
ANY = -2
"""The code of a cell about which nothing is known; below it are sets (`discreet.kernels.sets`)."""


@dataclass(frozen=True, eq=False)
class CodeSets:
    """Codes of released cells that may stand for several codes of originals."""

    codes: Codes
    starts: NDArray[np.int64]
    members: Codes

    @classmethod
    def single(cls, codes: Codes) -> CodeSets:
        """Return codes that stand for themselves."""
        return cls(codes, np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))

    @classmethod
    def together(cls, codes: Codes, tables: Sequence[Codes]) -> CodeSets:
        """Return codes whose sets have these members."""
        starts = np.append(0, np.cumsum([len(table) for table in tables])).astype(np.int64)
        return cls(codes, starts, np.concatenate([np.zeros(0, dtype=np.int32), *tables]))

    @property
    def plain(self) -> bool:
        """Whether every code stands for itself."""
        return not (self.codes < -1).any()

    @property
    def ranges(self) -> tuple[Numbers, Numbers]:
        """The codes between which each cell allows any.

        >>> low, high = CodeSets(np.array([[3, ANY, ANY - 1]]), np.array([0, 2]),
        ...                      np.array([1, 4])).ranges
        >>> low, high
        (array([[  3., -inf,   1.]]), array([[ 3., inf,  4.]]))
        """
        if self.plain:
            codes = self.codes.astype(np.float64)
            return codes, codes
        size = np.diff(self.starts)
        # A set without a member lies outside of all codes.
        padded = np.append(self.members, MISSING_CODE - 1)
        first = np.where(size > 0, padded[self.starts[:-1]], MISSING_CODE - 1)
        last = np.where(size > 0, padded[self.starts[1:] - 1], MISSING_CODE - 1)
        number = np.maximum(ANY - 1 - self.codes, 0)
        sets = []
        for end, ends in ((-np.inf, first), (np.inf, last)):
            inside = np.append(ends, 0)[np.minimum(number, len(ends))]
            several = np.where(self.codes < ANY, inside, self.codes)
            sets.append(np.where(self.codes == ANY, end, several))
        return sets[0], sets[1]

    def take(self, rows: Rows | slice) -> CodeSets:
        """Return the cells of some records."""
        return CodeSets(np.ascontiguousarray(self.codes[rows]), self.starts, self.members)

    def refuse(self, codes: Codes) -> NDArray[np.int64]:
        """Return for each record how many cells exclude the code of the original beside it.

        >>> sets = CodeSets(np.array([[3], [ANY], [ANY - 1]]), np.array([0, 2]), np.array([1, 4]))
        >>> sets.refuse(np.array([[2], [2], [4]]))
        array([1, 0, 0])
        """
        allowed = (self.codes == codes) | (self.codes == ANY)
        rows, columns = np.nonzero(self.codes < ANY)
        if len(rows):
            number = ANY - 1 - self.codes[rows, columns].astype(np.int64)
            width = int(max(self.members.max(initial=0), codes.max(initial=0))) + 2
            keys = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)) * width
            keys = keys + self.members + 1
            wanted = number * width + codes[rows, columns] + 1
            at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
            allowed[rows, columns] = keys[at] == wanted if len(keys) else False
        return np.asarray((~allowed).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Boxes:
    """Where released records may lie: between `least` and `most` in each coordinate."""

    least: Numbers
    most: Numbers

    @classmethod
    def points(cls, points: Numbers) -> Boxes:
        """Return boxes without extent."""
        return cls(points, points)

    @property
    def plain(self) -> bool:
        """Whether every box is a point."""
        return self.least is self.most

    def __len__(self) -> int:
        return len(self.least)

    def take(self, rows: Rows | slice) -> Boxes:
        """Return the boxes of some records."""
        least = np.ascontiguousarray(self.least[rows])
        return Boxes(least, least if self.plain else np.ascontiguousarray(self.most[rows]))

    def squared_to(self, points: Numbers) -> Numbers:
        """Return the squared distance of each box from the point paired with it.

        >>> boxes = Boxes(np.array([[1.0, -np.inf]]), np.array([[2.0, np.inf]]))
        >>> boxes.squared_to(np.array([[5.0, 7.0]]))
        array([9.])
        """
        if self.plain:
            return np.asarray(((self.least - points) ** 2).sum(axis=1))
        gap = np.maximum(np.maximum(self.least - points, points - self.most), 0.0)
        return np.asarray((gap**2).sum(axis=1))


class Places:
    """Where originals and released records lie: in coordinates, and in codes of nominal columns.

    `names` are the columns that take part: all about which the release says something. Those of
    them that have coordinates are `lines`. `scaling` is what columns are divided by, as in
    `Embedding.fit`.
    """

    def __init__(
        self,
        original: Microdata,
        released: Microdata,
        columns: Sequence[str],
        origin: Rows,
        scaling: str = "standard",
    ) -> None:
        view = Decoded(original, released, columns, origin)
        self.names = [name for name in columns if not view[name].lost]
        self.lines = [n for n in self.names if straight(view[n])]
        self._columns = [view[n] for n in self.lines]
        self._coded = [view[n] for n in self.names if n not in self.lines]
        self._embedding = once(
            original,
            "embedding",
            lambda: Embedding.fit(original, self.lines, scaling),
            (tuple(self.lines), scaling),
        )

    @property
    def widths(self) -> list[int]:
        """How many codes each nominal column of the originals has, including missing."""
        originals = [column.original for column in self._coded]
        return [len(levels_of(c)[0]) + int(c.missing.any()) for c in originals]

    def originals(self, rows: Rows | None = None) -> tuple[Numbers, Codes]:
        """Return coordinates and codes of these originals, of all if none are named."""
        at = slice(None) if rows is None else rows
        lines = [c.original for c in self._columns]
        if rows is not None:
            lines = [column.with_values(column.values[rows]) for column in lines]
        codes = [levels_of(column.original)[1][at] for column in self._coded]
        count = len((lines[0].values if lines else codes[0]) if self.names else ())
        together = np.empty((count, len(codes)), dtype=np.int32)
        for j, column in enumerate(codes):
            together[:, j] = column
        return self._embedding.points(Microdata(lines, rows=count)), together

    def released(self, rows: Rows | None = None) -> tuple[Boxes, CodeSets]:
        """Return boxes and codes of these released records, of all if none are named."""
        lines, coded = (
            columns if rows is None else [column.take(rows) for column in columns]
            for columns in (self._columns, self._coded)
        )
        count = len((lines or coded)[0].unknown) if self.names else 0
        cells = np.empty((count, len(coded)), dtype=np.int32)
        tables: list[Codes] = []
        for j, column in enumerate(coded):
            cells[:, j] = cells_of(column, levels_of(column.original)[0], tables)
        return _boxes(self._embedding, lines, count), CodeSets.together(cells, tables)


@dataclass(frozen=True, eq=False)
class Placed:
    """Originals and released records side by side, for linkage by distance."""

    names: list[str]
    points: Numbers
    boxes: Boxes
    codes: Codes
    sets: CodeSets

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        columns: Sequence[str],
        origin: Rows,
        scaling: str = "standard",
        widest: int = 64,
    ) -> Placed:
        """Place the records; nominal columns are codes if there are more than `widest` coordinates.

        `scaling` is what columns are divided by, as in `Embedding.fit`.
        """
        places = Places(original, released, columns, origin, scaling)
        points, codes = places.originals()
        boxes, sets = places.released()
        widths = places.widths
        if points.shape[1] + sum(widths) <= widest:
            points, boxes = _with_indicators(points, boxes, codes, sets, widths)
            codes, sets = codes[:, :0], CodeSets.single(sets.codes[:, :0])
        return cls(places.names, points, boxes, codes, sets)

    def take(self, rows: Rows) -> Placed:
        """Return the originals with some of the released records."""
        return Placed(
            self.names, self.points, self.boxes.take(rows), self.codes, self.sets.take(rows)
        )


def _anything(column: DecodedColumn) -> NDArray[np.bool_]:
    """Return the records about which the intruder knows nothing in this column."""
    return np.asarray(column.unknown | (column.missing & column.suppressed))


def straight(column: DecodedColumn) -> bool:
    """Whether a label of numbers, or of ordered categories, covers all between its ends."""
    if column.original.attribute.kind is Kind.NOMINAL:
        return False
    decoding = column.decoding
    if decoding is None or (decoding.lengths <= 1).all():
        return True
    if decoding.missing.any():
        # No point of a box belongs to both a value and a missing one.
        return False
    levels = levels_of(column.original)[0]
    covered = np.bincount(decoding.label, _levels_of_parts(decoding, levels)[0], len(decoding))
    least, most = decoding.hulls
    between = np.searchsorted(levels, most, "right") - np.searchsorted(levels, least, "left")
    return bool((covered >= between)[decoding.known].all())


def levels_of(column: Column) -> tuple[NDArray[np.number], Codes]:
    """Return the values that a column can have, and which one each record has; −1 is missing."""
    if not column.attribute.continuous:
        return np.arange(len(column.attribute.categories)), column.values
    levels = np.unique(column.values[~column.missing])
    places = np.where(column.missing, -1, np.searchsorted(levels, column.values))
    return levels, places.astype(np.int32)


def _levels_of_parts(
    decoding: Decoding, levels: NDArray[np.number]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many values of the original lie in each part, and the position of the first."""
    first = np.searchsorted(levels, decoding.low, "left")
    last = np.searchsorted(levels, decoding.high, "right")
    return np.where(decoding.missing, 0, last - first), first


def _boxes(embedding: Embedding, columns: Sequence[DecodedColumn], count: int) -> Boxes:
    anything = [_anything(column) for column in columns]
    plain = not any(
        c.decoding is not None or a.any() for c, a in zip(columns, anything, strict=True)
    )
    least = np.zeros((count, embedding.dimensions))
    most = least if plain else least.copy()
    at = 0
    for coordinate, column, unknown in zip(embedding.coordinates, columns, anything, strict=True):
        missing = column.missing & ~unknown
        if column.decoding is None:
            low = high = column.values.astype(np.float64)
        else:
            low, high = (np.append(end, np.nan)[column.values] for end in column.decoding.hulls)
        for side, values, end in ((least, low, -np.inf), (most, high, np.inf)):
            side[:, at] = np.where(missing, 0.0, _standardised(values, coordinate))
            side[unknown, at] = end
            if coordinate.with_missing:
                side[:, at + 1] = missing
                side[unknown, at + 1] = end
        at += 1 + coordinate.with_missing
    return Boxes(least, most)


def _standardised(values: Numbers, coordinate: Coordinate) -> Numbers:
    if coordinate.spread == 0:
        # A constant column distinguishes no records.
        return np.zeros(len(values))
    return np.asarray((values - coordinate.centre) / coordinate.spread)


def cells_of(column: DecodedColumn, levels: NDArray[np.number], tables: list[Codes]) -> Codes:
    """Return the codes of the released cells, adding sets to the tables."""
    codes = column.values
    if column.decoding is not None:
        gaps = bool(column.original.missing.any())
        codes = np.append(_sets_of(column.decoding, levels, gaps, tables), -1)[codes]
    return np.where(_anything(column), ANY, codes).astype(np.int32)


def _sets_of(
    decoding: Decoding, levels: NDArray[np.number], gaps: bool, tables: list[Codes]
) -> NDArray[np.int64]:
    """Return the code of each label: that of its single value, or of a new set.

    `gaps` says that the original has missing values.
    """
    count, first = _levels_of_parts(decoding, levels)
    size = np.where(decoding.missing, int(gaps), count)
    label = np.repeat(decoding.label, size)
    within = np.arange(len(label)) - np.repeat(np.cumsum(size) - size, size)
    member = np.where(np.repeat(decoding.missing, size), -1, np.repeat(first, size) + within)
    order = np.lexsort([member, label])
    label, member = label[order], member[order].astype(np.int32)
    ends = np.searchsorted(label, np.arange(len(decoding) + 1)).tolist()
    codes = np.full(len(decoding), ANY, dtype=np.int64)
    for number, (start, end) in enumerate(pairwise(ends)):
        if end - start == 1:
            codes[number] = member[start]
        elif decoding.known[number]:
            codes[number] = ANY - 1 - len(tables)
            tables.append(np.unique(member[start:end]))
    return codes


def _with_indicators(
    points: Numbers, boxes: Boxes, codes: Codes, sets: CodeSets, widths: Sequence[int]
) -> tuple[Numbers, Boxes]:
    """Return the coordinates with an indicator for each code, the last one for missing.

    A cell that stands for several codes is the box of their indicators: with indicators of 1, a
    code outside is 1 away from it. If all cells stand for one code, points with indicators of 1/√2
    suffice.
    """
    plain = sets.plain
    size = float(INDICATOR) if plain else 1.0
    added = np.zeros((len(points), sum(widths)))
    least = np.zeros((len(boxes), sum(widths)))
    most = least if plain else np.zeros_like(least)
    number = np.repeat(np.arange(len(sets.starts) - 1), np.diff(sets.starts))
    at = 0
    for j, width in enumerate(widths):
        # The code −1 of a missing value is the last place.
        added[np.arange(len(points)), at + codes[:, j] % width] = size
        cells = sets.codes[:, j]
        single = np.flatnonzero(cells > ANY)
        most[single, at + cells[single] % width] = size
        several = np.flatnonzero(cells < ANY)
        if len(several):
            used, place = np.unique(ANY - 1 - cells[several], return_inverse=True)
            in_used = np.isin(number, used)
            table = np.zeros((len(used), width))
            table[np.searchsorted(used, number[in_used]), sets.members[in_used] % width] = size
            most[several, at : at + width] = table[place]
        unknown = np.flatnonzero(cells == ANY)
        least[unknown, at : at + width] = -np.inf
        most[unknown, at : at + width] = np.inf
        at += width
    both = np.hstack([boxes.least, least])
    ends = both if plain and boxes.plain else np.hstack([boxes.most, most])
    return np.hstack([points, added]), Boxes(both, ends)
