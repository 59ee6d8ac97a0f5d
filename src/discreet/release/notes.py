"""Notes: what the owner of the data should know about a release, beyond its claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from discreet.io.formats import FileFormat
from discreet.io.spreadsheet import is_run, runs
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import (
    Clusters,
    clusters_of,
    counted_once,
    households_of,
    persons_of,
)
from discreet.microdata.equivalence import classes, fingerprints
from discreet.microdata.equivalence import numbered as ranked
from discreet.microdata.levels import of_household
from discreet.microdata.signatures import signatures
from discreet.microdata.weights import weight_column
from discreet.release.gate import constant_quasi_identifiers
from discreet.release.hints import numbered, only_somebody
from discreet.release.profile import Profile
from discreet.release.suggesting import repeated
from discreet.release.what_is_counted import note_on_counting


def notes_on_input(data: Microdata) -> Iterator[str]:
    """Yield what is noteworthy about the data before any step.

    >>> import discreet
    >>> list(notes_on_input(discreet.read({"sex": ["f", "f"]}, roles={"sex": "quasi-identifier"})))
    ["the quasi-identifier 'sex' has only one value and distinguishes no records"]
    """
    for name in constant_quasi_identifiers(data):
        yield f"the quasi-identifier '{name}' has only one value and distinguishes no records"
    for name in repeated_identifiers(data):
        yield (
            f"a value of the identifier '{name}' occurs in several records: if these belong to one "
            "person, give it the role person, so that they do not count as several people"
        )
    counts = weight_column(data)
    others = [f"'{name}'" for name in data.having(Role.WEIGHT) if name != counts]
    if counts and others:
        yield (
            f"of the columns with the role weight, records count by '{counts}'; "
            f"{' and '.join(others)} {'is' if len(others) == 1 else 'are'} not used"
        )


def repeated_identifiers(data: Microdata) -> Iterator[str]:
    """Yield the identifiers that look as if a person had several records.

    >>> import discreet
    >>> visits = {"patient": [i // 2 for i in range(100)], "age": list(range(100))}
    >>> list(repeated_identifiers(discreet.read(visits, roles={"patient": "identifier"})))
    ['patient']
    """
    if data.having(Role.PERSON):
        return
    for name in data.having(Role.IDENTIFIER):
        profile = Profile.of(data, name)
        # Its role already says that it identifies: a word for persons is enough, without one for
        # numbers.
        texts = (profile.name, profile.label)
        if repeated(profile) and any(numbered(t) or only_somebody(t) for t in texts):
            yield name


def notes_on_formulas(data: Microdata, format: FileFormat) -> Iterator[str]:
    """Yield which cells a spreadsheet would run, for data that are written in a format.

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
            f"a spreadsheet would run {' and '.join(cells)} as formulas; 'csv: "
            f"{{spreadsheet_safe: yes}}' in the plan prevents that"
        )


def notes_on_outcome(
    original: Microdata,
    table: Microdata,
    before: Microdata | None,
    drawn: Collection[str] = (),
    groups: NDArray[np.int64] | None = None,
    design: bool = True,
) -> Iterator[str]:
    """Yield what is noteworthy after the last step.

    `before` are the original rows of the table; None where records do not come from single
    originals, so that nothing was left unchanged. `drawn` are quasi-identifiers with values drawn
    at random, and `groups` the groups within which that happened, if any. What weights, strata and
    household sizes reveal is left out where these are not all of the records (`design`).
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
    if design:
        yield from told_apart_by_design(table, drawn, groups)
    yield from note_on_counting(table)
    yield from note_on_one_household(*classes_of_one_household(table))
    yield from brought_together(table, before)
    yield from note_on_whole_persons(unique_as_a_whole(table, persons_of(table)))


def note_on_one_household(affected: int, records: int) -> Iterator[str]:
    """Yield a note if there are classes of several records that are one household.

    >>> next(note_on_one_household(1, 3))[:60]
    'classes of two or more records that are one household: 1 (3 '
    """
    if affected:
        yield (
            f"classes of two or more records that are one household: {affected:,} ({records:,} "
            "records); anyone who finds the class has found the household; a step that promises k "
            "puts k households into each class, unless 'unit: record' counts records, and 'unit: "
            "household' forms groups of whole households"
        )


def note_on_whole_persons(alone: float) -> Iterator[str]:
    """Yield a note if persons are unique in what all their records say together.

    >>> next(note_on_whole_persons(0.5))[:34]
    '50.0% of the persons are unique in'
    """
    if alone:
        yield (
            f"{alone:.1%} of the persons are unique in what all their records say together; "
            "'unit: person' forms groups of whole persons"
        )


def unique_as_a_whole(released: Microdata, units: Clusters | None) -> float:
    """Return the share of persons or households that are unique in all their records together.

    >>> import discreet
    >>> data = discreet.read({"town": list("aabab"), "who": [1, 1, 2, 3, 3]},
    ...                      roles={"town": "quasi-identifier", "who": "person"})
    >>> unique_as_a_whole(data, persons_of(data))
    1.0
    """
    if units is None or not released.quasi_identifiers or not len(released):
        return 0.0
    labels = signatures(released, units)
    return float((np.bincount(labels)[labels] == 1).mean())


def unique_weights(released: Microdata) -> list[str]:
    """Return a note if records have a weight that nobody else has, by which they may be found.

    >>> import discreet
    >>> unique_weights(discreet.read({"w": [1.5, 1.5, 2.5]}, roles={"w": "weight"}))[0][:61]
    "1 of 3 records have a weight that no other record has ('w'): "
    """
    notes = []
    for name in released.having(Role.WEIGHT):
        labels = classes(released, [name])
        homes = clusters_of(released)
        alone = counted_once(labels, None if homes is None else homes.labels)[labels] == 1
        alone &= ~released.column(name).missing
        if alone.any():
            other = "other record" if homes is None else f"other {homes.word}"
            notes.append(
                f"{int(alone.sum()):,} of {len(released):,} records have a weight that no {other} "
                f"has ('{name}'): anyone who knows the design may find them; round the weights, or "
                "microaggregate them within strata, in a step with this column, and name in "
                "'calibrate' the columns whose counts they should keep"
            )
    return notes


def told_apart_by_design(
    released: Microdata,
    drawn: Collection[str] = (),
    groups: NDArray[np.int64] | None = None,
) -> list[str]:
    """Return a note if weights, strata and household sizes distinguish records beyond the rest.

    It compares how many records are alone, or with only their household, by the quasi-identifiers
    and by these columns as well. Values `drawn` at random distinguish no records; where they were
    drawn within `groups`, an intruder knows the group at most.
    """
    design = released.having(Role.WEIGHT, Role.STRATUM)
    households = clusters_of(released)
    if not len(released) or not released.quasi_identifiers:
        return []
    if not design and households is None:
        return []
    homes = np.arange(len(released)) if households is None else households.labels
    known = [name for name in released.quasi_identifiers if name not in drawn]
    values = (
        np.unique(_class_fingerprints(released, known), return_inverse=True)[1] if known else None
    )
    labels = _together([values, groups])
    size = None if households is None else households.sizes[homes]
    beside = _together([labels, classes(released, design) if design else None, size])
    before, after = _alone(labels, homes), _alone(beside, homes)
    also = bool(known) or groups is not None
    return list(note_on_design(before, after, len(released), design, households, also))


def note_on_design(
    before: float,
    after: float,
    records: int,
    design: Collection[str],
    households: Clusters | None,
    also: bool,
) -> Iterator[str]:
    """Yield a note if the design finds a larger share of the records alone than before.

    `also` says that an intruder knows other columns besides.

    >>> next(note_on_design(0.1, 0.3, 50, ["weight"], None, True))[:58]
    'an intruder who also knows weight finds 30.0% of the recor'
    """
    if after <= before:
        return
    sized = "" if households is None else _size_known(households)
    names = " and ".join([*design, *([sized] if sized else [])])
    alone, way = ("alone", "") if households is None else _by_role(households)
    ways = [
        *(["declare them quasi-identifiers if others may know them"] if design else []),
        *([way] if way else []),
    ]
    if f"{after:.1%}" == f"{before:.1%}":
        counts = [round(share * records) for share in (after, before)]
        finds = f"finds {counts[0]:,} of the records {alone}, instead of {counts[1]:,}"
    else:
        finds = f"finds {after:.1%} of the records {alone}, instead of {before:.1%}"
    word = "also " if also else ""
    yield f"an intruder who {word}knows {names} {finds}; {', or '.join(ways)}"


def _by_role(clusters: Clusters) -> tuple[str, str]:
    """Return with whom a record that stands out is found, and what helps."""
    if clusters.role is Role.PERSON:
        return "alone or only with the same person's", "leave out the number of the person"
    return (
        "alone or only with their household",
        "leave out the household, or the households of rare sizes",
    )


def _size_known(clusters: Clusters) -> str:
    if clusters.role is Role.PERSON:
        return "the number of records of the person"
    return "the size of the household"


def classes_of_one_household(released: Microdata) -> tuple[int, int]:
    """Return how many classes of several records are of one household, and how many records.

    >>> import discreet
    >>> data = discreet.read({"town": list("aabb"), "hid": [1, 1, 2, 3]},
    ...                      roles={"town": "quasi-identifier", "hid": "household"})
    >>> classes_of_one_household(data)
    (1, 2)
    """
    homes = households_of(released)
    if homes is None or not released.quasi_identifiers or not len(released):
        return 0, 0
    values = _class_fingerprints(released, released.quasi_identifiers)
    rows = _like_a_mate(values, homes)
    if not len(rows):
        return 0, 0
    _, labels = np.unique(values[rows], return_inverse=True)
    records = np.bincount(labels)
    single = _of_one(labels, homes.labels[rows]) & (records > 1)
    return int(single.sum()), int(records[single].sum())


def brought_together(released: Microdata, before: Microdata) -> Iterator[str]:
    """Yield notes on columns that show which records without a household number belong together.

    `before` has the same records with their numbers.

    >>> import discreet
    >>> columns = {"hid": [1, 1, 2, 2], "rent": [512.5, 512.5, 730.1, 730.1]}
    >>> options = {"roles": {"hid": "household"}, "levels": {"rent": "household"}}
    >>> data = discreet.read(columns, **options)
    >>> gone = discreet.read({**columns, "hid": [None, None, 2, 2]}, **options)
    >>> next(brought_together(gone, data))[:60]
    "'rent' is released as it is and brings the members of 1 of 1"
    """
    key = next(iter(before.having(Role.HOUSEHOLD)), None)
    if key is None or key not in released.schema:
        return
    rows = np.flatnonzero(released.column(key).missing & ~before.column(key).missing)
    if not len(rows):
        return
    homes = classes(before.take(rows), [key])
    without = int((np.bincount(homes) > 1).sum())
    for name in of_household(before):
        if name not in released.schema:
            continue
        if not released.column(name).same_as(before.column(name)):
            continue
        labels = classes(released.take(rows), [name])
        households = int((_of_one(labels, homes) & (np.bincount(labels) > 1)).sum())
        if households:
            yield (
                f"'{name}' is released as it is and brings the members of {households:,} of "
                f"{without:,} households without a number together again: no other of them has its "
                "value; "
                f"treat '{name}' in a step, round it, or leave it out"
            )


def _class_fingerprints(released: Microdata, names: Collection[str]) -> NDArray[np.uint64]:
    """Return a number per record, the same for records of one class.

    If two classes of a file share one by accident, with a chance of 10^-8 among a million, it would
    change a note by a record or two; classes are much more expensive to find.
    """
    return fingerprints([released.column(name) for name in names])


def _like_a_mate(values: NDArray[np.uint64], homes: Clusters) -> NDArray[np.int64]:
    """Return the records of all classes that may hold two records of one household.

    There are few others among them.
    """
    left = np.uint64(64 - len(homes.sizes).bit_length())
    prints = values >> (np.uint64(64) - left)
    # With the household in front these numbers are almost in order, and a stable sort is fast.
    within = homes.ordered((homes.labels.astype(np.uint64) << left) | prints)
    within = np.sort(within, kind="stable")
    twice = within[1:][within[1:] == within[:-1]]
    if not len(twice):
        return np.zeros(0, dtype=np.int64)
    some = np.unique(twice & ((np.uint64(1) << left) - np.uint64(1)))
    at = np.minimum(np.searchsorted(some, prints), len(some) - 1)
    return np.flatnonzero(some[at] == prints)


def _together(parts: Iterable[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    """Return a joint label for all of these; None if they are none."""
    known = [part for part in parts if part is not None]
    return reduce(_joint, known) if known else None


def _joint(labels: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a label for each pair of labels that occurs."""
    width = int(others.max(initial=0)) + 1
    return ranked(labels * width + others, (int(labels.max(initial=0)) + 1) * width)[0]


def _alone(labels: NDArray[np.int64] | None, homes: NDArray[np.int64]) -> float:
    """Return the share of records alone with their label, or only with their household."""
    if labels is None:
        return float(homes.max(initial=0) == 0)
    return float(_of_one(labels, homes)[labels].mean())


def _of_one(labels: NDArray[np.int64], homes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which classes are one household: all their records have the same one."""
    household = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.int64)
    household[labels] = homes
    others = np.zeros(len(household), dtype=bool)
    others[labels[homes != household[labels]]] = True
    return ~others
