"""The squared loss of one column: how far released values lie from the original's.

The scale is that of the embedding. A number, or the place of an ordered category, is one coordinate
in deviations of the original; a missing value stands at the mean, with a further coordinate of 1.
A nominal value x that is released as shares p of the categories loses ½‖onehot(x) − p‖²: nothing
where it is itself, 1 where it is another category. Where nothing is known, the column's mean
stands for a number, so that a lost column loses exactly its sum of squares; for a category the
released shares, or equal ones if there are none, so that it loses at least as much.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Kind, Numbers
from discreet.microdata.decoded import DecodedColumn
from discreet.microdata.decoding import Decoding
from discreet.microdata.embedding import centre_and_spread
from discreet.models import design_matrix

FARTHEST = 1e140
"""Deviations beyond which all is equally far: squares of more could not be summed."""


def squared_loss(
    column: DecodedColumn, origin: NDArray[np.int64], weights: Numbers | None = None
) -> tuple[Numbers, float]:
    """Return the loss of each released record, and the mean loss if all but the mean is lost.

    `weights` are those of the original's records: means and deviations are then the population's.

    >>> import discreet
    >>> from discreet.microdata.decoded import Decoded
    >>> original = discreet.read({"age": [20, 22, 40, 42]})
    >>> released = discreet.read({"age": ["20–22", "20–22", "*", "42"]})
    >>> loss, total = squared_loss(Decoded(original, released, ["age"])["age"], np.arange(4))
    >>> loss.round(3), round(total, 9)   # 1 and 81 beside a variance of 101
    (array([0.01 , 0.01 , 0.802, 0.   ]), 1.0)
    """
    nominal = column.original.attribute.kind is Kind.NOMINAL
    return (_of_categories if nominal else _of_numbers)(column, origin, weights)


def _of_numbers(
    column: DecodedColumn, origin: NDArray[np.int64], weights: Numbers | None
) -> tuple[Numbers, float]:
    before = column.original
    centre, spread = _scale(before, weights)
    absent = before.missing
    gaps = float(np.average(absent, weights=weights)) if len(absent) else np.nan
    total = (1 - gaps if spread > 0 else 0.0) + gaps * (1 - gaps)
    unit = spread or 1.0
    truth = np.where(absent, 0.0, (before.values - centre) / unit)[origin]
    was_missing = absent[origin].astype(np.float64)
    released = (column.expected - centre) / unit
    # What is expected of both coordinates: the value, and whether it is missing.
    value = np.where(np.isnan(released), 0.0, released)
    missing = np.where(column.unknown, gaps, column.missing)
    if column.decoding is not None:
        share = np.append(column.decoding.missing_share, 0.0)[column.values]
        labelled = ~(column.unknown | column.missing)
        value = np.where(labelled, (1 - share) * value, value)
        missing = np.where(labelled, share, missing)
    if spread == 0:
        value = truth = np.zeros(len(origin))
    # A value that a method moved far beyond a tiny spread costs no more than squares can hold.
    gap = np.clip(value - truth, -FARTHEST, FARTHEST)
    return gap**2 + (missing - was_missing) ** 2, total


def _scale(column: Column, weights: Numbers | None) -> tuple[float, float]:
    """Return mean and deviation; the deviation of a constant is 0."""
    if weights is None:
        return centre_and_spread(column)
    counted = column.values[~column.missing & (weights > 0)]
    centre, spread = design_matrix.centre_and_spread([column], weights)
    return centre, spread if len(counted) and np.ptp(counted) > 0 else 0.0


def _of_categories(
    column: DecodedColumn, origin: NDArray[np.int64], weights: Numbers | None
) -> tuple[Numbers, float]:
    before = column.original
    width = len(before.attribute.categories) + 1
    codes = np.where(before.values < 0, width - 1, before.values)
    counts = np.bincount(codes, weights, width) / max(len(codes), 1)
    total = (1 - float((counts**2).sum())) / 2
    truth = codes[origin]
    shares = np.append(column.shares, 0.0)
    loss = (1 - 2 * shares[truth] + float((shares**2).sum())) / 2
    known = np.flatnonzero(~column.unknown)
    if column.decoding is None:
        released = column.values[known]
        loss[known] = np.where(released < 0, width - 1, released) != truth[known]
    else:
        labels = np.where(column.values[known] < 0, len(column.decoding), column.values[known])
        alike, squares = _shares(column.decoding, labels, truth[known], width)
        loss[known] = (1 - 2 * alike + squares) / 2
    return loss, total


def _shares(
    decoding: Decoding, labels: NDArray[np.int64], codes: NDArray[np.int64], width: int
) -> tuple[Numbers, Numbers]:
    """Return the share of each code in the label beside it, and the label's sum of squared shares.

    The label after the last one is a missing value.
    """
    last = len(decoding)
    part = np.append(decoding.label, last)
    code = np.append(np.where(decoding.missing, width - 1, np.nan_to_num(decoding.low)), width - 1)
    keys = (part * width + code).astype(np.int64)
    cells, place = np.unique(keys, return_inverse=True)
    weight = np.bincount(place, np.append(decoding.weight, 1.0))
    squares = np.bincount(cells // width, weight**2, last + 1).astype(np.float64)
    wanted = labels * width + codes
    at = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
    return np.where(cells[at] == wanted, weight[at], 0.0), squares[labels]
