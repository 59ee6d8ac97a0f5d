"""The steps of a plan on a large file, each by what its method needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discreet.contracts import Context, Grain, Method, Needs
from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.grouping import LARGE, PointPartition
from discreet.release.by_strata import refuse_by_inside, refuse_undivided
from discreet.scaling.by_blocks import run_in_blocks
from discreet.scaling.by_household import after_households, refuse_by_household
from discreet.scaling.engine import Engine
from discreet.scaling.in_order import run_in_order
from discreet.scaling.levels import Households
from discreet.scaling.microaggregating import microaggregated
from discreet.scaling.new_records import new_records
from discreet.scaling.rearranging import run_rearranged
from discreet.scaling.selecting import selected
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store
from discreet.scaling.strata import refuse_large_strata, run_in_strata
from discreet.scaling.treating import treated

ABLE = {Needs.ROWS, Needs.COUNTS, Needs.ORDER, Needs.BLOCKS, Needs.MODELS}


def large_steps(steps: Sequence[Method]) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return the steps as they are done on a large file, and notes on what was added to them.

    A method that needs the whole file at once is refused here, before any work.

    >>> from discreet.contracts.registry import build
    >>> steps, notes = large_steps([build("method", {"microaggregation": {}})])
    >>> steps[0].partition.blocks, notes[0][:40]
    (100000, 'step 1 (microaggregation) works in block')
    >>> large_steps([build("method", "fully-synthetic")])
    Traceback (most recent call last):
    discreet.errors.UsageError: step 1 (fully-synthetic) needs the whole file at once...
    """
    done, notes = [], []
    for number, step in enumerate(steps, start=1):
        step_name = f"step {number} ({step.spec.name})"
        refuse_by_inside(step)
        refuse_undivided(step)
        if step.by is not None and step.grain is Grain.FILE:
            raise UsageError(
                f"{step_name} releases records other than those it is given, which strata ('by') "
                f"of a file larger than memory cannot do; {_way_out(step)}"
            )
        if step.by is not None:
            # Strata that fit in memory are treated there; the others are treated on disk.
            done.append(step)
            continue
        if step.in_blocks is not None and step.grain is Grain.FILE:
            raise UsageError(
                f"{step_name} releases records other than those it is given, which blocks of a "
                f"file larger than memory cannot do; {_way_out(step)}"
            )
        if step.in_blocks is None and step.needs not in ABLE:
            raise UsageError(
                f"{step_name} needs the whole file at once, {step.whole_because}, and the file is "
                f"larger than the memory that may be used; {_way_out(step)}"
            )
        step, note = _in_blocks(step)
        notes += [f"{step_name} {note}"] if note else []
        done.append(step)
    return tuple(done), tuple(notes)


def _in_blocks(step: Method) -> tuple[Method, str]:
    """Return a step with the blocks that a large file needs, and a note about it."""
    if step.in_blocks is not None or step.needs is not Needs.BLOCKS:
        return step, ""
    if not (isinstance(step, Microaggregation) and step.replaces_in_blocks):
        most = step.usual_block
        step = type(step)(**{**step.values(), "in_blocks": most})
    elif isinstance(step.partition, PointPartition) and step.partition.blocks is None:
        most = LARGE
        partition = type(step.partition)(**{**step.partition.values(), "blocks": most})
        step = type(step)(**{**step.values(), "partition": partition})
    else:
        return step, ""
    return step, (
        f"works in blocks of at most {most:,} records, because the file is larger than memory"
    )


def _way_out(step: Method) -> str:
    """Return what can be done about a step that cannot treat large files."""
    blocks = "" if step.in_blocks or step.grain is Grain.FILE else ", set blocks (in_blocks)"
    return f"allow more (--memory){blocks}, or use {' or '.join(nearest(step))}"


def nearest(step: Method) -> list[str]:
    """Return the method that can treat large files and comes nearest to one that cannot.

    The one that it names, or those for the same kinds of columns, if it is somebody else's.

    >>> from discreet.contracts.registry import build
    >>> nearest(build("method", {"rank-swapping": {"strata": ["sex"]}}))
    ['additive-noise']
    """
    if step.spec.nearest:
        return [step.spec.nearest]
    able = [
        entry.spec
        for entry in entries("method")
        if entry.spec.needs in ABLE and set(step.spec.kinds) <= set(entry.spec.kinds)
    ]
    alike = [spec.name for spec in able if spec.random == step.spec.random]
    return [name for name in alike or [s.name for s in able] if name != step.spec.name]


def run_large(
    store: Store,
    steps: Sequence[Method],
    context: Context,
    engine: Engine,
    known: Households | None = None,
) -> Stepped:
    """Run the steps one after another; claims and notes are those of a run in memory.

    `known` are the households of the file, if it has any.
    """
    state = Stepped(store)
    _refuse_strata(store, steps)
    if known is not None:
        state = Stepped(known.corrected, notes=known.notes)
        refuse_by_household(store, known, steps)
    for number, step in enumerate(steps, start=1):
        part = context.within(f"step {number}", step.spec.name)
        label = f"step-{number}"
        engine.begin()
        after = _run(state, step, part, engine, label)
        if known is not None:
            after = after_households(state.store, after, step, known, label)
        state = _joined(state, after, f"step {number} ({step.spec.name})")
    return state


def _run(state: Stepped, step: Method, context: Context, engine: Engine, label: str) -> Stepped:
    """Run a step by what its method needs."""
    if step.by is not None:
        return run_in_strata(state.store, step, context, engine, label, _run_stratum)
    if step.in_blocks is not None:
        return run_in_blocks(state.store, step, context, engine, label)
    if isinstance(step, Microaggregation):
        return _microaggregated(state, step, context, engine, label)
    if step.by_ranks:
        return run_rearranged(state.store, step, context, engine, label)
    if step.needs is Needs.ORDER:
        return run_in_order(state.store, step, context, engine, label)
    return _treated(state, step, context, engine, label)


def _run_stratum(
    state: Stepped, step: Method, context: Context, engine: Engine, label: str
) -> Stepped:
    """Run a step on a stratum that does not fit in memory."""
    (inner,), notes = large_steps([step])
    after = _run(state, inner, context, engine, label)
    stratum_notes = [note.removeprefix("step 1 ") for note in notes]
    return replace(after, notes=(*stratum_notes, *after.notes))


def _refuse_strata(store: Store, steps: Sequence[Method]) -> None:
    """Refuse strata that do not fit in memory where they must, before any step is run."""
    for number, step in enumerate(steps, start=1):
        if step.by is not None and step.in_blocks is None and step.needs not in ABLE:
            step_name = f"step {number} ({step.spec.name})"
            refuse_large_strata(store, step, step_name, _way_out(step))


def _microaggregated(
    state: Stepped, step: Microaggregation, context: Context, engine: Engine, label: str
) -> Stepped:
    head = state.store.head
    names = step.checked(head)
    grouped = microaggregated(
        state.store, names, step.partition, step.replacement, context, engine, label
    )
    assert isinstance(step.partition, PointPartition)
    return Stepped(
        grouped.store,
        claims=step.claims_about(head, names, step.partition.k),
        labels=grouped.labels,
        least_size=step.partition.k,
        detail=grouped.detail,
    )


def _treated(state: Stepped, step: Method, context: Context, engine: Engine, label: str) -> Stepped:
    """Fit a method to the file, then treat it slice by slice."""
    store = state.store
    fitted = step.fit(store, context)
    if fitted.new is not None:
        return new_records(store, fitted, context, engine, label)
    title = f"treating rows: {step.spec.name}"
    after, changed = treated(store, fitted, context, engine, label, title)
    kept = [a for a in after.attributes.values() if a.name in changed]
    done = Stepped(
        store.with_columns(kept, {a.name: after.files[a.name] for a in kept}),
        fitted.claims,
        fitted.notes,
        alike=fitted.alike,
        least_size=fitted.least_size,
    )
    if fitted.keep is None:
        return done
    # The groups of an earlier step are those of the records that are left.
    left, labels = selected(
        done.store, fitted.columns, fitted.keep, context, engine, label, state.labels
    )
    return replace(done, store=left, labels=labels)


def _joined(before: Stepped, after: Stepped, step: str) -> Stepped:
    """Return what holds after a step: an earlier promise may be about values that are gone."""
    known = [
        n for n, a in before.store.attributes.items() if n in before.store.head.quasi_identifiers
    ]
    fewer = before.store.origin != after.store.origin and not after.new
    changed = [n for n in known if before.store.files[n] != after.store.files[n] and not fewer]
    withdrawn = bool(before.claims and (changed or fewer))
    notes = list(before.notes)
    if withdrawn:
        effect = "left out records" if fewer else "changed quasi-identifiers"
        notes.append(
            f"{step} {effect} that an earlier step had protected, so the earlier claim of "
            f"{before.claims[0].measure} is not made"
        )
    if fewer:
        before = replace(before, labels=after.labels)
    if after.new:
        before = Stepped(before.store, before.claims)
    grouped = bool(after.labels or after.alike) and (
        bool(changed) or not (before.labels or before.alike)
    )
    chosen = after if grouped else before
    return replace(
        chosen,
        store=after.store,
        claims=(() if withdrawn else before.claims) + after.claims,
        notes=(*notes, *after.notes),
    )
