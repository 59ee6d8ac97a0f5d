"""Means and covariances as parameters: those of one file, stated for others.

They are in the units of the columns, those of dates in days, whatever a file counts dates by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet.contracts import Entries
from discreet.contracts.named_entries import is_number, named
from discreet.errors import UsageError
from discreet.microdata import Microdata, Numbers
from discreet.microdata.dates import day_of

MOST_COLUMNS = 100
"""The most columns whose covariances are stated for other files; with more, each file's own are
used.
"""


def covariance_entries(sigma: Numbers, head: Microdata, names: Sequence[str]) -> dict[str, Any]:
    """Return a covariance matrix as a plan states it, each pair once.

    >>> import discreet
    >>> head = discreet.read({"age": [1.0], "pay": [2.0]})
    >>> covariance_entries(np.array([[4.0, 1.0], [1.0, 9.0]]), head, ["age", "pay"])
    {'age': {'age': 4.0, 'pay': 1.0}, 'pay': {'pay': 9.0}}
    """
    days = _days(head, names)
    return {
        name: {names[j]: float(sigma[i, j] / days[i] / days[j]) for j in range(i, len(names))}
        for i, name in enumerate(names)
    }


def stated_covariance(
    entries: Mapping[str, Any], head: Microdata, names: Sequence[str], owner: str
) -> Numbers:
    """Return the covariance matrix that was stated for the treated columns.

    >>> import discreet
    >>> head = discreet.read({"age": [1.0], "pay": [2.0]})
    >>> given = {"age": {"age": 4.0, "pay": 1.0}, "pay": {"pay": 9.0}}
    >>> stated_covariance(given, head, ["pay", "age"], "AdditiveNoise")
    array([[9., 1.],
           [1., 4.]])
    """
    days, sigma = _days(head, names), np.zeros((len(names), len(names)))
    rows = named(entries, names, "covariances", owner)
    for name, row in rows.items():
        if not isinstance(row, Mapping):
            raise UsageError(
                f"covariances of {owner} must list columns with numbers for '{name}', such as "
                f"{{{name}: 4.0}} for its own variance"
            )
        named(row, names, f"the row '{name}' in covariances", owner)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            value = rows.get(first, {}).get(second, rows.get(second, {}).get(first))
            if not is_number(value) or (i == j and value < 0):
                raise UsageError(
                    f"covariances of {owner} must give a number for each pair of the treated "
                    f"columns, not below 0 for a column with itself, but do not for '{first}' and "
                    f"'{second}'; state it, or leave covariances out to take those of the file"
                )
            sigma[i, j] = value * days[i] * days[j]
    return sigma


def mean_entries(centre: Numbers, head: Microdata, names: Sequence[str]) -> dict[str, float]:
    """Return means as a plan states them.

    >>> import discreet
    >>> mean_entries(np.array([4.5]), discreet.read({"age": [1.0]}), ["age"])
    {'age': 4.5}
    """
    days = _days(head, names)
    return {name: float(centre[i] / days[i]) for i, name in enumerate(names)}


def stated_means(entries: Entries, head: Microdata, names: Sequence[str], owner: str) -> Numbers:
    """Return the means that were stated for the treated columns.

    >>> import discreet
    >>> stated_means({"age": 4.5}, discreet.read({"age": [1.0]}), ["age"], "AdditiveNoise")
    array([4.5])
    """
    given, days = named(entries, names, "means", owner), _days(head, names)
    for name in names:
        if not is_number(given.get(name)):
            raise UsageError(
                f"means of {owner} must give a number for each treated column where covariances "
                f"are stated, but do not for '{name}'"
            )
    return np.array([given[name] for name in names], dtype=np.float64) * days


def _days(head: Microdata, names: Sequence[str]) -> Numbers:
    return np.array([day_of(head, name) or 1.0 for name in names])
