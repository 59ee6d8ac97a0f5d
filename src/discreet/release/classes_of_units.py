"""Classes of units: five visits of one patient are one patient, not five.

A method forms classes of k records. If a unit has several records, some of these classes may have
fewer than k units. They are suppressed, and so is what the other records of their units share with
them, until every class has k units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Groups, Masked
from discreet.errors import DataError
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of, counted_once, units_of
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import levels_between
from discreet.release.strata import k_of_all
from discreet.release.suppression_by_household import emptied


def with_enough_units(masked: Masked, before: Microdata, names: Sequence[str]) -> Masked:
    """Return an outcome in which every class of a claimed k-anonymity has k units.

    `before` is the table that the step was given, and `names` are the columns that it treated.

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
    homes = clusters_of(before)
    shared = homes is not None and any(
        before.schema[name].level is levels_between(homes)[0] for name in names
    )
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
        if shared and homes is not None:
            gone = (np.bincount(homes.labels, gone, len(homes.sizes)) > 0)[homes.labels]
        table = table.replace(emptied(table.column(name), gone) for name in names)
    if not gone.any():
        return masked
    groups = Groups(classes(table, names), least_size=k)
    notes = notes_on_units(gone, k, units.word, masked.claims)
    return replace(masked, data=table, groups=groups, claims=claimed, notes=(*masked.notes, *notes))


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
        f"{word}s, or they are of {word}s of such a class"
    )
    unclaimed = [claim.measure for claim in claims if claim.measure != "k-anonymity"]
    return [note, *(f"{measure} is not claimed: records were suppressed" for measure in unclaimed)]
