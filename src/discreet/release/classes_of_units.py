"""Classes of units: five visits of one patient are one patient, not five.

A method forms classes of k records. If a unit has several records, some of these classes may have
fewer than k units. They are suppressed, and so is what the other records of their units share with
them, until every class has k units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Groups, Masked
from discreet.errors import DataError
from discreet.microdata import Level, Microdata
from discreet.microdata.clusters import (
    Clusters,
    clusters_of,
    counted_once,
    key_of,
    persons_of,
    units_of,
)
from discreet.microdata.derived import Derived
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import levels_between, persons_within
from discreet.release.by_person import belonging
from discreet.release.strata import k_of_all
from discreet.release.suppression_by_household import emptied, lost_with


def with_enough_units(
    masked: Masked,
    before: Microdata,
    names: Sequence[str],
    derived: Mapping[str, Derived] | None = None,
) -> Masked:
    """Return an outcome in which every class of a claimed k-anonymity has k units.

    `before` is the table that the step was given, and `names` are the columns that it treated. What
    `derived` says to follow from them is suppressed with them: the number of a household with its
    size.

    >>> import discreet
    >>> from discreet.contracts import Claim
    >>> data = discreet.read({"town": list("aabb"), "who": [1, 1, 2, 3]},
    ...                      roles={"town": "quasi-identifier", "who": "person"})
    >>> masked = with_enough_units(Masked(data, claims=(Claim("k-anonymity", 2),)), data, ["town"])
    >>> masked.data["town"], masked.notes
    (array([-1, -1, -1, -1], dtype=int32), ('4 records are suppressed: their classes had ...',))
    """
    units, claimed = units_of(before), k_of_all([masked.claims])
    if units is None or not claimed:
        return masked
    k = int(claimed[0].bound)
    refuse_few_units(k, len(units.sizes), units.word)
    together = _suppressed_together(before, names)
    table = masked.data
    gone = np.zeros(len(table), dtype=bool)
    while True:
        labels = classes(table, names)
        sizes = counted_once(labels, units.labels)[labels]
        small = (sizes < k) & ~gone
        if not small.any():
            if not gone.any() or sizes[gone].min() >= k or gone.all():
                break
            small = ~gone & (sizes == sizes[~gone].min())
        gone = gone | small
        if together is not None:
            of = together.labels
            gone = (np.bincount(of, gone, len(together.sizes)) > 0)[of]
        table = table.replace(emptied(table.column(name), gone) for name in names)
    if not gone.any():
        return masked
    lost = lost_with(names, derived or {}, key_of(before))
    table = table.replace(emptied(table.column(name), gone) for name in lost)
    groups = Groups(classes(table, names), least_size=k)
    notes = notes_on_units(gone, k, units.word, masked.claims)
    return replace(masked, data=table, groups=groups, claims=claimed, notes=(*masked.notes, *notes))


def _suppressed_together(before: Microdata, names: Sequence[str]) -> Clusters | None:
    """Return which records share some of these columns, so that one would give away another."""
    homes, levels = clusters_of(before), {before.schema[name].level for name in names}
    if homes is None:
        return None
    if levels_between(homes)[0] in levels:
        return belonging(before)
    within = persons_within(before) is not None and Level.PERSON in levels
    return persons_of(before) if within else None


def refuse_few_units(k: int, count: int, word: str) -> None:
    """Refuse classes of more persons or households than there are.

    >>> refuse_few_units(5, 5, "person")
    """
    if count < k:
        raise DataError(
            f"classes of k = {k} {word}s need at least {k} {word}s, but the data have "
            f"{count}; choose a smaller k or more records"
        )


def notes_on_units(
    gone: NDArray[np.bool_], k: int, word: str, claims: Sequence[Claim]
) -> list[str]:
    """Return notes on suppressed records, and on the claims that are not made for that.

    >>> notes_on_units(np.array([True]), 5, "person", ())[0][:40]
    '1 records are suppressed: their classes '
    """
    note = (
        f"{int(gone.sum()):,} records are suppressed: their classes had fewer than k = {k} "
        f"{word}s, or they belong to {word}s in such a class"
    )
    unclaimed = [claim.measure for claim in claims if claim.measure != "k-anonymity"]
    return [note, *(f"{measure} is not claimed: records were suppressed" for measure in unclaimed)]
