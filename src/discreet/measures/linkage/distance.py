"""Distance linkage: how often a released record's nearest originals include its own.

Both measures of the papers differ only in how many candidates the intruder looks at, so they share
this definition: standardised Euclidean distance on the quasi-identifiers, nominal 0/1, and ties
count one over the number tied. A label is as far from an original as the nearest value that it
stands for.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Score
from discreet.errors import NotApplicable
from discreet.measures.linkage.neighbours import TREE_DIMENSIONS, own_among_nearest
from discreet.measures.linkage.sets import Placed
from discreet.measures.linkage.within_groups import group_among_nearest
from discreet.microdata import Microdata
from discreet.microdata.equivalence import classes

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
    names = original.quasi_identifiers
    if not names:
        raise NotApplicable("no column is a quasi-identifier")
    if pairing is None:
        raise NotApplicable("it needs to know which original each released record came from")
    if not len(released):
        raise NotApplicable("the release has no records")
    placed = Placed.of(original, released, names, pairing.origin, scaling, TREE_DIMENSIONS)
    detail = {"columns": placed.names, "expected by chance": min(1.0, candidates / len(original))}
    groups = pairing.groups
    own = groups.labels[pairing.origin] if groups is not None and groups.drawn else None
    if own is not None and own.min() < 0:
        own = None
    rows = np.arange(len(released))
    if placed.codes.shape[1] or (own is not None and not placed.boxes.plain):
        rows = _compared(len(original), len(released), context)
        placed = placed.take(rows)
    codes = (placed.codes, placed.sets) if placed.codes.shape[1] else None
    if not placed.names:
        linked = np.full(len(released), detail["expected by chance"])
    elif groups is not None and own is not None:
        linked = group_among_nearest(
            placed.points, placed.boxes, groups, own[rows], candidates, context, codes
        )
    else:
        plain = placed.boxes.plain and placed.sets.plain
        linked = own_among_nearest(
            placed.points,
            placed.boxes,
            pairing.origin[rows],
            candidates,
            context,
            codes,
            None if plain else classes(released.take(rows), placed.names),
        )
    notes = [] if own is None else [DRAWN]
    silent = [name for name in names if name not in placed.names]
    if silent:
        notes.append(f"the release says nothing of {', '.join(silent)}")
    share = float(linked.mean())
    if len(rows) == len(released):
        return Score(share, per_record=linked, detail=detail, note="; ".join(notes))
    margin = 1.96 * float(linked.std()) / math.sqrt(len(rows))
    notes.append(f"estimated from {len(rows):,} released records, each compared with all originals")
    return Score(
        share,
        interval=(max(0.0, share - margin), min(1.0, share + margin)),
        detail=detail,
        note="; ".join(notes),
    )


def _compared(originals: int, released: int, context: Context) -> NDArray[np.int64]:
    """Return the released records to be linked: all, or a sample where that would take hours."""
    most = max(MOST_PAIRS // max(originals, 1), 1_000)
    if released <= most:
        return np.arange(released)
    return np.sort(context.generator("sample").choice(released, most, replace=False))
