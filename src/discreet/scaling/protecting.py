"""Protecting a file that is larger than memory: the stages, one after the other."""

from __future__ import annotations

import shutil
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from discreet.contracts import Claim, Context, Method, Randomness, Seed
from discreet.contracts.claim import claim_bound
from discreet.contracts.randomness import BY_HAND
from discreet.errors import ClaimError, DataError, UsageError
from discreet.io.atomic import publish_directory
from discreet.microdata import Microdata, Role, Source
from discreet.publishing.directory import owned, refuse_over_inputs
from discreet.publishing.parts import HELD_BACK, ORIGIN
from discreet.publishing.verifying import verify
from discreet.release.assessing import assess
from discreet.release.assessment import Assessment
from discreet.release.course import rows_at
from discreet.release.gate import refuse_overlooked_identifiers
from discreet.release.given_back import look_for_given_back
from discreet.release.notes import notes_on_outcome
from discreet.release.plan import Plan
from discreet.release.plan_schema import types_of_arrow
from discreet.release.release import Release
from discreet.scaling.deciding import estimate, size_of, size_of_file
from discreet.scaling.engine import Engine
from discreet.scaling.gating import (
    Counted,
    check_large_claims,
    check_large_promises,
    with_counts,
)
from discreet.scaling.holding_back import held_back_store
from discreet.scaling.keys import with_unit_of
from discreet.scaling.levels import Households, households_in, with_levels_of
from discreet.scaling.memory import counting_memory, for_records
from discreet.scaling.on_households import notes_on_households, reasons_on_households
from discreet.scaling.one_file import large_format, write_one_file
from discreet.scaling.parts import Outgoing, outgoing, write_held_back, write_parts
from discreet.scaling.publishing import RELEASE, Written, released_name, write_about
from discreet.scaling.sampling import Sample, sampled
from discreet.scaling.source import LargeFile, large_file
from discreet.scaling.stepped import Stepped
from discreet.scaling.stepping import large_steps, run_large
from discreet.scaling.store import Store, slices
from discreet.scaling.storing import stored

WORK = ".work"


@dataclass(frozen=True, eq=False)
class Protected:
    """A large release: what was measured, the sample of it, and where it is."""

    release: Release
    assessment: Assessment
    records: int
    directory: Path

    def __repr__(self) -> str:
        claims = "; ".join(
            f"{claim.measure} {claim.measured:g} (claimed: {claim.bound:g})"
            for claim in self.release.claims
        )
        steps = ", ".join(step.spec.name for step in self.release.steps)
        return f"Release({self.records} records in parts; {steps}; {claims or 'no claims'})"


def protect_large(
    plan: Plan,
    out: Path,
    *,
    data: Path | None = None,
    seed: Seed = None,
    memory: int = 4_000_000_000,
    engine: Engine | None = None,
    overwrite: bool = False,
) -> Protected:
    """Protect a Parquet file or a folder of files as planned, and write the release.

    The outcome is that of `Plan.run` on a table in memory, in Parquet parts: the same values in the
    same order for the same seed. `memory` is in bytes, for all of the work.
    """
    engine = Engine() if engine is None else engine
    path = _path(plan, data)
    steps, added = large_steps(plan.steps)
    _refuse_memory_only(plan)
    format_ = large_format(plan.format, plan.spreadsheet_safe)
    refuse_over_inputs(out, [path, *(Path(f) for step in steps for f in step.files())])
    context = Context(Randomness.of(seed), engine.progress)
    with publish_directory(out, overwrite=overwrite, owned=_owned) as folder:
        work = folder / WORK
        work.mkdir(mode=0o700)
        file = large_file(path, plan.options, work, plan.missing)
        engine.expect(estimate(size_of_file(file), steps, memory, plan.roles, plan.format,
                               plan.hold_back))  # fmt: skip
        share = max(1, for_records(memory) // engine.at_once)
        store = stored(file, _roles_in(plan, file), plan.kinds, work, engine, share)
        plan.expectation.refuse_categories({n: a.categories for n, a in store.attributes.items()})
        refuse_unusable_store(file, store)
        if store.keys:
            engine.begin()
        store = with_levels_of(with_unit_of(store, plan.unit), plan.levels)
        held = held_back_store(store, plan.hold_back, context, engine)
        store = held.others
        known = households_in(store)
        state = run_large(store, steps, context, engine, known)
        engine.begin()
        leaving = outgoing(file, store, state, context, plan.shuffle, plan.keep_decimals)
        private = folder / ORIGIN
        in_parts = format_.kind == "parquet"
        place = folder / RELEASE if in_parts else work / RELEASE
        parts, used = write_parts(leaving, place, private, large_format(None), engine)
        if not in_parts:
            engine.begin()
            write_one_file(place, folder / released_name(format_), format_)
        engine.begin()
        asked = {*plan.claims, *(c.measure for c in state.claims), *_named(plan)}
        counted = Counted.of(leaving.released, asked, state)
        mean = counted.records / counted.classes if counted.classes else 1.0
        sample = sampled(leaving, mean, context, held.control)
        context = replace(context, control=sample.control)
        release = _checked(plan, leaving, steps, sample, counted, context, added, known, held.notes)
        measured = copy(release)
        measured.original, measured.data = sample.measured
        assessment = assess(
            measured.original,
            measured,
            plan.measures,
            thresholds=plan.thresholds,
            written_as=format_,
        )
        words = sample.described if len(sample.origin) < counted.records else ""
        reasons = reasons_on_households(known, counted, plan.thresholds)
        assessment = assessment.of_sample(words, _identifiers(plan), tuple(reasons))
        assessment = with_counts(assessment, counted, sample)
        if held.control is not None:
            write_held_back(held.control, folder / HELD_BACK)
        written = Written(folder, path, parts, used, len(store), leaving.released, sample, format_,
                          bool(state.labels))  # fmt: skip
        write_about(written, release, assessment)
        shutil.rmtree(work)
        for fault in verify(folder, memory=counting_memory(for_records(memory))).faults:
            raise ClaimError(f"{fault}; nothing was released")
    return Protected(release, assessment, counted.records, out)


def _owned(name: str) -> bool:
    return owned(name) or name.startswith(f"{WORK}/")


def _path(plan: Plan, data: Path | None) -> Path:
    if data is None and plan.file is None:
        raise UsageError(
            "the plan names no data file; write one below 'data: file:' or give it with --data"
        )
    return plan.folder / str(plan.file) if data is None else data


def _roles_in(plan: Plan, file: LargeFile) -> dict[str, str]:
    """Return the roles of all columns of a file; those that are left out are identifiers."""
    plan.expectation.refuse_types(types_of_arrow(file.schema))
    others = Role.OTHER if plan.keep_unnamed else Role.IDENTIFIER
    unnamed = plan.expectation.unnamed(file.schema.names)
    return {**plan.roles, **dict.fromkeys(unnamed, others.value)}


def _refuse_memory_only(plan: Plan) -> None:
    """Refuse what a plan can ask for in memory only, before any work."""
    asked = {
        "files": bool(plan.files),
        "release: missing_codes": plan.keep_codes,
        "rules": bool(plan.rules),
        "calibrate": bool(plan.calibrate),
    }
    for word, is_asked in asked.items():
        if is_asked:
            raise UsageError(
                f"'{word}' of the plan is done in memory only, and the file is larger than the "
                "memory that may be used; leave it out, or allow more memory"
            )


def refuse_large_files(plan: Plan, limit: int) -> None:
    """Refuse a plan of several files, one of which is too large for memory, before any work.

    >>> refuse_large_files(Plan.parse("data: people.csv\\nsteps: [rounding]"), 10**9)
    """
    for name, file in plan.files.items():
        size = size_of(plan.folder / file.file, file.options)
        if size is not None and size.exceeds(limit):
            raise UsageError(
                f"the files of a plan are joined in memory, but '{name}' is a folder or needs more "
                "memory than may be used; allow more memory, or join the files before and name "
                "the joined one below 'data:'"
            )


def refuse_unusable_store(file: LargeFile, store: Store) -> None:
    """Refuse a file that cannot be released, as the gate does for a table in memory."""
    import narwhals as nw

    if len(store) < 2:
        raise DataError(
            f"a release needs at least two records, but the data have {len(store)}; check the file"
        )
    for name in store.head.quasi_identifiers:
        spans = slices(len(store))
        first = store.values(name, 0, 1)[0]
        missing = bool(first != first or (not store.attributes[name].continuous and first < 0))
        if all(
            bool(((v := store.values(name, *span)) == first).all() or (missing and (v != v).all()))
            for span in spans
        ):
            what = "has no values at all" if missing else "has the same value in all records"
            raise DataError(
                f"a quasi-identifier must tell records apart, but '{name}' {what}; check the file, "
                "or give the column the role other"
            )
    first_rows = next(iter(file.tables(list(store.files))))[1]
    frame = nw.from_native(first_rows, eager_only=True)
    columns = store.table(store.files, 0, first_rows.num_rows)
    refuse_overlooked_identifiers(Microdata(columns, Source(frame)))


def _checked(
    plan: Plan,
    leaving: Outgoing,
    steps: tuple[Method, ...],
    sample: Sample,
    counted: Counted,
    context: Context,
    added: tuple[str, ...],
    known: Households | None,
    on_held_back: tuple[str, ...],
) -> Release:
    """Return the sample as a release with the claims about the whole, once they hold."""
    state: Stepped = leaving.state
    origin = sample.origin
    original, released = sample.measured
    given_back = look_for_given_back(
        original, released, origin, plan.allow, context.generator("columns left")
    )
    before = rows_at(original, origin)
    notes = [
        *notes_on_outcome(original, released, before, design=known is None),
        *notes_on_households(known, counted, steps, leaving.original, leaving.released),
    ]
    by_hand = [BY_HAND] if context.randomness.by_hand else []
    wished = [Claim(str(m), claim_bound(str(m), b)) for m, b in plan.claims.items()]
    release = Release(
        original=sample.original,
        data=sample.released,
        origin=origin,
        groups=sample.groups,
        claims=(),
        steps=steps,
        notes=(),
        randomness=context.randomness,
        shuffled=plan.shuffle,
        keep_decimals=plan.keep_decimals,
        allowed=plan.allow,
        analyses=plan.analyses,
        hold_back=plan.hold_back,
        control=sample.control,
    )
    among = (counted, sample, release.pairing, context.within("claims"))
    kept, not_made = check_large_promises(state.claims, *among)
    promised = {(claim.measure, claim.bound) for claim in kept}
    stated = [c for c in wished if (c.measure, c.bound) not in promised]
    release.claims = (*kept, *check_large_claims(stated, *among))
    on_records = (*added, *state.notes, *notes, *on_held_back)
    release.notes = (*on_records, *given_back, *not_made, *by_hand)
    return release


def _named(plan: Plan) -> set[str]:
    """Return the measures that the plan names."""
    return {measure.spec.name for measure in plan.measures or ()}


def _identifiers(plan: Plan) -> tuple[str, ...]:
    roles = {name: Role.parse(role, column=name) for name, role in plan.roles.items()}
    return tuple(name for name, role in roles.items() if role is Role.IDENTIFIER)
