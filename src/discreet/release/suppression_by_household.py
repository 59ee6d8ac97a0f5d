"""Suppression by household: where a record is suppressed, so is its household.

A suppressed region can be read off another member of the household. Suppressing other members makes
other classes smaller, so this is repeated until every class is large enough again; the number of
suppressed records only grows, so it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Groups, Masked
from discreet.microdata import Column, Microdata
from discreet.microdata.clusters import Clusters, key_of
from discreet.microdata.derived import Derived
from discreet.microdata.equivalence import class_sizes, classes
from discreet.release.strata import k_of_all

Marks = NDArray[np.bool_]


def suppressed_by_household(
    masked: Masked,
    before: Microdata,
    homes: Clusters,
    names: Sequence[str],
    derived: Mapping[str, Derived] | None = None,
) -> Masked:
    """Suppress the other household members of suppressed records too.

    `names` are the columns that were treated, which a suppressed record has lost. A class that
    becomes too small for the claimed k is suppressed too, and if the suppressed records are
    themselves too few, so is the smallest class. What follows from a suppressed column goes with
    it, and so does what a suppressed column follows from: the size with the number of the
    household.
    """
    claimed = k_of_all([masked.claims])
    k = int(claimed[0].bound) if claimed else 1
    table = masked.data
    first = gone = _gaps(table, names) & ~_gaps(before, names)
    if not first.any():
        return masked
    while True:
        gone = (np.bincount(homes.labels, gone, len(homes.sizes)) > 0)[homes.labels]
        table = table.replace(emptied(table.column(name), gone) for name in names)
        sizes = class_sizes(table, names)
        small = (sizes < k) & ~gone
        if not small.any():
            if sizes[gone].min() >= k or gone.all():
                break
            small = ~gone & (sizes == sizes[~gone].min())
        gone = gone | small
    lost = lost_with(names, derived or {}, key_of(table))
    table = table.replace(emptied(table.column(name), gone) for name in lost)
    groups = Groups(classes(table, names), least_size=k) if claimed else None
    notes = notes_on_suppression(gone, first, masked.claims)
    return Masked(table, groups, claimed, (*masked.notes, *notes))


def lost_with(
    names: Sequence[str], derived: Mapping[str, Derived], key: str | None
) -> tuple[str, ...]:
    """Return what is suppressed with these columns, since either could be found from the other.

    `key` numbers the households: their members can be counted by it.
    """
    lost: list[str] = []
    for name, way in derived.items():
        source = way.source or key
        if source is not None and (name in names or source in names):
            lost += [name, source]
    return tuple(dict.fromkeys(lost))


def notes_on_suppression(gone: Marks, first: Marks, claims: Sequence[Claim]) -> list[str]:
    """Return notes on records that are suppressed in the end, and were at first, and on claims.

    >>> notes_on_suppression(np.array([True, True]), np.array([True, False]), ())
    ['2 records are suppressed in the end, 1 of them because another member of the household ...']
    """
    note = (
        f"{int(gone.sum())} records are suppressed in the end, {int((gone & ~first).sum())} of "
        "them because another member of the household would give them away, or their class became "
        "too small"
    )
    unclaimed = [claim.measure for claim in claims if claim.measure != "k-anonymity"]
    return [
        note,
        *(
            f"{measure} is not claimed: other members of households were suppressed"
            for measure in unclaimed
        ),
    ]


def emptied(column: Column, marks: Marks) -> Column:
    """Return a column with gaps at the marked records.

    >>> import discreet
    >>> age = discreet.read({"age": [30, 41]}).column("age")
    >>> emptied(age, np.array([True, False])).values
    array([nan, 41.])
    """
    nothing = np.nan if column.attribute.continuous else -1
    return column.with_values(np.where(marks, nothing, column.values))


def _gaps(data: Microdata, names: Sequence[str]) -> Marks:
    """Return which records are missing in all of these columns."""
    return np.asarray(np.all([data.column(name).missing for name in names], axis=0))
