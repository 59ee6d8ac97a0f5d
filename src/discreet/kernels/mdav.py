"""MDAV microaggregation (maximum distance to average vector), exact and deterministic."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.magnitude import in_range
from discreet.kernels.mdav_by_scan import labels_by_scan
from discreet.kernels.stretches import Advance

SCANNED = 1e9
"""All records are scanned while n²/k · c, for n records and c columns, is below this in total over
the tables of a process: that takes about two seconds, a third of the time to compile the tree."""
AT_HAND = 1e7
"""The same if the compiler is loaded and has already compiled the tree."""

_scanned = [0.0]


def _worth_scanning(work: float) -> bool:
    """Whether a table is scanned; either way gives the same labels."""
    if _scanned[0] + work > (AT_HAND if _tree_at_hand() else SCANNED):
        return False
    _scanned[0] += work
    return True


@contextmanager
def none_scanned() -> Iterator[None]:
    """Label small tables in the way of a large one, whose time is to be estimated from theirs."""
    before, _scanned[0] = _scanned[0], math.inf
    try:
        yield
    finally:
        _scanned[0] = before


def _tree_at_hand() -> bool:
    if "numba" not in sys.modules:
        return False
    from discreet.kernels.compiling import at_hand
    from discreet.kernels.mdav_by_tree import form_groups

    return at_hand(form_groups)


def mdav_labels(
    points: NDArray[np.float64],
    k: int,
    advance: Advance | None = None,
    nominal: int = 0,
) -> NDArray[np.int64]:
    """Group records by MDAV (Algorithm 1.1), each with the k - 1 or more closest to it.

    While 3k records or more are left: the record farthest from their average and the k - 1
    nearest to it form a group; then the record farthest from the former and the k - 1
    nearest to it. Of 2k to 3k - 1 records left, one more group forms in the same way and
    the rest is the last; fewer than 2k are the last group themselves.

    Distances are squared Euclidean on the columns as they are given: standardise them
    first. Ties go to the lowest index, so that the labels depend on the data alone. A nominal
    column counts 1 where two records differ; its average is the share of each category, as if it
    had a coordinate of 1/√2 for each.

    Parameters
    ----------
    points
        Records by columns, finite; codes from 0 in nominal columns.
    k
        Least size of a group; with fewer than 2k records there is one group.
    advance
        Called between stretches of work, a few times a second at most, with the number of
        records grouped since the last call. What it raises stops the run.
    nominal
        How many of the columns, the last ones, are nominal.

    Returns
    -------
    The group of each record, numbered from 0 in the order in which groups are formed.

    Examples
    --------
    >>> import numpy as np
    >>> ages = np.array([[18.0], [19.0], [20.0], [45.0], [46.0], [48.0], [80.0], [83.0]])
    >>> mdav_labels(ages, k=2)
    array([1, 1, 2, 2, 3, 3, 0, 0])
    """
    if k < 1:
        raise ValueError(f"MDAV needs groups of at least one record, but k is {k}")
    # writeable only because the kernels are compiled for one type of array
    points, _ = in_range(np.require(points, np.float64, ["C", "A", "W"]), "MDAV", nominal)
    if points.shape[1] == 0:
        points = np.zeros((len(points), 1))
    if _worth_scanning(len(points) ** 2 / k * points.shape[1]):
        return labels_by_scan(points, k, advance, nominal)
    from discreet.kernels.mdav_by_tree import labels_by_tree

    return labels_by_tree(points, k, advance, nominal)
