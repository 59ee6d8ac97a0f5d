"""Hierarchies while they are made: proposed, cut, grouped or given as text, and what each costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import encoded, value_texts
from discreet.methods.nonperturbative.full_domain.proposed import Proposal, checked, proposed
from discreet.microdata import Microdata
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import Hierarchy, text_of
from discreet.microdata.intervals import labels_between, places_between
from discreet.release.exposure import Exposure, Exposures
from discreet.studio.draft import Draft

MOST_SHOWN = 60
"""Most labels of a level that are listed; the rest are counted."""


@dataclass(frozen=True)
class LevelShown:
    """A level: its labels with their records, and who would be unique if it were released."""

    number: int
    labels: tuple[tuple[str, int], ...]
    others: int
    exposure: Exposure


def current(data: Microdata, column: str, file: Path | None) -> Proposal:
    """Return the hierarchy that is kept for a column, else the one that is proposed."""
    return checked(data, column, file) if file else proposed(data, column)


def from_cuts(data: Microdata, column: str, cuts: Sequence[float]) -> Hierarchy:
    """Return the intervals that some cuts make of a column of numbers.

    >>> import discreet
    >>> data = discreet.read({"age": [17, 24, 70]})
    >>> from_cuts(data, "age", [65, 18]).labels[1]
    ('below 18', '18–64', '65 and above')
    """
    if not data.schema[column].continuous or unit_of(data, column):
        raise UsageError(f"only numbers are cut into intervals, but '{column}' holds none")
    if not cuts:
        raise UsageError("intervals need at least one cut")
    distinct, _ = encoded(data.column(column))
    at = [Decimal(text_of(float(cut))) for cut in sorted(set(cuts))]
    whole = bool((distinct == np.floor(distinct)).all()) and all(c == int(c) for c in at)
    labels = labels_between(at, whole)
    places = places_between(distinct, at)
    texts = value_texts(data.column(column), distinct)
    return Hierarchy([(text, labels[place]) for text, place in zip(texts, places, strict=True)])


def cuts_of(data: Microdata, column: str, hierarchy: Hierarchy) -> list[float]:
    """Return where the first level of a hierarchy cuts the numbers of a column: at the least number
    of each interval but the first. A level that is not made of intervals has no cuts.

    >>> import discreet
    >>> data = discreet.read({"age": [17, 24, 70]})
    >>> cuts_of(data, "age", from_cuts(data, "age", [65, 18]))
    [24.0, 70.0]
    """
    distinct, _ = encoded(data.column(column))
    texts = value_texts(data.column(column), distinct)
    labels = hierarchy.codes[min(1, hierarchy.height - 1)][hierarchy.positions(texts)]
    starts = np.flatnonzero(labels[1:] != labels[:-1]) + 1
    together = len(starts) + 1 == len(np.unique(labels))
    return [float(number) for number in distinct[starts]] if together else []


def grouped(hierarchy: Hierarchy, chosen: Sequence[str], name: str) -> Hierarchy:
    """Return a hierarchy of two levels in which some categories have one label.

    >>> towns = Hierarchy([("Ayle", "Ayle"), ("Bron", "Bron"), ("Cull", "Cull")])
    >>> grouped(towns, ["Ayle", "Bron"], "coast").labels[1]
    ('coast', 'Cull')
    """
    unknown = [value for value in chosen if value not in hierarchy.categories]
    if unknown or not chosen:
        raise UsageError("choose some of the values that are listed; load the page again")
    if not name.strip():
        raise UsageError("a group needs a name")
    first = hierarchy.level(hierarchy.categories, 1) if hierarchy.height > 1 else None
    above = first or list(hierarchy.categories)
    inside = set(chosen)
    return Hierarchy(
        [
            (value, name.strip() if value in inside else str(label))
            for value, label in zip(hierarchy.categories, above, strict=True)
        ]
    )


def levels(
    data: Microdata,
    exposures: Exposures,
    column: str,
    known: Sequence[str],
    proposal: Proposal,
    only: int | None = None,
) -> list[LevelShown]:
    """Return every level with its counts, and the exposure by the known columns at that level.

    `only` selects one of them.
    """
    hierarchy = proposal.hierarchy
    distinct, numbers = encoded(data.column(column))
    texts = value_texts(data.column(column), distinct, unit_of(data, column))
    places = hierarchy.positions(texts)
    missing = len(texts)
    shown = []
    for number, labels in enumerate(hierarchy.labels):
        if only is not None and number != only:
            continue
        # A missing value is a class of its own.
        codes = np.append(hierarchy.codes[number][places], len(labels))[
            np.minimum(numbers, missing)
        ]
        counts = np.bincount(codes, minlength=len(labels) + 1)[: len(labels)].tolist()
        listed = tuple(zip(labels[:MOST_SHOWN], counts, strict=False))
        columns = known if column in known else [*known, column]
        exposure = exposures.by(columns, {column: (codes, 0, len(labels) + 1)})
        shown.append(LevelShown(number, listed, len(labels) - len(listed), exposure))
    return shown


def with_kept(draft: Draft, message: str) -> str:
    """Name every hierarchy that is kept in the steps that take one; return the state before."""
    for column, file in draft.hierarchies.items():
        attach(draft, column, file, takers())
    return message


def takers() -> dict[str, bool]:
    """Return for each method, by name, whether it takes hierarchies."""
    return {entry.spec.name: "hierarchies" in entry.params() for entry in entries("method")}


def attach(draft: Draft, column: str, file: str, takes: Mapping[str, bool]) -> str:
    """Make a file the hierarchy of a column, and name it in every step that takes hierarchies;
    `takes` says which methods do.
    """
    draft.hierarchies[column] = file
    for step in draft.steps:
        if takes.get(step.name):
            others = [e for e in step.values.get("hierarchies") or [] if _column(e) != column]
            step.values["hierarchies"] = [*others, f"{column}={file}"]
    return f"hierarchy of {column}"


def _column(entry: str) -> str:
    return entry.partition("=")[0].strip()
