"""Embedding: records as points whose squared Euclidean distance is that of mixed microdata.

The distance for mixed data is defined here:

- a continuous or ordinal column is one coordinate, divided by its spread (ordinal: by category
  number), so that it counts like any other;
- a nominal column differs by 0 (equal) or 1 (not): one coordinate per category, 1/√2 each, which
  gives exactly that squared distance; if there are many categories, codes serve just as well
  (`coded`);
- a missing value is a category of its own: at the column's centre, and one step of 1 away from
  every value that is present. It is never treated as zero or any other number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata.schema import Kind
from discreet.microdata.table import Column, Microdata

SCALINGS = ("standard", "range", "robust", "none")
MAX_CELLS = 400_000_000
"""About 3 GB of coordinates; beyond that an error message is better than a crash."""

PIECE = 65_536
"""Records that are summed at once."""

# The squared distance of two different unit vectors is 2, and should be 1.
INDICATOR = np.sqrt(0.5)


@dataclass(frozen=True)
class Coordinate:
    """How one column becomes coordinates: its centre and spread, or its categories."""

    name: str
    kind: Kind
    centre: float = 0.0
    spread: float = 1.0
    width: int = 1
    with_missing: bool = False


@dataclass(frozen=True)
class Embedding:
    """Maps tables to points, by the centres and spreads of the table that it was fitted to.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50], "sex": ["f", "m"]})
    >>> points = Embedding.fit(data, ["age", "sex"]).points(data)
    >>> float(((points[0] - points[1]) ** 2).sum())   # (20 / 10)² for age, 1 for sex
    5.0
    """

    coordinates: tuple[Coordinate, ...]

    @classmethod
    def fit(
        cls,
        data: Microdata,
        columns: Sequence[str],
        scaling: str = "standard",
        also: Microdata | None = None,
    ) -> Embedding:
        """Take centres and spreads from `data`, and allow for the gaps and categories of `also`
        too.

        `scaling` divides by the standard deviation ("standard"), by the range, by the interquartile
        range over 1.349 ("robust": the standard deviation of a normal column, unaffected by
        outliers), or not at all.
        """
        tables = [data] if also is None else [data, also]
        coordinates = []
        for name in columns:
            column = data.column(name)
            missing = any(bool(table.column(name).missing.any()) for table in tables)
            kind = column.attribute.kind
            if kind is Kind.NOMINAL:
                coordinates.append(
                    Coordinate(name, kind, width=len(column.attribute.categories),
                               with_missing=missing)
                )  # fmt: skip
            else:
                centre, spread = centre_and_spread(column, scaling)
                coordinates.append(Coordinate(name, kind, centre, spread, 1, missing))
        return cls(tuple(coordinates))

    @property
    def dimensions(self) -> int:
        """The number of coordinates of a point."""
        return sum(c.width + c.with_missing for c in self.coordinates)

    def apart(self, data: Microdata) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Return the coordinates of the columns that are not nominal, and the codes of the others.

        For distances that are computed pair by pair this is the same as `points`, and small where
        a nominal column has many categories. A missing value is a code of its own.
        """
        nominal = [c.name for c in self.coordinates if c.kind is Kind.NOMINAL]
        others = Embedding(tuple(c for c in self.coordinates if c.kind is not Kind.NOMINAL))
        codes = np.empty((len(data), len(nominal)), dtype=np.int32)
        for j, name in enumerate(nominal):
            codes[:, j] = data[name]
        return others.points(data), codes

    @property
    def nominal(self) -> int:
        """The number of nominal columns."""
        return sum(c.kind is Kind.NOMINAL for c in self.coordinates)

    @property
    def code_widths(self) -> NDArray[np.int64]:
        """How many codes `coded` has for each nominal column, one for missing if any is."""
        nominal = [c for c in self.coordinates if c.kind is Kind.NOMINAL]
        return np.array([c.width + c.with_missing for c in nominal], dtype=np.int64)

    def coded(self, data: Microdata) -> NDArray[np.float64]:
        """Return one row per record: the coordinates of `apart`, then the codes, counted from 0.

        What works on `points` by distances and averages can work on these instead, in one column
        per nominal attribute: see `discreet.kernels.kdtree`.

        >>> import discreet
        >>> data = discreet.read({"sex": ["f", "m", None], "age": [30, 50, 40]})
        >>> Embedding.fit(data, ["sex", "age"], "none").coded(data)
        array([[-10.,   0.],
               [ 10.,   1.],
               [  0.,   2.]])
        """
        points, codes = self.apart(data)
        nominal = [c for c in self.coordinates if c.kind is Kind.NOMINAL]
        widths = np.array([c.width for c in nominal], dtype=np.int32)
        return np.hstack([points, np.where(codes < 0, widths, codes)])

    def points(self, data: Microdata) -> NDArray[np.float64]:
        """Return one point per record."""
        if len(data) * self.dimensions > MAX_CELLS:
            widest = max(self.coordinates, key=lambda c: c.width)
            raise DataError(
                f"{len(data):,} records in {self.dimensions} coordinates do not fit in memory; "
                f"column '{widest.name}' alone has {widest.width} categories: recode it to "
                "fewer, or leave it to another method"
            )
        points = np.zeros((len(data), self.dimensions))
        at = 0
        for coordinate in self.coordinates:
            column = data.column(coordinate.name)
            missing = column.missing
            present = np.flatnonzero(~missing)
            if coordinate.kind is Kind.NOMINAL:
                points[present, at + column.values[present]] = INDICATOR
                if coordinate.with_missing:
                    points[missing, at + coordinate.width] = INDICATOR
            else:
                # A constant column has no spread and distinguishes no records.
                if coordinate.spread > 0:
                    points[present, at] = (
                        column.values[present] - coordinate.centre
                    ) / coordinate.spread
                if coordinate.with_missing:
                    points[missing, at + 1] = 1.0
            at += coordinate.width + coordinate.with_missing
        return points


def spread_out(
    coded: NDArray[np.float64], nominal: int, widths: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Return the points of rows whose last `nominal` columns are codes.

    `widths` is the number of categories of each, by default one more than the largest code.

    >>> spread_out(np.array([[7.0, 0.0], [7.0, 2.0]]), 1).round(3)
    array([[7.   , 0.707, 0.   , 0.   ],
           [7.   , 0.   , 0.   , 0.707]])
    """
    if not nominal:
        return coded
    numeric = coded.shape[1] - nominal
    codes = coded[:, numeric:].astype(np.int64)
    if widths is None:
        widths = codes.max(axis=0, initial=-1) + 1
    starts = np.append(numeric, numeric + np.cumsum(widths))
    points = np.zeros((len(coded), starts[-1]))
    points[:, :numeric] = coded[:, :numeric]
    for start, column in zip(starts, codes.T, strict=False):
        points[np.arange(len(coded)), start + column] = INDICATOR
    return points


def centre_and_spread(column: Column, scaling: str = "standard") -> tuple[float, float]:
    """Return the mean of the values present and what they are divided by; 0 if they are all equal.

    >>> import discreet
    >>> centre_and_spread(discreet.read({"age": [30, 50, None]}).column("age"))
    (40.0, 10.0)
    """
    values, missing = column.values, column.missing
    slices = [slice(at, at + PIECE) for at in range(0, len(values), PIECE)]

    def pieces() -> Iterator[NDArray[np.float64]]:
        return (values[s][~missing[s]].astype(np.float64) for s in slices)

    return centre_and_spread_of(pieces, scaling)


def centre_and_spread_of(
    pieces: Callable[[], Iterable[NDArray[np.float64]]], scaling: str = "standard"
) -> tuple[float, float]:
    """Return centre and spread of values that are read in pieces, up to twice.

    Sums are taken piece by piece in their order, so that they are the same wherever the pieces come
    from.

    >>> centre_and_spread_of(lambda: [np.array([30.0]), np.array([50.0])])
    (40.0, 10.0)
    """
    n, total, low, high = 0, 0.0, np.inf, -np.inf
    for values in pieces():
        if len(values):
            n, total = n + len(values), total + float(values.sum())
            low, high = min(low, float(values.min())), max(high, float(values.max()))
    if not n:
        return 0.0, 0.0
    if low == high:
        return low, 0.0
    centre = total / n
    if scaling == "none":
        return centre, 1.0
    if scaling == "range":
        return centre, high - low
    if scaling == "robust":
        lower, upper = np.quantile(np.concatenate(list(pieces())), [0.25, 0.75])
        if upper > lower:
            return centre, float((upper - lower) / 1.349)
        # Half of the values being equal leaves no interquartile range.
    squares = sum(float(np.square(values - centre).sum()) for values in pieces())
    return centre, float(np.sqrt(squares / n))
