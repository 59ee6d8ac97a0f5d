"""MDAV on a tree of boxes, for all except small tables. See `discreet.kernels.mdav`."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, ExitStack, nullcontext

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.apart import call
from discreet.kernels.carried_sums import add
from discreet.kernels.compiling import compiled, in_place
from discreet.kernels.cores import Each
from discreet.kernels.kdtree import (
    NOBODY,
    Tree,
    build,
    remove,
    steps_from_average,
    steps_from_record,
)
from discreet.kernels.looking_ahead import Crew, threads_for
from discreet.kernels.mdav_ahead import (
    Ahead,
    callable_lists,
    farthest_listed_from,
    look_ahead_to,
    make_lists,
    nearest_listed,
    place_in_queue,
    row_around,
)
from discreet.kernels.mdav_front import Front, farthest_listed, list_front, no_front
from discreet.kernels.neighbours import searchable
from discreet.kernels.stretches import SECONDS, Advance, next_pace

_FIRST_STRETCH = 500
"""Records in the first stretch, a guess."""

# The tree is rebuilt when this share of its records is left: near-empty leaves waste time.
_WORN = 0.5


LISTED = 64
"""How many of the records farthest from the average are listed at a time."""
_WORTH, _WAIT = 16, 1024
"""A list that serves fewer pairs of groups is not worth making; then this many pass before the
next."""
AHEAD_FROM = 4_000
"""Threads look ahead while at least this many records are left; fewer are grouped in no time."""
QUEUED = 512
"""How many are listed if threads look ahead."""
WINDOW = 16
"""Of these, to how many each thread looks ahead."""


@compiled
def _add_all(
    sums: NDArray[np.float64], slips: NDArray[np.float64], points: NDArray[np.float64]
) -> None:
    for record in range(len(points)):
        add(sums, slips, points, record, 1.0)


@in_place
def _take_group(
    tree: Tree,
    points: NDArray[np.float64],
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    group: NDArray[np.int64],
    labels: NDArray[np.int64],
    label: int,
) -> None:
    """Label a group; remove it from the sums and, except for its first record, from the tree."""
    for m in range(1, len(group)):
        remove(tree, points, group[m])
    for m in range(1, len(group)):  # the compiler's own sort takes two seconds to compile
        record, at = group[m], m
        while at > 0 and group[at - 1] > record:
            group[at] = group[at - 1]
            at -= 1
        group[at] = record
    for record in group:
        labels[record] = label
        add(sums, slips, points, record, -1.0)


@compiled
def form_groups(
    tree: Tree,
    points: NDArray[np.float64],
    k: int,
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    ahead: Ahead,
    front: Front,
    labels: NDArray[np.int64],
    left: int,
    label: int,
    stop: int,
    listed: bool,
) -> tuple[int, int]:
    """Steps 1-4 until fewer than `stop` records are left, and the first group of step 5.

    Only as long as `front` can say which record is farthest from the average, if it lists any; and
    if they are to be `listed`, as long as these records have their lists.
    """
    far_keys, far = np.empty(1), np.empty(1, np.int64)
    keys, group, centre = np.empty(k - 1), np.empty(k, np.int64), np.zeros(points.shape[1])
    nominal = len(centre) > len(sums)
    while left >= max(stop, 2 * k):
        for j in range(len(sums)):
            centre[j] = (sums[j] + slips[j]) / left
        if nominal:
            steps_from_average(tree, tree.steps)
        if len(front.records):
            seed = farthest_listed(front, points, labels, centre)
        else:
            call(tree.farthest, tree, centre, far_keys, far)
            seed = far[0]
        at = place_in_queue(ahead, seed, labels) if len(ahead.queue) else -1
        if seed == NOBODY or (listed and at < 0):
            break
        pair = left >= 3 * k
        for turn in range(2 if pair else 1):
            if turn == 1:
                opposite = NOBODY
                if at >= 0:
                    call(ahead.make_lists, tree, points, labels, ahead, at)
                    opposite = farthest_listed_from(ahead, at, labels)
                if opposite == NOBODY:
                    if nominal:
                        steps_from_record(tree, points[seed])
                    call(tree.farthest, tree, points[seed], far_keys, far)
                    opposite = far[0]
                seed = opposite
            row, listed_near = row_around(ahead, at, seed) if at >= 0 else -1, False
            if row >= 0:
                call(ahead.make_lists, tree, points, labels, ahead, len(ahead.queue) + row)
                listed_near = nearest_listed(ahead, row, seed, labels, group[1:])
            group[0] = seed
            remove(tree, points, seed)  # it has left, even if there were ties
            if not listed_near:
                call(tree.nearest, tree, points[seed], keys, group[1:], group[:0])
            _take_group(tree, points, sums, slips, group, labels, label)
            left -= k
            label += 1
        if not pair:
            break
    return left, label


def labels_by_tree(
    points: NDArray[np.float64],
    k: int,
    advance: Advance | None = None,
    nominal: int = 0,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Return the labels of `mdav.mdav_labels`, for a table with columns and in range.

    With several `threads`, by default as many as there are cores, most searches in a large
    table are made ahead of time; the labels are the same.

    >>> labels_by_tree(np.array([[18.0], [19.0], [45.0], [46.0]]), 2)
    array([0, 0, 1, 1])
    """
    n, numeric = len(points), points.shape[1] - nominal
    labels = np.full(n, -1, np.int64)
    sums, slips = np.zeros(numeric), np.zeros(numeric)
    _add_all(sums, slips, points)
    nothing = look_ahead_to(np.empty(0, np.int64), k, 0)
    left, label, worn, pace, plain, wait = n, 0, n, _FIRST_STRETCH, 0, 1
    reported, clock = 0, time.perf_counter()
    threads = threads_for(n, make_lists) if threads is None else threads
    with ExitStack() as stack:
        crew: Crew | None = None
        each: Each = map
        if threads > 1 and n >= AHEAD_FROM:
            crew = stack.enter_context(Crew(threads))
            each = crew.each
        while left >= 2 * k:
            centre = np.append((sums + slips) / left, np.zeros(nominal))
            if left <= worn:
                tree = build(points, np.flatnonzero(labels < 0), centre, nominal, each)
                tree = searchable(tree, farthest_too=True)
                worn = int(_WORN * left)
            start, before = time.perf_counter(), left
            looks = crew is not None and left >= max(AHEAD_FROM, 4 * k)
            pairs = QUEUED if looks else LISTED
            lists = plain == 0 and left >= max(4 * k, 4 * pairs) and (looks or not nominal)
            front, ahead = no_front(), nothing
            if lists:
                if nominal:
                    steps_from_average(tree, tree.steps)
                front = list_front(tree, centre, pairs)
                if looks:
                    ahead = look_ahead_to(front.records, k, WINDOW * threads)
                    ahead = callable_lists(ahead, tree)
                # codes have shares for an average, which move too
                front = no_front() if nominal else front
            stop = max(left - (2 * k * plain if plain else pace), worn)
            helped: AbstractContextManager[None] = nullcontext()
            if crew is not None and len(ahead.queue):
                helped = crew.looking_ahead(make_lists, tree, points, labels, ahead)
            with helped:
                left, label = form_groups(
                    tree, points, k, sums, slips, ahead, front, labels, left, label, stop,
                    looks and lists,
                )  # fmt: skip
            plain = 0
            if lists:
                # a list that soon fails, as among ties, is not soon made again
                soon = left >= max(stop, 2 * k) and before - left < 2 * k * _WORTH
                wait = min(4 * wait, _WAIT) if soon else 1
                plain = wait if soon else 0
            pace = max(2 * k, int(min(n, next_pace(pace, start))))
            now = time.perf_counter()
            if advance is not None and now - clock >= SECONDS:
                advance(n - left - reported)
                reported, clock = n - left, now
            if before < 3 * k:
                break
    labels[labels < 0] = label
    if advance is not None and n > reported:
        advance(n - reported)
    return labels
