"""Notes: what the owner of the data should know of a release, and no claim says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.io.formats import FileFormat
from discreet.io.spreadsheet import is_run, runs
from discreet.microdata import Microdata, Role
from discreet.microdata.equivalence import classes
from discreet.microdata.households import households_of
from discreet.release.gate import constant_quasi_identifiers


def notes_on_input(data: Microdata) -> Iterator[str]:
    """Yield what is remarkable about the data before any step.

    >>> import discreet
    >>> list(notes_on_input(discreet.read({"sex": ["f", "f"]}, roles={"sex": "quasi-identifier"})))
    ["the quasi-identifier 'sex' has one value only and tells no records apart"]
    """
    for name in constant_quasi_identifiers(data):
        yield f"the quasi-identifier '{name}' has one value only and tells no records apart"


def notes_on_formulas(data: Microdata, format: FileFormat) -> Iterator[str]:
    """Yield what a spreadsheet would run of data that are written in a format, if it does.

    >>> import discreet
    >>> data = discreet.read({"town": ["=1+1", "Ayle"]})
    >>> list(notes_on_formulas(data, FileFormat.default()))
    ["a spreadsheet would run cells of 'town' as formulas; 'csv: {spreadsheet_safe: yes}' in ..."]
    """
    if not is_run(format):
        return
    running = [
        f"'{column.name}'"
        for column in data
        if any(isinstance(text, str) and runs(text) for text in column.attribute.categories)
    ]
    headers = [name for name in data.schema.names if runs(name)]
    if running or headers:
        cells = [*([f"cells of {', '.join(running)}"] if running else [])]
        cells += [f"{len(headers)} of the names of columns"] if headers else []
        yield (
            f"a spreadsheet would run {' and '.join(cells)} as formulas; "
            "'csv: {spreadsheet_safe: yes}' in the plan keeps it from that"
        )


def notes_on_outcome(
    original: Microdata,
    table: Microdata,
    before: Microdata | None,
    drawn: Collection[str] = (),
    groups: NDArray[np.int64] | None = None,
) -> Iterator[str]:
    """Yield what is remarkable after the last step.

    `before` are the original rows of the table; None where records came from no one original, so
    that nothing was left as it was. `drawn` are quasi-identifiers with values drawn at random, and
    `groups` the groups within which that happened, if there are.
    """
    if before is None:
        return

    def as_it_was(name: str) -> bool:
        return table.column(name).same_as(before.column(name))

    without_role = [a.name for a in original.schema if not a.declared and as_it_was(a.name)]
    if without_role:
        yield f"released as they are, without a role: {', '.join(without_role)}"
    constant = set(constant_quasi_identifiers(original))
    varying = [name for name in original.quasi_identifiers if name not in constant]
    untreated = [name for name in varying if as_it_was(name)]
    if untreated:
        yield f"quasi-identifiers that no step changed: {', '.join(untreated)}"
    yield from told_apart_by_design(table, drawn, groups)


def told_apart_by_design(
    released: Microdata,
    drawn: Collection[str] = (),
    groups: NDArray[np.int64] | None = None,
) -> list[str]:
    """Return a note if weights, strata and household sizes tell records apart beyond the rest.

    Compared is who finds a record alone, or with nobody but its household, by the quasi-identifiers
    and who does so by these columns too. Values that were `drawn` at random tell no record from
    another; where that happened within `groups`, an intruder knows the group at most.
    """
    design = released.having(Role.WEIGHT, Role.STRATUM)
    households = households_of(released)
    homes = None if households is None else households.labels
    if not released.quasi_identifiers or not (design or homes is not None):
        return []
    known = [name for name in released.quasi_identifiers if name not in drawn]
    labels = _together([classes(released, known) if known else None, groups], len(released))
    size = None if homes is None else np.bincount(homes)[homes]
    beside = [labels, classes(released, design) if design else None, size]
    before, after = _alone(labels, homes), _alone(_together(beside, len(released)), homes)
    if after <= before:
        return []
    names = " and ".join([*design, *([] if homes is None else ["the size of the household"])])
    alone = "alone" if homes is None else "alone or with nobody but their household"
    ways = [
        *(["call them quasi-identifiers if others may know them"] if design else []),
        *([] if homes is None else ["leave out the household, or the households of rare sizes"]),
    ]
    also = "also " if known or groups is not None else ""
    finds = f"finds {after:.1%} of the records {alone}, instead of {before:.1%}"
    return [f"who {also}knows {names} {finds}; {', or '.join(ways)}"]


def _together(parts: Iterable[NDArray[np.int64] | None], rows: int) -> NDArray[np.int64]:
    """Return one label for all of these together."""
    labels = np.zeros(rows, dtype=np.int64)
    for part in parts:
        if part is not None:
            labels = np.unique(labels * (part.max(initial=0) + 1) + part, return_inverse=True)[1]
    return labels


def _alone(labels: NDArray[np.int64], homes: NDArray[np.int64] | None) -> float:
    """Return the share of the records that share a label with no other, or with their household."""
    if homes is None:
        return float((np.bincount(labels)[labels] == 1).mean())
    pairs = np.unique(labels * (homes.max() + 1) + homes)
    return float((np.bincount(pairs // (homes.max() + 1))[labels] == 1).mean())
