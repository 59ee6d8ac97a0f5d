"""What value an untreated column should have for a person, given what is known about the person.

The relation is learned from other people: those held back, or each half of the file from the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.cells import Matrix, Rows
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.embedding import Embedding

MOST_CLASSES = 20
LEAST_SPREAD = 1e-4
"""A share of the column's deviation: a relation without error would leave no room for rounding."""
TAILS = 4.0
"""Degrees of freedom of the errors: a few people do not follow the relation."""


@dataclass(frozen=True, eq=False)
class ExpectedNumber:
    """The value expected for each person, and how far true values lie from it."""

    released: Numbers
    expected: Numbers
    spread: float

    def costs(self, rows: Rows, people: Rows | slice) -> Matrix:
        """Return −log of Student's density of the error, without its constant."""
        gap = self.released[rows, None] - self.expected[None, people]
        gap = np.nan_to_num(gap / self.spread, nan=0.0)
        return np.asarray((TAILS + 1) / 2 * np.log1p(gap**2 / TAILS), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class ExpectedClass:
    """−log of the chance of each class for each person; the last class is missing."""

    released: Rows
    costs_of: Numbers

    def costs(self, rows: Rows, people: Rows | slice) -> Matrix:
        """Return the cost of the released class for each person."""
        return self.costs_of[people][:, self.released[rows]].T.astype(np.float32)


def expected(
    original: Microdata,
    known: list[str],
    left: Column,
    released: Column,
    half: Rows,
    products: bool = True,
) -> ExpectedNumber | ExpectedClass | None:
    """Return what is expected of an untreated column; None if it has too many classes or none.

    Numbers are predicted by linear regression on the known columns or, with `products`, by that of
    logarithms where it fits better; classes by logistic regression. Each half of the people is
    predicted from the other.

    >>> import discreet
    >>> x = np.arange(1.0, 101.0)
    >>> data = discreet.read({"x": x, "y": 3 * x})
    >>> found = expected(data, ["x"], data.column("y"), data.column("y"), np.arange(100) % 2)
    >>> bool(np.allclose(found.expected, 3 * x))
    True
    """
    known_value = ~left.missing
    if min(int((known_value & (half == side)).sum()) for side in (0, 1)) < 10:
        return None
    points = Embedding.fit(original, known).points(original)
    if not left.attribute.continuous:
        if len(left.attribute.categories) > MOST_CLASSES:
            return None
        return _expected_class(points, left, released, half)
    values = left.values.astype(np.float64)
    ways = [(points, False)]
    logs = _logarithms(original, known) if products else None
    if logs is not None and (values[known_value] > 0).all():
        ways.append((np.column_stack([points, logs]), True))
    relations = [_expected_number(p, values, released.values, half, log) for p, log in ways]
    # The better relation is the one with the smaller error on the scale of the values.
    errors = [
        np.nanmedian(np.abs((np.exp(f.expected) if log else f.expected) - values))
        for f, (_, log) in zip(relations, ways, strict=True)
    ]
    return relations[int(np.argmin(errors))]


def _logarithms(original: Microdata, known: list[str]) -> Numbers | None:
    positive = [
        original[name]
        for name in known
        if original.schema[name].continuous
        and not original.column(name).missing.any()
        and (original[name] > 0).all()
    ]
    return np.log(np.column_stack(positive)) if positive else None


def _expected_number(
    points: Numbers, values: Numbers, released: Numbers, half: Rows, log: bool
) -> ExpectedNumber:
    with np.errstate(divide="ignore", invalid="ignore"):
        values, released = (np.log(values), np.log(released)) if log else (values, released)
    finite = np.isfinite(values)
    design = np.column_stack([np.ones(len(points)), points])
    guess = np.empty(len(values))
    for side in (0, 1):
        learned = finite & (half != side)
        beta = np.linalg.lstsq(design[learned], values[learned], rcond=None)[0]
        guess[half == side] = design[half == side] @ beta
    error = np.abs(values - guess)[finite]
    floor = LEAST_SPREAD * float(values[finite].std())
    spread = max(1.4826 * float(np.median(error)), floor, 1e-12)
    return ExpectedNumber(np.where(np.isfinite(released), released, np.nan), guess, spread)


def _expected_class(points: Numbers, left: Column, released: Column, half: Rows) -> ExpectedClass:
    from sklearn.linear_model import LogisticRegression

    width = len(left.attribute.categories) + 1
    codes = left.values.astype(np.int64) % width
    shares = np.full((len(points), width), 0.5 / width)
    for side in (0, 1):
        learned, asked = half != side, half == side
        if len(np.unique(codes[learned])) < 2:
            shares[np.ix_(asked, codes[learned][:1])] += 1
            continue
        model = LogisticRegression(max_iter=200).fit(points[learned], codes[learned])
        chances = model.predict_proba(points[asked])
        shares[np.ix_(asked, model.classes_)] += (learned.sum() / 50) * chances
    shares /= shares.sum(axis=1, keepdims=True)
    return ExpectedClass(released.values.astype(np.int64) % width, -np.log(shares))
