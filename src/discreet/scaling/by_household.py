"""A step on a large file of households: what they share stays shared, and consistent.

What `discreet.release.by_level` does with a table in memory, as far as it can be done by rows and
counts: a step that gives equal values for equal values is run as it is, one that suppresses records
also suppresses the other members of their households, and any other is run on columns of persons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Grain, Method, Needs
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.clusters import unit_key
from discreet.microdata.levels import DIFFERENT, RECORD, levels_between
from discreet.release.by_level import promises_k, reached_by
from discreet.release.classes_of_units import notes_on_units, refuse_few_units
from discreet.release.consistent import EXACT, notes_on_derived
from discreet.release.strata import k_of_all
from discreet.release.suppression_by_household import emptied, lost_with, notes_on_suppression
from discreet.scaling.keys import households
from discreet.scaling.labelling import Labelling, units_in_classes
from discreet.scaling.levels import Households
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, differs, slices, write_slice

Marks = NDArray[np.bool_]
IN_MEMORY = "in memory only, and the file is larger; allow more memory"


def refuse_by_household(store: Store, known: Households, steps: Sequence[Method]) -> None:
    """Refuse steps that treat households together in memory only, before any of them is run."""
    head, word = store.head, known.clusters.word
    for number, step in enumerate(steps, start=1):
        label = f"step {number} ({step.spec.name})"
        if step.in_blocks is not None or step.by is not None:
            parts = "blocks ('in_blocks')" if step.in_blocks is not None else "strata ('by')"
            raise UsageError(
                f"{label} is run in {parts}, which would separate the {known.clusters.members} of "
                f"a {word}; leave them out, or give '{known.key}' the role identifier"
            )
        if step.grain is Grain.FILE or step.needs is Needs.MODELS:
            raise UsageError(
                f"{label} draws records or values of whole {word}s, which is done {IN_MEMORY}, or "
                f"give '{known.key}' the role identifier"
            )
        shared = shared_by(step, head, known)
        if step.grain is Grain.RECORD and shared:
            raise UsageError(
                f"{label} treats each {word} once in what its {known.clusters.members} share "
                f"({', '.join(repr(n) for n in shared)}), which is done {IN_MEMORY}, name other "
                "columns with columns=[…], or treat these in a step of global-recoding, rounding "
                "or top-bottom-coding"
            )


def refuse_groups_of_units(
    roles: Mapping[str, str], unit: str | None, steps: Iterable[Method]
) -> None:
    """Refuse steps that would form groups of households or persons, from the plan alone.

    A large file has one key at most.

    >>> import discreet
    >>> refuse_groups_of_units({"hid": "household"}, "record", [discreet.Microaggregation()])
    """
    key = next((n for n, role in roles.items() if role in (Role.HOUSEHOLD, Role.PERSON)), None)
    if key is None or unit == RECORD:
        return
    for number, step in enumerate(steps, start=1):
        whole = unit not in (None, DIFFERENT)
        if not promises_k(step) or (step.grain is not Grain.RECORD and not whole):
            continue
        grouped = f"whole {roles[key]}s" if whole else f"k {roles[key]}s"
        raise UsageError(
            f"step {number} ({step.spec.name}) would form groups of {grouped}, which is done "
            f"{IN_MEMORY}, count records with 'unit: {RECORD}' in the plan, or use global-recoding "
            "without a unit"
        )


def shared_by(step: Method, head: Microdata, known: Households) -> tuple[str, ...]:
    """Return the columns of household level that a step treats."""
    level, _ = levels_between(known.clusters)
    return tuple(name for name in reached_by(step, head) if head.schema[name].level is level)


def after_households(
    before: Store, after: Stepped, step: Method, known: Households, label: str
) -> Stepped:
    """Return the outcome of a step with what holds for households: see `by_level.protected`."""
    if step.grain is Grain.SUPPRESSION and shared_by(step, before.head, known):
        names = reached_by(step, before.head)
        after = _suppressed(before, after, names, known, label)
    after = _with_enough_units(after, reached_by(step, before.head), known, label)
    return _consistent(before, after, known, label)


def _suppressed(
    before: Store, after: Stepped, names: tuple[str, ...], known: Households, label: str
) -> Stepped:
    """Suppress the other household members of suppressed records too.

    As `release.suppression_by_household`, with a mark for each record and each household.
    """
    store, records = after.store, len(after.store)
    store.require(3 * records, "marking the records whose household is suppressed")
    first = np.concatenate([_new_gaps(before, store, names, *span) for span in slices(records)])
    if not first.any():
        return after
    claimed = k_of_all([after.claims])
    k = int(claimed[0].bound) if claimed else 1
    gone = _until_large(store, names, k, first, known.key, None)
    lost = [*names, *lost_with(names, known.derived, known.key)]
    notes = notes_on_suppression(gone, first, after.claims)
    return replace(
        after,
        store=_emptied(store, list(dict.fromkeys(lost)), gone, f"{label}-emptied"),
        claims=claimed,
        notes=(*after.notes, *notes),
        alike=names if claimed else (),
        labels="",
        least_size=k,
    )


def _with_enough_units(
    after: Stepped, names: tuple[str, ...], known: Households, label: str
) -> Stepped:
    """Suppress records until every class of a claimed k-anonymity has k units.

    As `release.classes_of_units`.
    """
    store, claimed = after.store, k_of_all([after.claims])
    unit = unit_key(store.head)
    if unit is None or not claimed:
        return after
    k, word = int(claimed[0].bound), store.attributes[unit].role.value
    refuse_few_units(k, store.keys[unit].count, word)
    store.require(3 * len(store), "marking the records of classes that are too small")
    level, _ = levels_between(known.clusters)
    shared = any(store.attributes[name].level is level for name in names)
    nobody = np.zeros(len(store), dtype=bool)
    gone = _until_large(store, names, k, nobody, known.key if shared else None, unit)
    if not gone.any():
        return after
    lost = [*names, *lost_with(names, known.derived, known.key)]
    return replace(
        after,
        store=_emptied(store, list(dict.fromkeys(lost)), gone, f"{label}-units"),
        claims=claimed,
        notes=(*after.notes, *notes_on_units(gone, k, word, after.claims)),
        alike=names,
        labels="",
        least_size=k,
    )


def _until_large(
    store: Store,
    names: tuple[str, ...],
    k: int,
    first: Marks,
    key: str | None,
    unit: str | None,
) -> Marks:
    """Return which records are suppressed until every class has k records, or k units.

    `first` are suppressed already. With a `key`, so are the other members of their households.
    """
    classes, gone = Labelling.of(store, names), first.copy()
    while True:
        if key is not None:
            _spread(store, key, gone)
        occupied, sizes = _sizes(classes, gone, unit)
        chosen = occupied & (sizes < k)
        if not chosen.any():
            if not gone.any() or sizes[classes.empty] >= k or gone.all():
                return gone
            chosen = occupied & (sizes == sizes[occupied].min())
        for span, labels in classes.labels():
            gone[slice(*span)] |= chosen[labels]


def _sizes(classes: Labelling, gone: Marks, unit: str | None) -> tuple[Marks, NDArray[np.int64]]:
    """Return which classes have records that are not suppressed, and the size of every class.

    Suppressed records have one class, with those that had no value before.
    """
    count = len(classes.order) + 1
    sizes = np.zeros(count, dtype=np.int64)
    for span, labels in classes.labels():
        sizes += np.bincount(labels[~gone[slice(*span)]], minlength=count)
    occupied = sizes > 0
    if unit is None:
        sizes[classes.empty] += int(gone.sum())
        return occupied, sizes
    return occupied, units_in_classes(classes, gone, unit)


def _new_gaps(before: Store, after: Store, names: Sequence[str], first: int, last: int) -> Marks:
    """Return which of these records have lost all of these columns."""
    gaps = [
        np.all([store.table([n], first, last).column(n).missing for n in names], axis=0)
        for store in (before, after)
    ]
    return np.asarray(gaps[1] & ~gaps[0])


def _spread(store: Store, key: str, gone: Marks) -> None:
    """Mark all members of the households of marked records."""
    marked = np.zeros(store.keys[key].count + 1, dtype=bool)
    for first, last in slices(len(store)):
        marked[store.values(key, first, last)[gone[first:last]]] = True
    marked[-1] = False  # a record without a number stands alone
    for first, last in slices(len(store)):
        gone[first:last] |= marked[store.values(key, first, last)]


def _emptied(store: Store, names: list[str], marks: Marks, label: str) -> Store:
    """Return the store with gaps at the marked records."""
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(names)}
    after = store.with_columns([store.attributes[name] for name in names], files)
    after.reserve(files)
    for first, last in slices(len(store)):
        for column in store.table(names, first, last):
            new = emptied(column, marks[first:last])
            write_slice(after.folder / files[column.name], new.values, first)
    return after


def _consistent(before: Store, after: Stepped, known: Households, label: str) -> Stepped:
    """Return the outcome with what follows from the members of households computed again."""
    store = after.store
    again, coarse, open_to_all = list[str](), list[str](), list[str]()
    for name, way in known.derived.items():
        source, old, new = way.source, before.attributes, store.attributes
        if not source or not differs(before, store, source):
            if _treated(before, store, name):
                open_to_all.append(name)
        elif new[source].kind is not old[source].kind:
            worth_telling = way.how in EXACT or old[name].role is Role.QUASI_IDENTIFIER
            if worth_telling and not differs(before, store, name):
                coarse.append(name)
        elif new[name].categories == old[name].categories:
            again.append(name)
    for place, name in enumerate(again):
        if not store.attributes[name].continuous:
            raise DataError(
                f"'{name}' is {known.derived[name].words}, which the step changes; it is counted "
                "again in memory only: give it the role identifier to drop it, or allow more memory"
            )
        store = _computed(before, store, name, known, f"{label}-again-{place}")
    changed = [name for name in again if differs(after.store, store, name)]
    notes = notes_on_derived(changed, coarse, open_to_all, known.derived, known.clusters.word)
    if coarse:
        store = _emptied(store, coarse, np.ones(len(store), dtype=bool), f"{label}-coarse")
    return replace(after, store=store, notes=(*after.notes, *notes))


def _treated(before: Store, after: Store, name: str) -> bool:
    """Whether a column has new values, not only gaps where it had some."""
    if before.attributes[name].categories != after.attributes[name].categories:
        return True
    if before.files[name] == after.files[name]:
        return False
    return any(
        not new.same_as(emptied(old, new.missing))
        for span in slices(len(before))
        for old, new in [(s.table([name], *span).column(name) for s in (before, after))]
    )


def _computed(before: Store, after: Store, name: str, known: Households, label: str) -> Store:
    """Return the store with a column of numbers computed again from the released members."""
    from discreet.scaling.in_order import PAIR, scattered

    way = known.derived[name]
    was = f"\0{way.source}"
    both = replace(
        after,
        attributes={
            **after.attributes,
            was: replace(before.attributes[way.source], name=was),
        },
        files={
            **after.files,
            name: before.files[name],
            was: before.files[way.source],
        },
    )

    def numbers() -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        for rows, table, homes in households(both, known.key, [name, way.source, was]):
            old = Column(before.attributes[way.source], table[was])
            made = way.column(table, homes, Microdata([old], rows=len(rows)))
            yield rows, made.values

    work = after.folder / label
    work.mkdir()
    file = f"{label}-made"
    made = after.with_columns([after.attributes[name]], {name: file})
    made.reserve({name: file})
    for path, first, last in scattered(numbers(), len(after), work):
        new = np.empty(last - first)
        pairs = np.fromfile(path, PAIR)
        path.unlink()
        new[pairs["row"] - first] = pairs["value"]
        new[np.isnan(after.values(name, first, last))] = np.nan
        write_slice(after.folder / file, Column(after.attributes[name], new).values, first)
    work.rmdir()
    return made
