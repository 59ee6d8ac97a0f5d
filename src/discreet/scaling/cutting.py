"""Cutting a large file along the data, until each part fits in memory.

The cuts are those of `discreet.microaggregation.blocks`, to the last record: the direction comes
from sums over the same pieces, and the median is exact. A part is a file of records: the number of
the row, then the values of the treated columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import STRETCH, Progress
from discreet.microaggregation.blocks import (
    Direction,
    Points,
    lower_half,
    principal_direction,
)
from discreet.microdata import Column, Microdata
from discreet.microdata.embedding import Coordinate, Embedding, centre_and_spread_of
from discreet.microdata.schema import Kind
from discreet.models.order_statistics import nth
from discreet.scaling.store import Store

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Leaf:
    """A part that fits in memory: its file and its number of records."""

    path: Path
    rows: int


def fitted_embedding(store: Store, names: Sequence[str], scaling: str) -> Embedding:
    """Return the embedding that `Embedding.fit` gives for a table in memory."""
    coordinates = []
    for name in names:
        attribute = store.attributes[name]
        missing = any(piece.column(name).missing.any() for piece in store.pieces([name]))
        if attribute.kind is Kind.NOMINAL:
            width = len(attribute.categories)
            coordinates.append(Coordinate(name, attribute.kind, width=width, with_missing=missing))
            continue

        def values(name: str = name) -> Iterator[Floats]:
            for piece in store.pieces([name]):
                column = piece.column(name)
                yield column.values[~column.missing].astype(np.float64)

        centre, spread = centre_and_spread_of(values, scaling)
        coordinates.append(Coordinate(name, attribute.kind, centre, spread, 1, missing))
    return Embedding(tuple(coordinates))


@dataclass(frozen=True, eq=False)
class Cut:
    """The file of records being cut: which columns it has, and how they become points.

    The embedding may be of some of the columns only; the others are carried along.
    """

    store: Store
    names: tuple[str, ...]
    embedding: Embedding
    points_of: Callable[[Embedding, Microdata], Points] = Embedding.coded

    @property
    def width(self) -> int:
        """The numbers of a record."""
        return 1 + len(self.names)

    def data(self, records: Floats) -> Microdata:
        """Return records of the file as a table of the treated columns."""
        head = self.store.head
        columns = [
            Column(self.store.attributes[name], np.ascontiguousarray(values))
            for name, values in zip(self.names, records.T[1:], strict=True)
        ]
        return Microdata(columns, head.source)

    def points(self, records: Floats) -> Points:
        """Return records of the file as points."""
        return self.points_of(self.embedding, self.data(records))

    def pieces(self, path: Path | None) -> Iterator[Floats]:
        """Yield the records of a part, or of the whole store, in pieces."""
        if path is not None:
            yield from records_of(path, self.width)
            return
        at = 0
        for piece in self.store.pieces(self.names):
            rows = np.arange(at, at + len(piece), dtype=np.float64)
            at += len(piece)
            yield np.column_stack([rows, *(piece[name] for name in self.names)])


def cut_to_fit(
    cut: Cut, work: Path, most: int, k: int, progress: Progress
) -> tuple[list[Leaf], float]:
    """Cut the store into parts of at most `most` records; return them in the order of the tree.

    The second value is the sum of squares of all points about their average.
    """
    leaves: list[Leaf] = []
    waiting: list[tuple[Path | None, int]] = [(None, len(cut.store))]
    scatter = 0.0
    made = 0
    with progress.task("cutting along the data", len(cut.store)) as advance:
        while waiting:
            path, rows = waiting.pop()
            if path is not None and rows <= most:
                leaves.append(Leaf(path, rows))
                advance(rows)
                continue
            if rows <= most:
                path = _written(cut, work / "part-000000")
                waiting.append((path, rows))
                continue
            direction = principal_direction(_points(cut, path), cut.embedding.code_widths)
            scatter = scatter or direction.scatter
            half = lower_half(rows, k)
            sides = [work / f"part-{made + side:06d}" for side in (1, 2)]
            made += 2
            _split(cut, path, direction, half, sides[0], sides[1])
            if path is not None:
                path.unlink()
            waiting += [(sides[1], rows - half), (sides[0], half)]
    if not scatter:
        scatter = principal_direction(
            _points(cut, leaves[0].path), cut.embedding.code_widths
        ).scatter
    return leaves, scatter


def _points(cut: Cut, path: Path | None) -> Callable[[], Iterator[Points]]:
    return lambda: (cut.points(records) for records in cut.pieces(path))


def _written(cut: Cut, path: Path) -> Path:
    with path.open("wb") as file:
        for records in cut.pieces(None):
            records.tofile(file)
    return path


def _split(
    cut: Cut, path: Path | None, direction: Direction, half: int, low: Path, high: Path
) -> None:
    """Write the lower half of a part to one file and the rest to another."""
    places = low.with_name("places")
    with places.open("wb") as file:
        for records in cut.pieces(path):
            direction.places(cut.points(records)).tofile(file)
    at, below = nth(lambda: numbers_of(places), half)
    equal = half - below
    with low.open("wb") as lower, high.open("wb") as upper:
        for records, place in zip(cut.pieces(path), numbers_of(places), strict=True):
            mask = place < at
            same = place == at
            if equal and same.any():
                # Among the records at the cut itself, the first ones belong to the lower half.
                chosen = same & (np.cumsum(same) <= equal)
                equal -= int(chosen.sum())
                mask |= chosen
            records[mask].tofile(lower)
            records[~mask].tofile(upper)
    places.unlink()


def numbers_of(path: Path) -> Iterator[Floats]:
    """Yield the numbers of a file in pieces."""
    for records in records_of(path, 1):
        yield records[:, 0]


def records_of(path: Path, width: int) -> Iterator[Floats]:
    """Yield the records of a file in pieces of `STRETCH`."""
    with path.open("rb") as file:
        while len(read := np.fromfile(file, np.float64, STRETCH * width)):
            yield read.reshape(-1, width)
