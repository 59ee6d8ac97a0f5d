"""Responses of a tree: the confidential columns as numbers whose squared error is reduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata, Numbers, Role, unknown_column

MOST_CLASSES = 256
"""Each class is a separate response; more would need more memory than the file."""
GROWN_CLASSES = 12
"""Classes for which an attack grows its tree; the rarer ones are one of them."""
HEAVY = 6.0
"""A kurtosis above which a number is far from normal, whose kurtosis is 3 (Laplace's is 6)."""


@dataclass(frozen=True, eq=False)
class Responses:
    """Numeric responses scaled to [0, 1] (Li & Sarkar, text above eq. 2), and classes.

    A categorical response enters the growing as one indicator per class: their squared error is
    n_t times the Gini index of the node, so that the same error serves both kinds. A missing
    number is set to the mean of its column; a missing category is a class of its own. A constant
    column is 0 throughout.

    `numbers` has a column per numeric response, named by `numeric`; `classes` has the class of
    each record for every name of `categorical`, numbered from 0.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 20, 50], "ill": ["y", "n", "y"]})
    >>> responses = Responses.of(data, ["pay", "ill"])
    >>> responses.numbers[:, 0]
    array([0.  , 0.25, 1.  ])
    >>> responses.matrix()
    array([[0.  , 0.  , 1.  ],
           [0.25, 1.  , 0.  ],
           [1.  , 0.  , 1.  ]])
    """

    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    numbers: Numbers
    classes: tuple[NDArray[np.int64], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, numeric ones first."""
        return self.numeric + self.categorical

    @classmethod
    def of(cls, data: Microdata, names: Sequence[str]) -> Responses:
        """Take columns of either kind as responses."""
        columns = [data.column(name) for name in dict.fromkeys(names)]
        numeric = [c for c in columns if c.attribute.continuous]
        categorical = [c for c in columns if not c.attribute.continuous]
        numbers = np.empty((len(data), len(numeric)))
        for j, column in enumerate(numeric):
            numbers[:, j] = _scaled(column)
        return cls(
            tuple(c.name for c in numeric),
            tuple(c.name for c in categorical),
            numbers,
            tuple(_classes(c) for c in categorical),
        )

    def matrix(self) -> Numbers:
        """Return the numbers and the class indicators side by side."""
        parts = [self.numbers]
        for classes in self.classes:
            count = int(classes.max(initial=-1)) + 1
            parts.append((classes[:, None] == np.arange(count)).astype(np.float64))
        return np.ascontiguousarray(np.hstack(parts))


def confidential_responses(data: Microdata, named: Sequence[str] | None, owner: str) -> list[str]:
    """Return the columns that a tree is to predict: those named, or all confidential ones.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 41], "pay": [1, 2]}, roles={"pay": "confidential"})
    >>> confidential_responses(data, None, "MART")
    ['pay']
    """
    names = list(data.having(Role.CONFIDENTIAL) if named is None else named)
    if not names:
        raise UsageError(
            f"{owner} needs a confidential column for the tree to predict, but the data have none; "
            "give a column the role confidential, or name columns with the parameter 'responses'"
        )
    for name in names:
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
    return names


def heavy_tails(responses: Responses) -> tuple[str, ...]:
    """Return the numeric responses whose kurtosis is above `HEAVY`.

    >>> import discreet
    >>> data = discreet.read({"pay": [1.0] * 49 + [90.0], "age": list(range(50))})
    >>> heavy_tails(Responses.of(data, ["pay", "age"]))
    ('pay',)
    """
    centred = responses.numbers - responses.numbers.mean(axis=0)
    variance = (centred**2).mean(axis=0)
    fourth = (centred**4).mean(axis=0)
    heavy = fourth > HEAVY * variance**2
    return tuple(name for name, is_heavy in zip(responses.numeric, heavy, strict=True) if is_heavy)


def _scaled(column: Column) -> Numbers:
    values, missing = column.values, column.missing
    if np.isinf(values).any():
        raise DataError(
            f"a response must be finite, but column '{column.name}' is infinite in row "
            f"{int(np.argmax(np.isinf(values))) + 1}; make it missing or correct it"
        )
    if missing.all():
        return np.zeros(len(values))
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    # Halves, since the range of values at both limits of floating point would overflow.
    span = high / 2 - low / 2
    if span == 0:
        return np.zeros(len(values))
    scaled = (values / 2 - low / 2) / span
    return np.where(missing, np.nanmean(scaled), scaled)


def _classes(column: Column) -> NDArray[np.int64]:
    """Number the classes that occur; a missing one comes first."""
    occurring, classes = np.unique(column.values, return_inverse=True)
    if len(occurring) > MOST_CLASSES:
        raise DataError(
            f"a categorical response may have at most {MOST_CLASSES} classes, but column "
            f"'{column.name}' has {len(occurring)}; recode it to fewer, or declare it continuous"
        )
    return np.asarray(classes, dtype=np.int64)
