"""What every partition promises."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Context, Groups, Partition, Randomness
from discreet.testing.sameness import assert_unchanged, snapshot, succeeds_or_explains
from discreet.testing.tables import edges, ordinary


def _context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


def check_every_record_has_a_group(example: Partition) -> None:
    """Labels run from 0 without gaps, and no group is smaller than promised."""
    for rows in (40, 61):
        data = ordinary(example.spec.kinds, rows)
        groups = example.groups(data, data.quasi_identifiers, _context())
        assert len(groups.labels) == rows, "not every record has a group"
        assert groups.labels.min() == 0, "labels do not start at 0"
        assert groups.sizes.min() >= max(1, groups.least_size), "a group is smaller than promised"


def check_input_is_untouched(example: Partition) -> None:
    """The table that goes in is the same afterwards."""
    data = ordinary(example.spec.kinds)
    before = snapshot(data)
    example.groups(data, data.quasi_identifiers, _context())
    assert_unchanged(data, before)


def check_repeatable(example: Partition) -> None:
    """The same seed gives the same groups; without randomness, any seed does."""
    data = ordinary(example.spec.kinds)
    first = example.groups(data, data.quasi_identifiers, _context(1)).labels
    again = example.groups(data, data.quasi_identifiers, _context(1)).labels
    assert np.array_equal(first, again), "the same seed gives other groups"
    if not example.spec.random:
        other = example.groups(data, data.quasi_identifiers, _context(2)).labels
        assert np.array_equal(first, other), "the spec says that no random numbers are drawn"


def check_edge_tables(example: Partition) -> None:
    """At the edges it works or refuses in a sentence."""
    for edge, data in edges(example.spec.kinds).items():

        def work(data=data) -> Groups:  # type: ignore[no-untyped-def]
            return example.groups(data, data.quasi_identifiers, _context())

        groups = succeeds_or_explains(work, edge)
        if groups is not None:
            assert len(groups.labels) == len(data), f"{edge}: not every record has a group"
            assert groups.sizes.min(initial=len(data)) >= min(groups.least_size, len(data)), edge
