"""The strata of PRAM, and the invariant matrix of the records of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns
from discreet.methods.perturbative.pram.markov import MarkovMatrix, invariant_matrix
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.equivalence import classes
from discreet.microdata.hierarchy import text_of

Codes = NDArray[np.int64]
Strata = list[tuple[str, Codes]]
"""Each stratum's name in a plan, and its rows; different strata may be written alike."""
ANY_STRATUM = ""


def invariant_of(
    column: Column, rows: Codes, stay: float, weights: Numbers | None = None
) -> MarkovMatrix:
    """Return the invariant matrix of some records; categories that do not occur stay.

    >>> import discreet
    >>> column = discreet.read({"sex": ["f", "m"]}).column("sex")
    >>> invariant_of(column, np.arange(2), 0.7, np.array([3.0, 1.0])).probabilities.round(6)
    array([[0.9, 0.1],
           [0.3, 0.7]])
    """
    texts = tuple(text_of(category) for category in column.attribute.categories)
    present = rows[column.values[rows] >= 0]
    counted = None if weights is None else weights[present]
    counts = np.bincount(column.values[present], counted, len(texts))
    probabilities = np.eye(len(texts))
    occurring = np.flatnonzero(counts)
    if len(occurring) > 1:
        probabilities[np.ix_(occurring, occurring)] = invariant_matrix(counts[occurring], stay)
    return MarkovMatrix(texts, texts, probabilities)


def strata_of(data: Microdata, strata: Columns) -> Strata:
    """Return the name and the rows of each stratum; without strata, all rows and an empty name."""
    if not strata:
        return [(ANY_STRATUM, np.arange(len(data)))]
    columns = [data.column(name) for name in strata]
    labels = classes(data, strata)
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return [
        ("+".join(_text(column, rows[0]) for column in columns), rows)
        for rows in np.split(order, cuts)
        if len(rows)
    ]


def _text(column: Column, row: int) -> str:
    if column.missing[row]:
        return "missing"
    value, attribute = column.values[row], column.attribute
    return text_of(float(value) if attribute.continuous else attribute.categories[value])
