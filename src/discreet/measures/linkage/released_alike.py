"""The most that any intruder can do: records that are released alike cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.contracts import Context
from discreet.measures.linkage.cells import Rows
from discreet.measures.view import alike
from discreet.microdata import Microdata


def most_linked(released: Microdata, names: Sequence[str], origin: Rows, context: Context) -> float:
    """Return the share of released records that anybody could link correctly, on average.

    Whatever is known about the people, each record of a class that is released alike is as likely
    as the others to belong to a certain person. So to whichever person each of them is linked, one
    link of a class is right on average, or as many as one person has records in it.

    >>> import discreet
    >>> released = discreet.read({"age": [30, 30, 30, 41]})
    >>> most_linked(released, ["age"], np.arange(4), Context())
    0.5
    >>> most_linked(released, ["age"], np.array([0, 0, 1, 2]), Context())   # 0 was drawn twice
    0.75
    """
    present = [name for name in names if name in released.schema]
    labels = alike(released, present, context) if present else np.zeros(len(released), np.int64)
    most = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    if len(origin) and np.bincount(origin - origin.min()).max() == 1:
        most[:] = 1
    else:
        of_person, times = np.unique(np.column_stack([labels, origin]), axis=0, return_counts=True)
        np.maximum.at(most, of_person[:, 0], times)
    return float(most.sum()) / len(released)
