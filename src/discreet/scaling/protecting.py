"""Protecting a file that is larger than memory: the stages, one after another."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from discreet.contracts import Context, Randomness, Seed
from discreet.errors import ClaimError, DataError, UsageError
from discreet.io.atomic import publish_directory
from discreet.io.database import is_address
from discreet.microdata import Microdata, Role, Source
from discreet.publishing.directory import owned, refuse_over_inputs
from discreet.publishing.parts import HELD_BACK
from discreet.publishing.verifying import verify
from discreet.release.assessing import assess
from discreet.release.assessment import Assessment
from discreet.release.gate import refuse_overlooked_identifiers
from discreet.release.plan import Plan
from discreet.release.plan_schema import types_of_arrow
from discreet.release.release import Release
from discreet.release.verdict import Light, Reason
from discreet.scaling.by_household import refuse_groups_of_units
from discreet.scaling.counting import counting
from discreet.scaling.deciding import estimate, size_of, size_of_file
from discreet.scaling.engine import Engine
from discreet.scaling.gating import (
    with_counts,
)
from discreet.scaling.holding_back import held_back_store
from discreet.scaling.keys import with_unit_of
from discreet.scaling.leaving import Leaving
from discreet.scaling.levels import households_in, with_levels_of
from discreet.scaling.memory import counting_memory, for_records
from discreet.scaling.on_households import reasons_on_households
from discreet.scaling.one_file import large_format
from discreet.scaling.publishing import Written, write_about
from discreet.scaling.rules import LargeRules
from discreet.scaling.source import LargeFile, large_file
from discreet.scaling.stepping import large_steps, run_large
from discreet.scaling.store import Store, slices
from discreet.scaling.storing import stored
from discreet.scaling.writing_parts import outgoing, write_held_back

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
    data: Path | str | None = None,
    seed: Seed = None,
    memory: int = 4_000_000_000,
    engine: Engine | None = None,
    overwrite: bool = False,
) -> Protected:
    """Protect a Parquet file, a folder of files or a table as planned, and write the release.

    The outcome is that of `Plan.run` on a table in memory, in Parquet parts: the same values in the
    same order for the same seed. `memory` is in bytes, for all of the work.
    """
    engine = Engine() if engine is None else engine
    path = _path(plan, data)
    steps, added = large_steps(plan.steps)
    _refuse_memory_only(plan)
    refuse_groups_of_units(plan.roles, plan.unit, steps)
    format_ = large_format(plan.format, plan.spreadsheet_safe)
    files = [] if is_address(path) else [Path(path)]
    refuse_over_inputs(out, [*files, *(Path(f) for step in steps for f in step.files())])
    context = Context(Randomness.of(seed), engine.progress)
    with publish_directory(out, overwrite=overwrite, owned=_owned) as folder, ExitStack() as open_:
        work = folder / WORK
        work.mkdir(mode=0o700)
        file = large_file(path, plan.options, work, plan.missing)
        engine.expect(estimate(size_of_file(file), steps, memory, plan.roles, plan.format,
                               plan.hold_back))  # fmt: skip
        share = max(1, for_records(memory) // engine.at_once)
        store = stored(file, _roles_in(plan, file), plan.kinds, work, engine, share)
        open_.enter_context(counting(store))  # one database for all that is counted
        plan.expectation.refuse_categories({n: a.categories for n, a in store.attributes.items()})
        refuse_unusable_store(file, store)
        if store.keys:
            engine.begin()
        store = with_levels_of(with_unit_of(store, plan.unit), plan.levels)
        held = held_back_store(store, plan.hold_back, context, engine)
        store = held.others
        known = households_in(store)
        rules = LargeRules.of(plan.rules, store, steps)
        state = run_large(store, steps, context, engine, known)
        engine.begin()
        leaving = outgoing(file, store, state, context, plan.shuffle, plan.keep_decimals, rules)
        gate = Leaving(plan, folder, work, format_, engine, steps, added, held, known, rules)
        try:
            written, release = gate.passed(leaving)
        except ClaimError as error:
            if not rules.rules:
                raise
            reason = f"the rules were not enforced, since that would break a claim: {error}"
            written, release = gate.passed(replace(leaving, rules=rules.none), reason)
        sample, counted = written.sample, written.counted
        measured = copy(release)
        measured.original, measured.data = sample.measured
        measured.rules = ()  # counted on all records
        assessment = assess(
            measured.original,
            measured,
            plan.measures,
            thresholds=plan.thresholds,
            written_as=format_,
        )
        words = sample.described if len(sample.origin) < counted.records else ""
        worse = [rule for rule in written.kept if rule.worse]
        reasons = [
            *(Reason(Light.AMBER, rule.words, rule.columns) for rule in worse),
            *reasons_on_households(known, counted, plan.thresholds),
        ]
        assessment = assessment.of_sample(words, _identifiers(plan), tuple(reasons))
        assessment = with_counts(assessment, counted, sample)
        if held.control is not None:
            write_held_back(held.control, folder / HELD_BACK)
        about = Written(folder, file.path, written.parts, written.used, len(store),
                        leaving.released, sample, format_, bool(state.labels))  # fmt: skip
        write_about(about, release, assessment)
        open_.close()
        shutil.rmtree(work)
        for fault in verify(folder, memory=counting_memory(for_records(memory))).faults:
            raise ClaimError(f"{fault}; nothing was released")
    return Protected(release, assessment, counted.records, out)


def _owned(name: str) -> bool:
    return owned(name) or name.startswith(f"{WORK}/")


def _path(plan: Plan, data: Path | str | None) -> Path | str:
    if data is None and plan.file is None:
        raise UsageError(
            "the plan names no data file; write one below 'data: file:' or give it with --data"
        )
    if data is not None:
        return data
    return str(plan.file) if is_address(plan.file) else plan.folder / str(plan.file)


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
            fault = "has no values at all" if missing else "has the same value in all records"
            raise DataError(
                f"a quasi-identifier must tell records apart, but '{name}' {fault}; check the "
                "file, or give the column the role other"
            )
    first_rows = next(iter(file.tables(list(store.files))))[1]
    frame = nw.from_native(first_rows, eager_only=True)
    columns = store.table(store.files, 0, first_rows.num_rows)
    refuse_overlooked_identifiers(Microdata(columns, Source(frame)))


def _identifiers(plan: Plan) -> tuple[str, ...]:
    roles = {name: Role.parse(role, column=name) for name, role in plan.roles.items()}
    return tuple(name for name, role in roles.items() if role is Role.IDENTIFIER)
