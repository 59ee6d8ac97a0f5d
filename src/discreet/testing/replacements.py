"""What every replacement promises."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Context, Groups, Randomness, Replacement
from discreet.microdata import Column, Microdata
from discreet.testing.sameness import assert_unchanged, snapshot, succeeds_or_explains
from discreet.testing.tables import edges, ordinary


def _context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


def _groups(data: Microdata, size: int = 5) -> Groups:
    return Groups(np.arange(len(data)) // size, least_size=size)


def check_only_the_columns_asked_for(example: Replacement) -> None:
    """It returns the given columns, all records of each, and leaves the table alone."""
    data = ordinary(example.spec.kinds)
    before = snapshot(data)
    names = data.quasi_identifiers[:1]
    columns = example.replace(data, names, _groups(data), _context())
    assert [column.name for column in columns] == list(names), "other columns came back"
    complete = all(len(column.values) == len(data) for column in columns)
    assert complete, "not every record has a value"
    assert_unchanged(data, before)


def check_repeatable(example: Replacement) -> None:
    """The same seed gives the same values."""
    data = ordinary(example.spec.kinds)
    first = example.replace(data, data.quasi_identifiers, _groups(data), _context())
    second = example.replace(data, data.quasi_identifiers, _groups(data), _context())
    same = all(a.same_as(b) for a, b in zip(first, second, strict=True))
    assert same, "the same seed gives other values"


def check_equal_within_groups_if_it_says_so(example: Replacement) -> None:
    """Where it claims to equalise, the records of a group get one value, missing ones too."""
    if not example.equalises:
        return
    data = ordinary(example.spec.kinds)
    groups = _groups(data)
    for column in example.replace(data, data.quasi_identifiers, groups, _context()):
        for group in range(groups.count):
            values = column.values[groups.labels == group]
            same = len(np.unique(values)) == 1  # NaN counts as one value
            assert same, f"column {column.name} differs within a group"


def check_edge_tables(example: Replacement) -> None:
    """At the edges it works or refuses in a sentence."""
    for edge, data in edges(example.spec.kinds).items():

        def work(data=data) -> list[Column]:  # type: ignore[no-untyped-def]
            return example.replace(data, data.quasi_identifiers, _groups(data), _context())

        for column in succeeds_or_explains(work, edge) or []:
            if column.attribute.continuous:
                assert not np.isinf(column.values).any(), f"{edge}: infinite values came out"
