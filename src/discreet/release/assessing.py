"""Assessing: the measures of risk and utility of a release, side by side."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Analysis,
    Claim,
    Component,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Progress,
    Randomness,
    Score,
    Side,
)
from discreet.contracts.progress import for_terminal
from discreet.contracts.registry import build, entries
from discreet.errors import NotApplicable, UsageError
from discreet.io.formats import FileFormat
from discreet.io.memory_guard import give_memory_back
from discreet.io.reading import like_original
from discreet.microdata import Microdata, Role
from discreet.microdata.decoded import Decoded
from discreet.release.assessment import Assessment, Compared, Row
from discreet.release.declared import analyses_of, declared
from discreet.release.release import Release, released_format
from discreet.release.second_synthesis import MEASURES, SecondSynthesis
from discreet.release.side_by_side import LARGE, at_once, side_by_side
from discreet.release.verdict import Thresholds

NO_PAIRING = (
    "it needs to know which original each released record came from; pass the release itself, its "
    "private record, or say that the rows are in the same order"
)
SYNTHETIC = "it compares each released record with its original, and synthetic records have none"
NEAR = "; nearest-record measures how close they come to originals"


LOG = logging.getLogger(__name__)


def assess(
    original: Microdata,
    released: Any,
    measures: Sequence[str | Measure | Mapping[str, Any]] | None = None,
    *,
    pairing: Pairing | None = None,
    synthetic: bool = False,
    by: str | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    analyses: Sequence[Analysis | Mapping[str, Any]] | None = None,
    claims: Mapping[str, float] | None = None,
    thresholds: Thresholds | None = None,
    written_as: FileFormat | None = None,
    control: Microdata | None = None,
    before: bool = True,
    enough: Mapping[str, float] | None = None,
) -> Assessment:
    """Measure how much an intruder could learn from a release and how much an analyst loses.

    `released` is a `Release`, or a table of the released records (its roles are the original's).
    For a table, `pairing` says which original each record came from; without it the measures that
    need it are left out, and the result says so. `synthetic` says that there is no pairing.
    `measures` chooses by name; by default the usual measures that apply are used (where records
    were held back, those that compare with them too; for synthetic records, membership and nearest
    records of a second synthesis of half of the file), with ["all"] every measure. `by` names a
    column whose categories are subdomains: utility is then measured within each of them as well,
    since a release that serves the whole file may fail a part of it (survey, §4). `analyses` are
    what users of the release compute, `claims` what is claimed about a table; a `Release` knows its
    own. `thresholds` are those of the verdict, and `written_as` is the format of the released file.
    `control` are records that were held back from a table that was released; a `Release` knows its
    own, and is compared with the records that it was made from. The value for the original itself
    is shown beside each score; without `before` it is left out, which saves time if many releases
    of one file are compared. So does `enough`, which names risks with a value above which they need
    not be known more exactly; a score says so if it may be larger.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=2)))
    >>> discreet.assess(data, release).risk["k-anonymity"].value
    2.0
    """
    if not isinstance(original, Microdata):
        raise UsageError(
            "the original must be data that were read with their roles (discreet.read), but a "
            f"{type(original).__name__} was given"
        )
    if isinstance(released, Release):
        pairing, table = released.pairing, released.data
        if released.control is not None:
            original, control = released.original, released.control
    else:
        table = released if isinstance(released, Microdata) else like_original(original, released)
    if pairing is not None:
        _require_fitting(pairing, len(original), len(table))
    drawn = Randomness(seed)
    if isinstance(released, Release) and seed is None:
        # What is reported about a release is as reproducible as the release itself.
        drawn = released.randomness
    shown = for_terminal() if progress is None else progress
    if control is not None:
        control = control.drop(control.having(Role.IDENTIFIER))
    spent = released.accounting if isinstance(released, Release) else None
    context = Context(drawn, shown, ("assessment",), control=control, accounting=spent).sharing()
    visible = original.drop(original.having(Role.IDENTIFIER))
    if isinstance(released, Release) and analyses is None:
        analyses = released.analyses
    for_users = analyses_of(analyses)
    second = None
    if isinstance(released, Release) and measures is None:
        second = SecondSynthesis.of(released, context.within("second synthesis"))
    usual = _chosen(measures, control is not None, MEASURES if second else ())
    chosen = [declared(measure, for_users) for measure in usual]
    context = replace(context, asked=frozenset(measure.spec.name for measure in chosen))

    threads = at_once(len(table))
    silent = context if threads == 1 else replace(context, progress=Progress())

    def row_of(measure: Measure) -> Row:
        started = time.perf_counter()
        # Bars of two measures at the same time would be drawn over each other.
        shows = context if measure.spec.on_all_cores else silent
        of_measure = shows.within(measure.spec.name)
        if enough is not None and measure.spec.name in enough:
            of_measure = replace(of_measure, enough=enough[measure.spec.name])
        if second is not None and measure.spec.name in MEASURES:
            of_measure = replace(of_measure, control=second.control)
            row = _row(measure, second.used, second.made, None, of_measure, before)
            row = row if row.after is None else replace(row, after=second.noted(row.after))
        else:
            row = _row(measure, visible, table, pairing, of_measure, before)
        LOG.debug("%s: %.1f s", measure.spec.name, time.perf_counter() - started)
        if row.left_out == NO_PAIRING and (synthetic or isinstance(released, Release)):
            hint = NEAR if measure.spec.side is Side.RISK else ""
            row = replace(row, left_out=SYNTHETIC + hint)
        if len(table) >= LARGE:
            give_memory_back()
        return row

    rows: list[Row] = []
    with context.task("assessing", len(chosen)) as advance:
        for _, of_side in groupby(chosen, key=lambda measure: measure.spec.side):
            for row in side_by_side(row_of, list(of_side), threads):
                rows.append(row)
                advance(1)
            # Measures of one side share what they compute; the next side needs the memory.
            context.forget()
            if len(table) >= LARGE:
                give_memory_back()
    LOG.info("%d measures of %d records", sum(row.after is not None for row in rows), len(table))
    parts = _subdomains(visible, table, pairing, by, chosen, context) if by else {}
    made = released.claims if isinstance(released, Release) else _claims(claims or {}, rows)
    dropped, limits = original.having(Role.IDENTIFIER), thresholds or Thresholds()
    by_hand = False
    if isinstance(released, Release):
        written_as = written_as or released_format(original)
        by_hand = released.randomness.by_hand
    compared = Compared(visible, table, pairing, dropped, made, limits, written_as, by_hand)
    if isinstance(released, Release):
        compared = compared._replace(rules=released.rules)
    return Assessment(tuple(rows), original.source, parts, compared)


def _claims(bounds: Mapping[str, float], rows: Sequence[Row]) -> tuple[Claim, ...]:
    """Return the claims about a table with their measured values."""
    made = {name: Claim(name, bound) for name, bound in bounds.items()}
    for row in rows:
        if row.after is not None and row.spec.name in made:
            made[row.spec.name] = made[row.spec.name].held_to(row.after, row.spec.better)
    return tuple(made.values())


def _subdomains(
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    by: str,
    measures: Sequence[Measure],
    context: Context,
) -> dict[str, Assessment]:
    """Assess utility within each category of a column, as it was before protection if known."""
    column = original.column(by)
    if column.attribute.continuous:
        raise UsageError(
            f"subdomains are the categories of a column, but '{by}' is continuous; declare it "
            "ordinal or nominal, or recode it"
        )
    if pairing is not None:
        subdomain = column.values[pairing.origin]
    else:
        view = Decoded(original, released, [by])[by]
        if view.decoding is not None or view.unknown.any():
            raise UsageError(
                f"the release does not say for every record which subdomain of '{by}' it "
                "belongs to; give the private record with --record, or another column"
            )
        subdomain = view.values
    assessments = {}
    for code, category in enumerate(column.attribute.categories):
        before, after = np.flatnonzero(column.values == code), np.flatnonzero(subdomain == code)
        inner = None
        if pairing is not None:
            place = np.full(len(original), -1)
            place[before] = np.arange(len(before))
            inner = Pairing(place[pairing.origin[after]])
        part, released_part = original.take(before), released.take(after)
        rows = tuple(
            _row(measure, part, released_part, inner, context.within("subdomain", code))
            for measure in measures
            if measure.spec.side is Side.UTILITY
        )
        assessments[str(category)] = Assessment(rows, original.source)
    return assessments


def _chosen(
    measures: Iterable[str | Measure | Mapping[str, Any]] | None,
    controlled: bool = False,
    also: Sequence[str] = (),
) -> list[Measure]:
    if measures is None:
        chosen = [entry() for entry in entries("measure") if _usual(entry, controlled)]
        chosen += [build("measure", name) for name in also]
    elif measures == ["all"]:
        chosen = [entry() for entry in entries("measure")]
    else:
        if isinstance(measures, str) or not isinstance(measures, Iterable):
            raise UsageError(f"measures must be given as a list, but {measures!r} was given")
        chosen = [_measure(m) for m in measures]
    ordered: list[Measure] = [m for m in chosen if isinstance(m, Measure)]
    sides = list(Side)
    return sorted(ordered, key=lambda m: (sides.index(m.spec.side), m.spec.name))


def unusual() -> list[str]:
    """Return the measures that are used only on request.

    >>> "trade-off-score" in unusual()
    True
    """
    return [entry.spec.name for entry in entries("measure") if not _usual(entry)]


def _usual(entry: type[Component], controlled: bool = False) -> bool:
    spec = entry.spec
    return isinstance(spec, MeasureSpec) and (spec.default or (controlled and spec.with_control))


def _measure(given: Any) -> Component:
    if isinstance(given, str | Mapping):
        return build("measure", given)
    if not isinstance(given, Measure):
        raise UsageError(f"a measure must be given by its name, but {given!r} was given")
    return given


def _row(
    measure: Measure,
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    context: Context,
    before: bool = True,
) -> Row:
    spec = measure.spec
    if spec.paired and pairing is None:
        return Row(measure, left_out=NO_PAIRING)
    try:
        after = in_few_bytes(measure.score(original, released, context, pairing))
    except NotApplicable as reason:
        return Row(measure, left_out=str(reason))
    if spec.at_identity is not None:
        return Row(measure, spec.at_identity, after)
    if not before:
        return Row(measure, None, after)
    try:
        rows = len(original)
        same = context.once(("same order", rows), lambda: Pairing.same_order(rows))
        # What was spent on the release says nothing about the original.
        unspent = replace(context, accounting=None)
        unprotected = measure.score(original, original, unspent, same)
        return Row(measure, unprotected.value, after, parts_before=unprotected.parts)
    except NotApplicable:
        # Such as a figure about groups, which the original does not have.
        return Row(measure, None, after)


def in_few_bytes(score: Score) -> Score:
    """Return the same score, its values per record in 32 bits where these hold them exactly.

    For a large file they are kept until the reports are drawn, for a dozen measures; most are 0, 1
    or a count.

    >>> in_few_bytes(Score(0.5, per_record=np.repeat([0.0, 1.0], LARGE))).per_record.dtype
    dtype('float32')
    >>> in_few_bytes(Score(0.5, per_record=np.full(LARGE, 0.1))).per_record.dtype
    dtype('float64')
    """
    values = score.per_record
    if values is None or len(values) < LARGE:
        return score
    narrow: NDArray[Any] = values.astype(np.float32)
    return replace(score, per_record=narrow) if np.array_equal(narrow, values, True) else score


def _require_fitting(pairing: Pairing, originals: int, released: int) -> None:
    origin = pairing.origin
    if len(origin) != released or (released and not 0 <= origin.min() <= origin.max() < originals):
        raise UsageError(
            f"a pairing names one of the {originals} original rows for each of the {released} "
            "released records; this one does not fit"
        )
