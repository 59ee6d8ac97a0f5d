"""Leaving: a protected large file is written in parts, counted, sampled, and passes the gate."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from discreet.contracts import Claim, Method
from discreet.contracts.claim import claim_bound
from discreet.contracts.randomness import BY_HAND
from discreet.io.formats import FileFormat
from discreet.publishing.parts import ORIGIN
from discreet.release.course import rows_at
from discreet.release.given_back import look_for_given_back
from discreet.release.keeping_rules import notes_on_repaired
from discreet.release.notes import notes_on_outcome
from discreet.release.plan import Plan
from discreet.release.release import Release
from discreet.release.rules import Kept
from discreet.scaling.engine import Engine
from discreet.scaling.gating import Counted, check_large_claims, check_large_promises
from discreet.scaling.holding_back import HeldStore
from discreet.scaling.levels import Households
from discreet.scaling.measured_sample import Sample, sampled
from discreet.scaling.on_households import notes_on_households
from discreet.scaling.one_file import large_format, write_one_file
from discreet.scaling.publishing import RELEASE, released_name
from discreet.scaling.rules import LargeRules
from discreet.scaling.writing_parts import Outgoing, Part, write_parts


@dataclass(frozen=True, eq=False)
class Left:
    """What was written: its parts, the codes that they use, counts, a sample, and its rules."""

    parts: list[Part]
    used: Mapping[str, list[int]]
    counted: Counted
    sample: Sample
    kept: tuple[Kept, ...]


@dataclass(frozen=True, eq=False)
class Leaving:
    """What the gate knows about a large release: the plan, where it is written, and its records."""

    plan: Plan
    folder: Path
    work: Path
    format: FileFormat
    engine: Engine
    steps: tuple[Method, ...]
    added: tuple[str, ...]
    held: HeldStore
    known: Households | None
    rules: LargeRules

    def passed(self, leaving: Outgoing, on_rules: str = "") -> tuple[Left, Release]:
        """Write the release, and return it once its claims hold; one that is false is an error.

        `on_rules` says why the rules are not kept, if they are not.
        """
        parts, used, repaired = self._write(leaving)
        self.engine.begin()
        named = {measure.spec.name for measure in self.plan.measures or ()}
        asked = {*self.plan.claims, *(c.measure for c in leaving.state.claims), *named}
        counted = Counted.of(leaving.released, asked, leaving.state)
        mean = counted.records / counted.classes if counted.classes else 1.0
        sample = sampled(leaving, mean, leaving.context, self.held.control)
        left = Left(parts, used, counted, sample, tuple(self.rules.kept(leaving.released)))
        notes = [on_rules] if on_rules else notes_on_repaired(repaired)
        notes += [kept.words for kept in left.kept if kept.words]
        return left, self._checked(leaving, left, tuple(notes))

    def _write(self, leaving: Outgoing) -> tuple[list[Part], dict[str, list[int]], dict[str, int]]:
        """Write the parts, or the one file, in place of what was written before."""
        private, in_parts = self.folder / ORIGIN, self.format.kind == "parquet"
        place = (self.folder if in_parts else self.work) / RELEASE
        for folder in (private, place):
            shutil.rmtree(folder, ignore_errors=True)
        written = write_parts(leaving, place, private, large_format(None), self.engine)
        if not in_parts:
            self.engine.begin()
            write_one_file(place, self.folder / released_name(self.format), self.format)
        return written

    def _checked(self, leaving: Outgoing, left: Left, on_rules: tuple[str, ...]) -> Release:
        """Return the sample as a release with the claims about the whole, once they hold."""
        plan, sample, counted = self.plan, left.sample, left.counted
        context = replace(leaving.context, control=sample.control)
        origin = sample.origin
        original, released = sample.measured
        given_back = look_for_given_back(
            original, released, origin, plan.allow, context.generator("columns left")
        )
        notes = [
            *notes_on_outcome(original, released, rows_at(original, origin),
                              design=self.known is None),
            *notes_on_households(self.known, counted, self.steps, leaving.original,
                                 leaving.released),
        ]  # fmt: skip
        release = Release(
            original=sample.original,
            data=sample.released,
            origin=origin,
            groups=sample.groups,
            claims=(),
            steps=self.steps,
            notes=(),
            randomness=context.randomness,
            shuffled=plan.shuffle,
            keep_decimals=plan.keep_decimals,
            allowed=plan.allow,
            rules=plan.rules,
            analyses=plan.analyses,
            hold_back=plan.hold_back,
            control=sample.control,
        )
        among = (counted, sample, release.pairing, context.within("claims"))
        promises = leaving.state.claims
        kept, not_made = check_large_promises(promises, *among)
        promised = {(claim.measure, claim.bound) for claim in kept}
        wished = [Claim(str(m), claim_bound(str(m), b)) for m, b in plan.claims.items()]
        stated = [c for c in wished if (c.measure, c.bound) not in promised]
        release.claims = (*kept, *check_large_claims(stated, *among))
        on_records = (*self.added, *leaving.state.notes, *notes, *on_rules, *self.held.notes)
        by_hand = [BY_HAND] if context.randomness.by_hand else []
        release.notes = (*on_records, *given_back, *not_made, *by_hand)
        return release
