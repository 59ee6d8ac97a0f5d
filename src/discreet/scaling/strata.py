"""A step in strata on a large file: each stratum separately, with random numbers of its own.

Strata are those of `discreet.release.by_strata`. Rows are dealt to a store for each stratum; one
that fits in memory is treated there, whatever the method needs; others on disk. Then the
outcomes are put back in the order of the file.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Masked, Method
from discreet.errors import DataError, UsageError
from discreet.microdata import Attribute, Microdata, Role
from discreet.microdata.equivalence import classes
from discreet.release.by_level import protected
from discreet.release.by_strata import in_a_stratum, in_one_stratum, note_on_strata
from discreet.release.strata import claims_of_all, joint_scale, notes_of_all, same_scale
from discreet.scaling.engine import Engine
from discreet.scaling.labelling import Labelling
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, reserve, write_slice

Labels = NDArray[np.int64]
Run = Callable[[Stepped, Method, Context, Engine, str], Stepped]
"""Runs a step on a store that does not fit in memory."""
PER_CELL = 60
"""Bytes of memory for a value of a stratum that is treated in memory."""
NO_LABEL = -1


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each row: `number` has that of each label, and `rows` how many it has."""

    labelling: Labelling
    number: Labels
    rows: Labels

    @classmethod
    def of(cls, store: Store, names: Sequence[str]) -> Strata:
        """Number the strata by some columns as in memory."""
        labelling = Labelling.of(store, names)
        number = classes(labelling.combinations, names)
        rows = np.bincount(number, labelling.times, len(number)).astype(np.int64)
        return cls(labelling, number, rows)

    def of_rows(self, first: int, last: int) -> Labels:
        """Return the strata of some rows."""
        return self.number[self.labelling.of_rows(first, last)]


def fits(store: Store, rows: int) -> bool:
    """Whether this many rows of a store can be treated in memory."""
    return rows * len(store.files) * PER_CELL <= store.memory


def refuse_large_strata(store: Store, step: Method, step_name: str, way_out: str) -> None:
    """Refuse strata that do not fit in memory, for a method that needs a stratum as a whole."""
    names = [name for name in step.by or () if name in store.files]
    largest = int(Strata.of(store, names).rows.max()) if names else len(store)
    if not fits(store, largest):
        raise UsageError(
            f"{step_name} needs each stratum as a whole, {step.whole_because}, and the largest has "
            f"{largest:,} records, more than the memory that may be used allows; use smaller "
            f"strata ('by'), or {way_out}"
        )


def run_in_strata(
    store: Store, step: Method, context: Context, engine: Engine, label: str, run: Run
) -> Stepped:
    """Return the store after a step that is run in each stratum; `label` names its new files."""
    names = step.by or ()
    inner, looked_at = in_one_stratum(step, store.head)
    strata = Strata.of(store, names)
    work = store.folder / f"{label}-strata"
    work.mkdir()
    roles = {n: replace(store.attributes[n], role=Role.OTHER) for n in looked_at}
    seen = replace(store, attributes={**store.attributes, **roles})
    parts = [
        replace(
            seen,
            folder=work / f"{number:06d}",
            rows=rows,
            files={name: f"in-{place:04d}" for place, name in enumerate(store.files)},
            origin="",
        )
        for number, rows in enumerate(strata.rows.tolist())
    ]
    counts = _dealt(store, strata, parts)
    quiet = Context(context.randomness, path=context.path)
    small = [number for number, part in enumerate(parts) if fits(store, len(part))]
    tasks = [
        _Stratum(parts[n], inner, quiet.within("stratum", n), len(store), names) for n in small
    ]
    done = dict(zip(small, engine.map(_in_memory, tasks, f"{step.spec.name} in strata"),
                    strict=True))  # fmt: skip
    for number, part in enumerate(parts):
        if number not in done:
            inside = context.within("stratum", number)
            try:
                done[number] = run(Stepped(part), inner, inside, engine, "step")
            except DataError as error:
                raise in_a_stratum(error, len(part), len(store), names) from None
    outcomes = [done[number] for number in range(len(parts))]
    outcome = _put_together(store, strata, parts, outcomes, counts, engine, label)
    shutil.rmtree(work)
    return replace(outcome, notes=(*outcome.notes, note_on_strata(step, len(parts))))


def _dealt(store: Store, strata: Strata, parts: Sequence[Store]) -> NDArray[np.int64]:
    """Write the rows of each stratum to its store; return how many each task has of each."""
    for part in parts:
        part.folder.mkdir()
        for name in part.files:
            (part.folder / part.files[name]).touch()
    counts = []
    for span in store.tasks():
        number = strata.of_rows(*span)
        order = np.argsort(number, kind="stable")
        counts.append(np.bincount(number, minlength=len(parts)))
        ends = np.cumsum(counts[-1])
        for name in store.files:
            values = store.values(name, *span)[order]
            for place in np.flatnonzero(counts[-1]).tolist():
                part = parts[place]
                with (part.folder / part.files[name]).open("ab") as file:
                    values[ends[place] - counts[-1][place] : ends[place]].tofile(file)
    return np.array(counts)


@dataclass(frozen=True, eq=False)
class _Stratum:
    """What a task about a stratum that fits in memory needs."""

    part: Store
    step: Method
    context: Context
    records: int
    names: tuple[str, ...]


def _in_memory(task: _Stratum) -> Stepped:
    """Run the step on a stratum in memory, and write what it changed."""
    part = task.part
    before = part.table(part.files, 0, len(part))
    try:
        masked = protected(task.step, before, {}, task.context)
    except DataError as error:
        raise in_a_stratum(error, len(part), task.records, task.names) from None
    return _written(part, before, masked)


def _written(part: Store, before: Microdata, masked: Masked) -> Stepped:
    attributes, files = list[Attribute](), dict[str, str]()
    for place, column in enumerate(masked.data):
        if not column.same_as(before.column(column.name)):
            attributes.append(column.attribute)
            files[column.name] = f"out-{place:04d}"
            column.values.tofile(part.folder / files[column.name])
    after = part.with_columns(attributes, files)
    groups = masked.groups
    if groups is None:
        return Stepped(after, masked.claims, masked.notes)
    groups.labels.tofile(part.folder / "groups")
    return Stepped(
        after,
        masked.claims,
        masked.notes,
        labels="groups",
        least_size=groups.least_size,
        drawn=groups.drawn,
        drawn_columns=groups.drawn_columns,
    )


def _put_together(
    store: Store,
    strata: Strata,
    parts: Sequence[Store],
    outcomes: Sequence[Stepped],
    counts: NDArray[np.int64],
    engine: Engine,
    label: str,
) -> Stepped:
    """Return the store with the columns that any stratum changed, in the order of the file."""
    attributes, tables = dict[str, Attribute](), dict[str, list[NDArray[np.int32] | None]]()
    for name in store.files:
        if all(o.store.files[name] == p.files[name] for o, p in zip(outcomes, parts, strict=True)):
            continue
        original = store.attributes[name]
        scales = [outcome.store.attributes[name] for outcome in outcomes]
        if any(a.continuous for a in scales) and not same_scale(scales):
            raise DataError(
                f"'{name}' became labels in some strata and stayed a number in others, which is "
                "put together in memory only; recode the column in an earlier step, or allow more "
                "memory"
            )
        joint, tables[name] = joint_scale(scales, original)
        attributes[name] = replace(joint, role=original.role)
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(attributes)}
    after = store.with_columns(attributes.values(), files)
    after.reserve(files)
    grouped = all(outcome.labels or outcome.alike for outcome in outcomes)
    labels, firsts = "", np.zeros(len(parts), dtype=np.int64)
    if grouped:
        outcomes = [_labelled(outcome) for outcome in outcomes]
        labels = f"{label}-groups"
        reserve(store.folder / labels, 8 * len(store))
        firsts = np.cumsum([0, *(_groups_of(outcome) for outcome in outcomes)])[:-1]
    starts = np.cumsum(counts, axis=0) - counts
    tasks = [
        _Merge(store, after, strata, outcomes, tables, labels, firsts, start, span)
        for start, span in zip(starts, store.tasks(), strict=True)
    ]
    engine.map(_merge, tasks, "putting records back in order")
    return Stepped(
        after,
        claims_of_all([outcome.claims for outcome in outcomes]),
        tuple(notes_of_all([outcome.notes for outcome in outcomes])),
        labels=labels,
        least_size=min(outcome.least_size for outcome in outcomes),
        drawn=grouped and all(outcome.drawn for outcome in outcomes),
        drawn_columns=frozenset.intersection(*(o.drawn_columns for o in outcomes)),
    )


def _labelled(outcome: Stepped) -> Stepped:
    """Return the outcome of a stratum with a label for the group of each row."""
    if outcome.labels:
        return outcome
    store, file = outcome.store, "alike-groups"
    with (store.folder / file).open("wb") as target:
        for _, labels in Labelling.of(store, outcome.alike).labels():
            labels.tofile(target)
    return replace(outcome, labels=file)


def _groups_of(outcome: Stepped) -> int:
    """Return how many groups a stratum has."""
    labels = np.memmap(outcome.store.folder / outcome.labels, np.int64, "r")
    return int(labels.max()) + 1


@dataclass(frozen=True, eq=False)
class _Merge:
    """What a task about some rows needs; `starts` is where they begin in each stratum."""

    before: Store
    after: Store
    strata: Strata
    outcomes: Sequence[Stepped]
    tables: dict[str, list[NDArray[np.int32] | None]]
    labels: str
    firsts: Labels
    starts: Labels
    span: tuple[int, int]


def _merge(task: _Merge) -> None:
    """Write the outcome of all strata for some rows, in the order of the file."""
    first, last = task.span
    number = task.strata.of_rows(first, last)
    order = np.argsort(number, kind="stable")
    counts = np.bincount(number, minlength=len(task.outcomes))
    present = np.flatnonzero(counts).tolist()
    for name, tables in task.tables.items():
        pieces = []
        for place in present:
            begin = int(task.starts[place])
            store, table = task.outcomes[place].store, tables[place]
            values = store.values(name, begin, begin + int(counts[place]))
            pieces.append(values if table is None else table[values])
        column = np.concatenate(pieces)
        back = np.empty_like(column)
        back[order] = column
        write_slice(task.after.folder / task.after.files[name], back, first)
    if task.labels:
        groups = []
        for place in present:
            outcome, count = task.outcomes[place], int(counts[place])
            path = outcome.store.folder / outcome.labels
            labels = np.fromfile(path, np.int64, count, offset=8 * int(task.starts[place]))
            groups.append(np.where(labels < 0, NO_LABEL, labels + task.firsts[place]))
        together = np.concatenate(groups)
        back = np.empty_like(together)
        back[order] = together
        write_slice(task.before.folder / task.labels, back, first)
