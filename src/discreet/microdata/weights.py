"""Weights: how many members of the population each record of a sample stands for.

One weight column counts, the first of that role; what is computed with it names it. Weights are
taken relative to their mean, so that they sum to the number of records.
"""

from __future__ import annotations

import numpy as np

from discreet.microdata.arrays import Numbers
from discreet.microdata.schema import Role
from discreet.microdata.table import Microdata


def weight_column(data: Microdata) -> str | None:
    """Return the name of the weight column that counts; None if there is none with numbers.

    >>> import discreet
    >>> weight_column(discreet.read({"w": [1, 3], "age": [20, 40]}, roles={"w": "weight"}))
    'w'
    """
    numbers = (name for name in data.having(Role.WEIGHT) if data.schema[name].continuous)
    return next(numbers, None)


def weights_of(data: Microdata) -> Numbers | None:
    """Return the weight of each record over the mean weight; None where all count the same.

    A record without a weight, or with a negative one, stands for nobody.

    >>> import discreet
    >>> weights_of(discreet.read({"w": [1, 3], "age": [20, 40]}, roles={"w": "weight"}))
    array([0.5, 1.5])
    """
    name = weight_column(data)
    if name is None or not len(data):
        return None
    values = data[name]
    weights = np.where(np.isfinite(values) & (values > 0), values, 0.0)
    largest = float(weights.max())
    if largest == float(weights.min()):
        return None
    relative = weights / largest
    return np.asarray(relative / relative.mean())


def effective_size(weights: Numbers) -> float:
    """Return how many records of equal weight carry as much information: (Σw)² / Σw² (Kish 1965,
    §11.7).

    >>> effective_size(np.array([1.0, 1.0, 2.0])).__round__(6)
    2.666667
    """
    squares = float((weights**2).sum())
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def design_effect(*files: Microdata) -> float:
    """Return by how much weights raise the variance of a share, on average over some files.

    >>> import discreet
    >>> design_effect(discreet.read({"w": [1, 3]}, roles={"w": "weight"}))
    1.25
    """
    weights = [weights_of(data) for data in files]
    return float(np.mean([1.0 if w is None else len(w) / effective_size(w) for w in weights]))
