"""The verdict: what holds, what got worse, what was left unchanged, and where to look first.

A light sums it up in one word. Red: a claim fails, or a column that looks like an identifier has no
role. Amber: a measure of risk got worse, an attack beats a blind guess by more than the threshold,
a quasi-identifier was left unchanged or all of them stand in others' records, a household came
apart, more persons or households than the threshold are unique in all their records together, a
column was lost or has nothing to do with the others any more. Green: none of these. Every
reason names the column and the figure. A model that predicts a confidential column for anybody is
not a reason: it would predict the same for people who are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from discreet.contracts import Better, Claim, MeasureSpec, Question, Score, Side
from discreet.contracts.registry import find
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.clusters import Clusters, households_of, persons_of
from discreet.microdata.levels import ONE_VALUE
from discreet.release.exchanged_records import exchanged_keys, only_exchanged
from discreet.release.figures import ROUNDING, from_to, in_figures, percent
from discreet.release.gate import constant_quasi_identifiers, overlooked_identifiers
from discreet.release.lost_columns import lost_columns
from discreet.release.notes import classes_of_one_household, notes_on_formulas, unique_as_a_whole
from discreet.release.rules import kept_rules

if TYPE_CHECKING:
    from discreet.release.assessment import Compared, Row

KEYS = (Role.HOUSEHOLD, Role.PERSON)
WHOLE = ("household-k-anonymity", "trajectory-k-anonymity")
"""The measures that count households and persons that are alike in all their records."""


class Light(StrEnum):
    """The verdict in one word."""

    RED = "red"
    AMBER = "amber"
    GREEN = "green"


@dataclass(frozen=True)
class Thresholds:
    """What is tolerated before the light turns amber; a plan sets them below `verdict:`.

    `attack` is by how much an attack may beat a blind guess, `worse` by how much a measure of risk
    may get worse, both in the unit of the measure: 0.1 is ten percentage points.
    """

    attack: float = 0.1
    worse: float = 0.0


@dataclass(frozen=True)
class Reason:
    """Why the light is what it is: words with the figure, and the columns and measure concerned."""

    light: Light
    words: str
    columns: tuple[str, ...] = ()
    measure: str = ""


@dataclass(frozen=True)
class LookAt:
    """A figure that a reviewer should look at, and what to compare it with."""

    title: str
    figure: str
    note: str = ""
    columns: tuple[str, ...] = ()
    measure: str = ""

    def __str__(self) -> str:
        return f"{self.title}: {self.figure}{f' ({self.note})' if self.note else ''}"


@dataclass(frozen=True)
class Verdict:
    """The light, the claims in words, the reasons, three figures, and the columns dropped.

    `notes` are not reasons: they say what else a reviewer should know before signing. `tolerated`
    is by how much an attack may beat a blind guess.
    """

    light: Light
    claims: tuple[str, ...]
    reasons: tuple[Reason, ...]
    look_at: tuple[LookAt, ...]
    dropped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tolerated: float = Thresholds.attack

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict as sentences, the claims first."""
        claims = self.claims or ("The release makes no claim",)
        phrases = [*claims, *(reason.words for reason in self.reasons)]
        if self.light is Light.GREEN:
            phrases.append(
                "No measure of risk got worse, and no attack clearly beats a blind guess by more "
                f"than {100 * self.tolerated:g} percentage points"
            )
        phrases += self.notes
        if self.dropped:
            phrases.append(f"Dropped: {', '.join(self.dropped)}")
        if self.look_at:
            phrases.append(f"Look at {'; '.join(map(str, self.look_at))}")
        return tuple(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in phrases)

    def __str__(self) -> str:
        return " ".join(self.sentences)


def verdict(rows: Sequence[Row], compared: Compared) -> Verdict:
    """Return the verdict of an assessment.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41], "sex": ["f", "f", "m", "m"]},
    ...                      roles=dict.fromkeys(["age", "sex"], "quasi-identifier"))
    >>> method = discreet.Microaggregation(discreet.partition.MDAV(k=2), columns=["age"])
    >>> verdict = discreet.assess(data, discreet.protect(data, method), ["k-anonymity"]).verdict
    >>> verdict.light.value, [reason.words for reason in verdict.reasons]
    ('amber', ["the quasi-identifier 'sex' was left unchanged"])
    """
    claims = [(claim, *_claim(claim)) for claim in compared.claims]
    reasons = [
        Reason(Light.RED, words, measure=claim.measure)
        for claim, holds, words in claims
        if holds is False
    ]
    reasons += _reasons(rows, compared)
    lights = [reason.light for reason in reasons]
    return Verdict(
        next((light for light in (Light.RED, Light.AMBER) if light in lights), Light.GREEN),
        tuple(words for _, holds, words in claims if holds is not False),
        tuple(sorted(reasons, key=lambda reason: reason.light is not Light.RED)),
        tuple(_look_at(rows)),
        compared.dropped,
        tuple(_notes(compared)),
        compared.thresholds.attack,
    )


def _notes(compared: Compared) -> Iterator[str]:
    if compared.by_hand:
        yield "the seed was given by hand, so others may guess it"
    if compared.sampled:
        yield f"counts are of all records, other figures of {compared.sampled}"
    if compared.written_as is not None:
        yield from notes_on_formulas(compared.released, compared.written_as)


def _claim(claim: Claim) -> tuple[bool | None, str]:
    """Return whether a claim holds, and the same in words."""
    spec = find("measure", claim.measure).spec
    assert isinstance(spec, MeasureSpec)
    higher = spec.better is Better.HIGHER
    bound = f"at {'least' if higher else 'most'} {in_figures(claim.bound, spec)}"
    words = f"the claim of {claim.measure} {bound}"
    if claim.measured is None:
        return None, f"{words} was not measured"
    holds = claim.measured >= claim.bound if higher else claim.measured <= claim.bound
    measured = f"{in_figures(claim.measured, spec)}{claim.of_what}"
    return holds, f"{words} {'holds' if holds else 'does not hold'}: measured {measured}"


def _reasons(rows: Sequence[Row], compared: Compared) -> Iterator[Reason]:
    original, released, limits = compared.original, compared.released, compared.thresholds
    for name, why in overlooked_identifiers(released):
        words = f"'{name}' looks like a direct identifier ({why}) and has no role"
        yield Reason(Light.RED, words, (name,))
    for row in rows:
        yield from _worse(row, limits.worse)
    for question in (Question.FOUND, Question.LEARNED):
        asked = [row for row in rows if row.spec.answers is question]
        strongest = max(_attacks(asked), key=lambda attack: attack[0], default=None)
        if strongest is not None and strongest[0] > limits.attack:
            _, spec, score = strongest
            reached = (
                f"reaches {in_figures(score.value, spec)}, {_ignorant(spec, score)}a blind guess"
            )
            words = f"{named(spec.title, score.column)} {reached} {_blind(spec, score)}"
            yield Reason(Light.AMBER, words, _columns(score), spec.name)
    if left := _left_as_they_were(compared):
        many = "s" if len(left) > 1 else ""
        names = ", ".join(f"'{name}'" for name in left)
        words = f"the quasi-identifier{many} {names} {'were' if many else 'was'} left unchanged"
        yield Reason(Light.AMBER, words, tuple(left))
    if only_exchanged(original, released, compared.pairing):
        words = "the release contains the original records, only exchanged with one another"
        yield Reason(Light.AMBER, words)
    elif (share := exchanged_keys(original, released, compared.pairing)) > limits.attack:
        words = (
            f"{percent(share)} of the records carry all quasi-identifiers of another person, who "
            "can be found by them; linkage does not count this"
        )
        yield Reason(Light.AMBER, words)
    lost = lost_columns(original, released)
    for name in lost:
        gone = "is not released" if name not in released.schema else "has only one value"
        yield Reason(Light.AMBER, f"'{name}' {gone}: all its information is lost", (name,))
    for row in rows:
        for name in [] if row.after is None else row.after.detail.get("cut loose", []):
            if name not in lost:
                words = f"'{name}' is hardly related to the other columns any more"
                yield Reason(Light.AMBER, words, (name,))
    yield from _broken_households(original, released)
    for kept in kept_rules(original, released, compared.rules):
        if kept.worse:
            yield Reason(Light.AMBER, kept.words, kept.columns)
    yield from one_household(*classes_of_one_household(released))
    for units in (households_of(released), persons_of(released)):
        if units is not None:
            alone = _alone_as_a_whole(rows, released, units)
            yield from alone_together(alone, units.word, limits)
    yield from compared.counted


def one_household(affected: int, records: int) -> Iterator[Reason]:
    """Yield a reason if there are classes of several records that are one household."""
    if affected:
        words = (
            f"Classes of several records that are one household: {affected:,} ({records:,} records)"
        )
        yield Reason(Light.AMBER, words)


def alone_together(alone: float, word: str, limits: Thresholds) -> Iterator[Reason]:
    """Yield a reason if more households are unique in all their records than an attack may find."""
    if alone > limits.attack:
        words = f"{percent(alone)} of the {word}s are unique in all their records together"
        yield Reason(Light.AMBER, words)


def _alone_as_a_whole(rows: Sequence[Row], released: Microdata, units: Clusters) -> float:
    """Return the share of persons or households that are unique, as it was measured if it was."""
    share = f"share of {units.word}s alone"
    for row in rows:
        if row.spec.name in WHOLE and row.after is not None and share in row.after.detail:
            return float(row.after.detail[share])
    return unique_as_a_whole(released, units)


def _worse(row: Row, threshold: float) -> Iterator[Reason]:
    """Yield why a measure of risk got worse, by the column that changed most."""
    if row.spec.side is not Side.RISK or row.after is None or row.before is None:
        return
    worse = 1 if row.spec.better is Better.LOWER else -1
    before, after = row.before, row.after.value
    end = (row.after.interval or (after, after))[0 if worse > 0 else 1]
    change, column = worse * (end - before), row.after.column
    for names, figure in row.after.parts.items():
        was = row.parts_before.get(names)
        if was is not None and worse * (figure - was) > change:
            change, column = worse * (figure - was), " × ".join(names)
            before, after = was, figure
    if change > threshold + ROUNDING:
        figures = from_to(before, after, row.spec)
        words = f"{named(row.spec.title, column)} got worse: {figures}"
        yield Reason(Light.AMBER, words, (column,) if column else (), row.spec.name)


def _attacks(rows: Sequence[Row]) -> Iterator[tuple[float, MeasureSpec, Score]]:
    """Yield by how much each attack beats a blind guess, at the lower end of its interval."""
    for row in rows:
        score = row.after
        if row.spec.side is Side.RISK and score is not None and score.blind is not None:
            low = score.interval[0] if score.interval else score.value
            yield low - score.blind, row.spec, score


def _left_as_they_were(compared: Compared) -> list[str]:
    """Return the quasi-identifiers that are in the release as they were in the original."""
    original, released = compared.original, compared.released
    if compared.pairing is None:
        return []
    constant, origin = constant_quasi_identifiers(original), compared.pairing.origin

    def as_it_was(name: str) -> bool:
        before = original.column(name)
        return released.column(name).same_as(before.with_values(before.values[origin]))

    return [
        name
        for name in original.quasi_identifiers
        if name not in constant and name in released.schema and as_it_was(name)
    ]


def _broken_households(original: Microdata, released: Microdata) -> Iterator[Reason]:
    """Yield the columns that members of a household, or records of a person, no longer share."""
    for of in (households_of, persons_of):
        homes = [of(data) for data in (original, released)]
        for name in original.schema.names:
            if name not in released.schema or original.schema[name].role in KEYS:
                continue
            before = _agreeing(original.column(name), homes[0])
            if homes[0] is None or before is None or before < ONE_VALUE:
                continue
            after = _agreeing(released.column(name), homes[1])
            if after is not None:
                yield from came_apart(name, before, after, homes[0])


def came_apart(name: str, before: float, after: float, homes: Clusters) -> Iterator[Reason]:
    """Yield a reason if fewer households than before share a value of what nearly all shared."""
    if before >= ONE_VALUE and after < before - ROUNDING:
        words = f"{homes.members} of a {homes.word} agree on '{name}' in"
        shares = f"{percent(before)} → {percent(after)} of the {homes.word}s"
        yield Reason(Light.AMBER, f"{words} {shares}", (name,))


def _agreeing(column: Column, homes: Clusters | None) -> float | None:
    """Return the share of households of two or more whose members have one value."""
    if homes is None or not (several := homes.sizes > 1).any():
        return None
    return float(homes.agreeing(column)[several].mean())


def _look_at(rows: Sequence[Row]) -> Iterator[LookAt]:
    """Yield the worst figure on who can be found, on what can be learned, and on what was lost."""
    for questions in (
        {Question.FOUND},
        {Question.LEARNED},
        {Question.ANALYSES, Question.COLUMNS, Question.PAIRS, Question.MODELS},
    ):
        scored = [
            (_badness(row, row.after), row, row.after)
            for row in rows
            if row.after is not None
            and row.spec.answers in questions
            and row.spec.side is not Side.TRADE_OFF
        ]
        # Declared analyses come before other uses, correct links before other signs of disclosure.
        first = [entry for entry in scored if _comes_first(entry[1].spec, entry[2])]
        ranked = [entry for entry in first or scored if entry[0] is not None]
        if ranked:
            _, row, score = max(ranked, key=lambda entry: entry[0] or 0.0)
            yield _pointed(row.spec, score)


def _comes_first(spec: MeasureSpec, score: Score) -> bool:
    attack = spec.answers is Question.FOUND and score.blind is not None
    return attack or spec.answers is Question.ANALYSES


def _badness(row: Row, score: Score) -> float | None:
    """Return how bad a figure is from 0 to 1; None if its scale does not say."""
    spec = row.spec
    if spec.is_share:
        worst = max(score.parts.values(), default=score.value)
        if spec.better is Better.LOWER:
            return (worst if spec.side is Side.UTILITY else score.value) - (score.blind or 0.0)
        return 1 - score.value
    if spec.better is Better.HIGHER and spec.low == 1:
        return 1 / max(score.value, 1.0)
    return None


def _pointed(spec: MeasureSpec, score: Score) -> LookAt:
    if spec.side is Side.UTILITY and score.parts and spec.better is Better.LOWER:
        names, figure = max(score.parts.items(), key=lambda part: part[1])
        title = named(spec.title, " × ".join(names))
        return LookAt(title, in_figures(figure, spec), "", names, spec.name)
    note = score.note if spec.answers is Question.ANALYSES else ""
    if score.blind is not None:
        note = f"a blind guess {_blind(spec, score)}"
    title = named(spec.title, score.column)
    return LookAt(title, in_figures(score.value, spec), note, _columns(score), spec.name)


def named(title: str, column: str) -> str:
    """Return the title of a measure with the column it is about.

    >>> named("l-diversity", "income"), named("k-anonymity", "")
    ('l-diversity (income)', 'k-anonymity')
    """
    return f"{title} ({column})" if column else title


def _columns(score: Score) -> tuple[str, ...]:
    return (score.column,) if score.column else ()


def _ignorant(spec: MeasureSpec, score: Score) -> str:
    """Return the success of an intruder who does not know the method, before other figures."""
    if score.ignorant is None:
        return ""
    return f"without knowing the method {in_figures(score.ignorant, spec)}, "


def _blind(spec: MeasureSpec, score: Score) -> str:
    return in_figures(score.blind or 0.0, spec)
