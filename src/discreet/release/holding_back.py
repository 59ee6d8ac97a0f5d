"""Holding back: records that no step sees and nobody receives serve as a control for attacks.

What an intruder finds out about people who are not in the release is no fault of the release. Giomi
et al. (2022) therefore attack records that were held back from the method in the same way, and
count only what succeeds beyond that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of

MOST = 0.5


@dataclass(frozen=True, eq=False)
class HeldBack:
    """The records that are protected, those that were held back, and notes."""

    others: Microdata
    control: Microdata | None
    rows: NDArray[np.int64]
    notes: tuple[str, ...] = ()


def held_back_of(data: Microdata, share: float | None, generator: np.random.Generator) -> HeldBack:
    """Hold back a share of the records; without a share, none.

    >>> import discreet
    >>> data = discreet.read({"age": range(20, 60)})
    >>> held = held_back_of(data, 0.1, np.random.default_rng(1))
    >>> len(held.others), len(held.control), len(held_back_of(data, None, None).rows)
    (36, 4, 0)
    """
    if share is None:
        return HeldBack(data, None, np.zeros(0, dtype=np.int64))
    rows = rows_held_back(data, share, generator)
    return HeldBack(*parted(data, rows), rows, (note_on_held_back(len(rows), len(data)),))


def note_on_held_back(held: int, records: int) -> str:
    """Say how many records were held back.

    >>> note_on_held_back(5, 50)[:32]
    '5 of 50 records were held back a'
    """
    return (
        f"{held:,} of {records:,} records were held back as a control for attacks and are "
        "not released; counts and weighted totals are smaller by their share"
    )


def rows_held_back(
    data: Microdata, share: float, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Return the rows to hold back, drawn at random; all members of a household or none.

    >>> import discreet
    >>> data = discreet.read({"age": range(20, 60)})
    >>> len(rows_held_back(data, 0.1, np.random.default_rng(1)))
    4
    """
    homes = clusters_of(data)
    labels = np.arange(len(data)) if homes is None else homes.labels
    drawn = units_held_back(int(labels.max()) + 1, share, generator)
    rows = np.flatnonzero(np.isin(labels, drawn))
    refuse_nobody(len(rows), len(data), share)
    return rows


def units_held_back(units: int, share: float, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return the households to hold back, or the records where there are none.

    >>> len(units_held_back(40, 0.1, np.random.default_rng(1)))
    4
    """
    refuse_unless_share(share)
    return generator.permutation(units)[: round(share * units)]


def refuse_nobody(held: int, records: int, share: float) -> None:
    """Refuse a share that holds nobody back, or leaves nobody.

    >>> refuse_nobody(4, 40, 0.1)
    """
    if not held or records - held < 2:
        raise DataError(
            f"holding back a share of {share:g} of {records:,} records must hold back at least one "
            "record and leave two to release, but it does not; choose another share, or hold "
            "nothing back"
        )


def parted(data: Microdata, held: NDArray[np.int64]) -> tuple[Microdata, Microdata | None]:
    """Return the records to be protected, and those held back if there are any.

    >>> import discreet
    >>> used, control = parted(discreet.read({"age": [21, 40, 35]}), np.array([1]))
    >>> used["age"], control["age"]
    (array([21., 35.]), array([40.]))
    """
    if not len(held):
        return data, None
    if held.max() >= len(data):
        raise DataError(
            f"the record names more original records than the {len(data)} given; is this the right "
            "original?"
        )
    return data.take(np.delete(np.arange(len(data)), held)), data.take(held)


def refuse_unless_share(share: object) -> None:
    """Refuse a share that is not a number above 0 and at most a half."""
    number = isinstance(share, int | float) and not isinstance(share, bool)
    if not number or not 0 < share <= MOST:  # type: ignore[operator]
        raise UsageError(
            f"the share of records to hold back must be above 0 and at most {MOST:g}, but "
            f"{share!r} was given; a tenth (0.1) is usual"
        )
