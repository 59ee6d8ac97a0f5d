"""Distance linkage: how often a released record's nearest originals include its own.

The two measures of the papers differ only in how many candidates the intruder considers, so they
share this definition: standardised Euclidean distance on the quasi-identifiers, 0/1 for nominal
ones; ties count one over the number tied. The distance of a label from an original is that of the
nearest value that it stands for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.contracts import Context, Groups, Pairing, Score, known_pairing
from discreet.measures.linkage.neighbours import TREE_DIMENSIONS, Counts, Originals
from discreet.measures.linkage.sets import Placed, Places, Rows
from discreet.measures.linkage.within_groups import group_among_nearest
from discreet.measures.sampled import interval_of_share
from discreet.measures.view import alike, compared_keys
from discreet.microdata import Microdata, Numbers
from discreet.microdata.equivalence import first_and_times
from discreet.microdata.lasting import once
from discreet.microdata.same_values import numbered_alike

MOST_PAIRS = 1_000_000_000
"""As many comparisons as take a few seconds; with many columns there is no tree to save any."""
EXACT_RECORDS = 100_000
"""At least this many released records are linked if there is a tree."""
MOST_VISITS = 30_000_000
"""Blocks and leaves of a tree that can be visited in a few seconds."""
PILOT = 2_000
"""Released records that show how much of the tree each of them visits."""
CANDIDATES, SECOND = 2, "linked-or-second"
"""One search serves both measures: for the nearest original and for the two nearest."""

DRAWN = (
    "the records were drawn within groups: any original of the group counts as the record's own, "
    "by one over the size of the group"
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
    names = compared_keys(original, released)
    pairing = known_pairing(pairing)
    groups = pairing.groups
    if groups is not None and groups.drawn and groups.labels[pairing.origin].min() >= 0:
        counted = _within_groups(original, released, context, pairing, groups, candidates, scaling)
        linked, notes = counted.linked, [DRAWN]
    else:
        # In a large file the number of records examined depends on the cost of a search.
        both = SECOND in context.asked or len(released) > EXACT_RECORDS
        most = CANDIDATES if both else candidates
        key = ("linkage by distance", original, released, pairing, scaling, most)
        search = context.once(
            key, lambda: _search(original, released, context, pairing, scaling, most)
        )
        counted = _Linked(search.names, search.counts.chances(candidates))
        linked, notes = counted.linked, []
    chance = min(1.0, candidates / len(original))
    if not counted.names:
        linked = np.full(len(released), chance)
    silent = [name for name in names if name not in counted.names]
    if silent:
        notes.append(f"the release says nothing about {', '.join(silent)}")
    share = float(linked.mean())
    detail = {"columns": counted.names, "expected by chance": chance}
    if len(linked) == len(released):
        return Score(share, per_record=linked, detail=detail, note="; ".join(notes))
    notes.append(
        f"estimated from {len(linked):,} released records, each compared with all originals"
    )
    return Score(
        share,
        interval=interval_of_share(linked),
        detail={**detail, "records compared": len(linked)},
        note="; ".join(notes),
    )


class _Linked(NamedTuple):
    """The columns that were compared, and the chance that each released record is linked."""

    names: list[str]
    linked: Numbers


class _Searched(NamedTuple):
    """The columns that were compared, and what was counted of each released record."""

    names: list[str]
    counts: Counts


class _Arranged(NamedTuple):
    """The different originals as they are searched, and to which of them each original is equal."""

    originals: Originals
    labels: Rows


def _arranged(original: Microdata, places: Places, context: Context) -> _Arranged:
    labels = alike(original, places.names, context)
    firsts, times = first_and_times(labels)
    return _Arranged(Originals(*places.originals(firsts), times), labels)


def _search(
    original: Microdata,
    released: Microdata,
    context: Context,
    pairing: Pairing,
    scaling: str,
    candidates: int,
) -> _Searched:
    """Count the originals nearer than each record's own, in a sample if all would take long."""
    names, origin = list(original.quasi_identifiers), pairing.origin
    everyone = np.arange(len(released))
    if released is original and np.array_equal(origin, everyone):
        # Every record lies where its own original does, together with all that equal it.
        labels = alike(original, names, context)
        return _Searched(names, Counts(0 * everyone, np.bincount(labels)[labels]).small())
    places = Places(original, released, names, origin, scaling)
    if not places.names:
        return _Searched([], Counts(0 * everyone, 0 * everyone + len(original)))
    arranged = once(
        original,
        "arranged",
        lambda: _arranged(original, places, context),
        (tuple(places.names), tuple(places.lines), scaling),
    )
    originals, own_group = arranged.originals, arranged.labels[origin]
    table = Microdata(released.column(name) for name in places.names)

    def counts(rows: Rows) -> Counts:
        every = len(rows) == len(released)
        lie = places.released(None if every else rows)
        like = numbered_alike(table if every else table.take(rows), places.names)
        return originals.nearer(*lie, own_group[rows], candidates, context, like)

    if originals.in_tree and len(released) <= EXACT_RECORDS:
        return _Searched(places.names, counts(everyone).small())
    # The same order for all measures, and each time they are computed.
    mixed = context.randomness.generator("linkage", "sample").permutation(len(released))
    if not originals.in_tree:
        most = max(MOST_PAIRS // len(originals.times), 1_000)
    else:
        most = MOST_VISITS * PILOT // counts(mixed[:PILOT]).visits
    rows = everyone if most >= len(released) else np.sort(mixed[: max(most, PILOT)])
    return _Searched(places.names, counts(rows).small())


def _within_groups(
    original: Microdata,
    released: Microdata,
    context: Context,
    pairing: Pairing,
    groups: Groups,
    candidates: int,
    scaling: str,
) -> _Linked:
    """Link records for which any original of their group stands in for their own."""
    names, origin = original.quasi_identifiers, pairing.origin
    placed = Placed.of(original, released, names, origin, scaling, TREE_DIMENSIONS)
    rows = np.arange(len(released))
    codes = None
    if placed.codes.shape[1] or not placed.boxes.plain:
        most = max(MOST_PAIRS // len(original), 1_000)
        if most < len(rows):
            generator = context.generator("sample")
            rows = np.sort(generator.choice(len(rows), most, replace=False))
        placed = placed.take(rows)
        codes = (placed.codes, placed.sets) if placed.codes.shape[1] else None
    linked = np.zeros(len(rows))
    if placed.names:
        own_group = groups.labels[origin[rows]]
        points, boxes = placed.points, placed.boxes
        linked = group_among_nearest(points, boxes, groups, own_group, candidates, context, codes)
    return _Linked(placed.names, linked)
