"""Linkage of records that were drawn within groups: what share of the group is among the nearest.

Such a record has no original of its own; any original of its group stands in for it, and counts by
one over the size of the group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups
from discreet.measures.linkage.neighbours import BLOCK, TIE, in_blocks
from discreet.measures.linkage.sets import Boxes, Codes, CodeSets
from discreet.microdata import Numbers

CELLS = 1_000_000
"""Neighbours that are examined together."""


def group_among_nearest(
    originals: Numbers,
    released: Numbers | Boxes,
    groups: Groups,
    own_groups: NDArray[np.int64],
    m: int,
    context: Context,
    codes: tuple[Codes, CodeSets] | None = None,
) -> Numbers:
    """Return for each released record the share of its group that is among the m nearest.

    It is the probability that a record drawn at random from the group is among them. `own_groups`
    are the groups of the released points. Ties are drawn from at random, and `codes` are nominal
    columns, as in `own_among_nearest`.

    >>> points = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> groups = Groups(np.array([0, 0, 1, 1]))
    >>> group_among_nearest(points, np.array([[0.2], [0.9], [1.1], [5.5]]), groups,
    ...                     groups.labels, 1, Context())
    array([0.5, 0.5, 0. , 0.5])
    """
    # A distance is no more exact than the coordinates from which it is computed.
    slack = 8 * float(np.finfo(np.float64).eps * np.abs(originals).max(initial=0))
    boxes = released if isinstance(released, Boxes) else Boxes.points(released)
    if codes is None and boxes.plain:
        with context.task("linking records", len(boxes)) as advance:
            linked = np.empty(len(boxes))
            places = _Places(originals, groups)
            for start in range(0, len(boxes), BLOCK):
                rows = np.arange(start, min(start + BLOCK, len(boxes)))
                linked[rows] = places.of_own_group(boxes.least[rows], own_groups[rows], m, slack)
                advance(len(rows))
    else:
        linked = _by_comparison(originals, boxes, codes, groups, own_groups, m, slack, context)
    return np.asarray(linked / groups.sizes[own_groups])


class _Places:
    """The different points among the originals, in a tree, with their originals of each group.

    Equal originals are one place: otherwise, with thousands of them, each would have to be visited
    for every released record.
    """

    def __init__(self, originals: Numbers, groups: Groups) -> None:
        from scipy.spatial import cKDTree

        places, place = np.unique(originals, axis=0, return_inverse=True)
        place = place.reshape(-1)
        self._tree = cKDTree(places)
        self._alike = np.bincount(place)
        self._groups = groups.count + 1  # −1 is a label too
        keys = place * self._groups + groups.labels + 1
        self._keys, self._counts = np.unique(keys, return_counts=True)

    def of_own_group(
        self, released: Numbers, own_groups: NDArray[np.int64], m: int, slack: float
    ) -> Numbers:
        """Return the expected number of originals of the record's group among the m nearest."""
        linked = np.empty(len(released))
        rows, wanted = np.arange(len(released)), m + 1
        while len(rows):
            wanted = min(wanted, len(self._alike))
            step = max(1, CELLS // wanted)
            open_still = []
            for part in (rows[at : at + step] for at in range(0, len(rows), step)):
                linked[part], reached = self._counted(
                    released[part], own_groups[part], wanted, m, slack
                )
                open_still.append(part[reached])
            # Ties that reach the last place found may continue beyond it.
            rows = np.concatenate(open_still) if wanted < len(self._alike) else rows[:0]
            wanted *= 4
        return linked

    def _counted(
        self, released: Numbers, own_groups: NDArray[np.int64], wanted: int, m: int, slack: float
    ) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the same from this many places each, and whether the last of them is tied."""
        distances, places = (
            np.asarray(a).reshape(len(released), -1)
            for a in self._tree.query(released, wanted, workers=-1)
        )
        alike = self._alike[places]
        enough = np.cumsum(alike, axis=1) >= m
        enough[:, -1] = True
        last = np.take_along_axis(distances, enough.argmax(axis=1)[:, None], axis=1)
        width = TIE * last + slack
        nearer, tied = distances < last - width, np.abs(distances - last) <= width
        left = np.maximum(m - (nearer * alike).sum(axis=1), 0)
        drawn = np.minimum(left / (tied * alike).sum(axis=1), 1.0)
        chance = nearer + tied * drawn[:, None]
        return (chance * self._of_group(places, own_groups)).sum(axis=1), tied[:, -1]

    def _of_group(
        self, places: NDArray[np.int64], own_groups: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return how many originals of the record's group are at each place found."""
        keys = places * self._groups + own_groups[:, None] + 1
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._counts[at], 0)


def _by_comparison(
    originals: Numbers,
    boxes: Boxes,
    codes: tuple[Codes, CodeSets] | None,
    groups: Groups,
    own_groups: NDArray[np.int64],
    m: int,
    slack: float,
    context: Context,
) -> Numbers:
    from discreet.kernels.group_linkage import count_group_nearest

    linked = np.empty(len(boxes))
    originals = np.ascontiguousarray(originals)
    least, most = np.ascontiguousarray(boxes.least), np.ascontiguousarray(boxes.most)
    if codes is None:
        none = np.zeros((len(boxes), 0), np.int32)
        codes = np.zeros((len(originals), 0), np.int32), CodeSets.single(none)
    before, after = codes
    # writeable only because the kernel is compiled for one type of array
    labels = np.require(groups.labels, np.int64, ["C", "W"])
    own_groups = np.require(own_groups, np.int64, ["C", "W"])

    def block(start: int) -> int:
        part = slice(start, start + BLOCK)
        count_group_nearest(
            originals,
            least[part],
            most[part],
            before,
            after.codes[part],
            after.starts,
            after.members,
            labels,
            own_groups[part],
            m,
            TIE,
            slack,
            linked[part],
        )
        return len(linked[part])

    in_blocks(block, len(boxes), context)
    return linked
