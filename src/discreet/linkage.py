"""Distance linkage: how often a released record's nearest originals include its own.

Both measures of the papers differ only in how many candidates the intruder looks at, so they share
this definition: standardised Euclidean distance on the quasi-identifiers, nominal 0/1, and ties
count one over the number tied.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.comparison import comparable, in_same_categories
from discreet.contracts import Context, Groups, NotApplicable, Pairing, Score
from discreet.embedding import Embedding
from discreet.microdata import Microdata
from discreet.neighbours import BLOCK, TIE, TREE_DIMENSIONS, own_among_nearest

MOST_PAIRS = 1_000_000_000
"""Comparisons that take a few seconds; with many categories there is no tree to save any."""

DRAWN = (
    "the records were drawn within groups: any original of the group stands for the own one, and "
    "counts one over the size of the group"
)


def linked_share(
    original: Microdata,
    released: Microdata,
    context: Context,
    pairing: Pairing | None,
    candidates: int,
    scaling: str = "standard",
) -> Score:
    """Return the share of released records whose own original is among the nearest candidates.

    `scaling` is what columns are divided by in the distance, as in `Embedding.fit`.
    """
    names = comparable(original, released, original.quasi_identifiers)
    if not names:
        raise NotApplicable("no quasi-identifier was released on its original scale")
    if pairing is None:
        raise NotApplicable("it needs to know which original each released record came from")
    if not len(released):
        raise NotApplicable("the release has no records")
    released = in_same_categories(original, released, names)
    embedding = Embedding.fit(original, names, scaling, also=released)
    detail = {"columns": names, "expected by chance": min(1.0, candidates / len(original))}
    groups = pairing.groups
    if groups is not None and groups.drawn and embedding.dimensions <= TREE_DIMENSIONS:
        own = groups.labels[pairing.origin]
        if own.min() >= 0:
            points = embedding.points(original), embedding.points(released)
            linked = group_among_nearest(*points, groups, own, candidates)
            return Score(float(linked.mean()), per_record=linked, detail=detail, note=DRAWN)
    if embedding.dimensions <= TREE_DIMENSIONS:
        linked = own_among_nearest(
            embedding.points(original),
            embedding.points(released),
            pairing.origin,
            candidates,
            context,
        )
        return Score(float(linked.mean()), per_record=linked, detail=detail)
    rows = _compared(len(original), len(released), context)
    before, before_codes = embedding.apart(original)
    after, after_codes = embedding.apart(released.take(rows))
    linked = own_among_nearest(
        before, after, pairing.origin[rows], candidates, context, (before_codes, after_codes)
    )
    share = float(linked.mean())
    if len(rows) == len(released):
        return Score(share, per_record=linked, detail=detail)
    margin = 1.96 * float(linked.std()) / math.sqrt(len(rows))
    return Score(
        share,
        interval=(max(0.0, share - margin), min(1.0, share + margin)),
        detail=detail,
        note=f"estimated from {len(rows):,} released records, each compared with all originals",
    )


def group_among_nearest(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    groups: Groups,
    own: NDArray[np.int64],
    m: int,
) -> NDArray[np.float64]:
    """Return for each released point the share of its own group that is among the m nearest.

    It is the probability that a record drawn at random from the group is among them. `own` are the
    groups of the released points. Ties are drawn from at random, as in `own_among_nearest`.

    >>> points = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> groups = Groups(np.array([0, 0, 1, 1]))
    >>> group_among_nearest(points, np.array([[0.2], [0.9], [1.1], [5.5]]), groups,
    ...                     groups.labels, 1)
    array([0.5, 0.5, 0. , 0.5])
    """
    from scipy.spatial import cKDTree

    tree = cKDTree(originals)
    slack = 8 * np.finfo(np.float64).eps * np.abs(originals).max(initial=0)
    linked = np.empty(len(released))
    for start in range(0, len(released), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(released)))
        wanted = m + 1
        while len(rows):
            wanted = min(wanted, len(originals))
            distances, found = (
                np.asarray(a).reshape(len(rows), -1)
                for a in tree.query(released[rows], wanted, workers=-1)
            )
            last = distances[:, min(m, wanted) - 1, None]
            width = TIE * last + slack
            nearer, tied = distances < last - width, np.abs(distances - last) <= width
            drawn = np.maximum(m - nearer.sum(axis=1), 0) / tied.sum(axis=1)
            chance = nearer + tied * np.minimum(drawn, 1.0)[:, None]
            same = groups.labels[found] == own[rows, None]
            linked[rows] = (chance * same).sum(axis=1) / groups.sizes[own[rows]]
            # Ties that reach the last one found may go on beyond it.
            rows = rows[tied[:, -1]] if wanted < len(originals) else rows[:0]
            wanted *= 4
    return linked


def _compared(originals: int, released: int, context: Context) -> NDArray[np.int64]:
    """Return the released records to be linked: all, or a sample where that would take hours."""
    most = max(MOST_PAIRS // max(originals, 1), 1_000)
    if released <= most:
        return np.arange(released)
    return np.sort(context.generator("sample").choice(released, most, replace=False))
