"""The release gate: nothing is released that is not what it claims to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from discreet.contracts import Analysis, Better, Claim, Context, Measure, Pairing, Score
from discreet.contracts.registry import find
from discreet.errors import ClaimError, DataError, NotApplicable
from discreet.io.arrow_arrays import LARGEST
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.clusters import units_of
from discreet.microdata.levels import RECORD, with_unit
from discreet.release.declared import declared
from discreet.release.identifying import identifier_reason
from discreet.release.profile import Profile

Scoring = Callable[[Measure], Score]
"""How a release is measured."""


def refuse_unusable(data: Microdata) -> None:
    """Refuse a file that cannot be released, whatever the method.

    >>> import discreet
    >>> refuse_unusable(discreet.read({"age": [31]}))
    Traceback (most recent call last):
    discreet.errors.DataError: a release needs at least two records, but the data have one; ...
    """
    if len(data) < 2:
        records = "one" if len(data) else "none (a header without rows, or no rows at all)"
        raise DataError(
            f"a release needs at least two records, but the data have {records}; check the file, "
            "or keep it back and protect it together with the next one"
        )
    for name in data.quasi_identifiers:
        if data.column(name).missing.all():
            raise DataError(
                f"the quasi-identifier '{name}' has no values at all; check the file, or leave "
                "the column out with the role identifier"
            )


def refuse_unmeasurable(data: Microdata, table: Microdata) -> None:
    """Refuse a release whose steps made numbers that are too large to compute with.

    A method may draw them from a model of values that are nearly as large. A file with them could
    not be read, and no measure of them could be trusted.

    >>> import discreet
    >>> sums = discreet.read({"sum": [1.0, 2.0]})
    >>> huge = sums.replace([sums.column("sum").with_values(sums["sum"] * 1e140)])
    >>> refuse_unmeasurable(sums, huge)
    Traceback (most recent call last):
    discreet.errors.DataError: released numbers must lie within ±1e+140, but ... column 'sum'; ...
    """
    for column in table:
        before = data.column(column.name) if column.name in data.schema else None
        within = before is None or _farthest(before) <= LARGEST
        if within and _farthest(column) > LARGEST:
            raise DataError(
                f"released numbers must lie within ±{LARGEST:g}, but the steps gave larger ones in "
                f"column '{column.name}'; use a larger unit, or choose another method"
            )


def _farthest(column: Column) -> float:
    """Return the largest absolute value of a column of numbers, 0 of others."""
    if not column.attribute.continuous:
        return 0.0
    # Missing numbers are skipped.
    least, most = (f.reduce(column.values, initial=0.0) for f in (np.fmin, np.fmax))
    return float(max(-least, most))


def constant_quasi_identifiers(data: Microdata) -> list[str]:
    """Return the quasi-identifiers that have the same value in all records."""
    return [
        name for name in data.quasi_identifiers if len(data) and (data[name] == data[name][0]).all()
    ]


def refuse_constant(data: Microdata) -> None:
    """Refuse a plan with a quasi-identifier that has the same value in all records.

    Such a column can neither identify nor be protected; most often it is the wrong column, or the
    wrong extract. In the library this is only a note.

    >>> import discreet
    >>> refuse_constant(discreet.read({"sex": ["f", "f"]}, roles={"sex": "quasi-identifier"}))
    Traceback (most recent call last):
    discreet.errors.DataError: a quasi-identifier must tell records apart, but all 2 records have
    the same value in column 'sex'; ...
    """
    for name in constant_quasi_identifiers(data)[:1]:
        raise DataError(
            f"a quasi-identifier must tell records apart, but all {len(data)} records have the "
            f"same value in column '{name}'; check the file, or give the column the role other"
        )


def overlooked_identifiers(data: Microdata) -> Iterator[tuple[str, str]]:
    """Yield the columns without a role that look like an identifier, and why."""
    for column in data:
        if column.attribute.declared or column.attribute.role is not Role.OTHER:
            continue
        reason = identifier_reason(Profile.of(data, column.name))
        if reason:
            yield column.name, reason


def refuse_overlooked_identifiers(data: Microdata) -> None:
    """Refuse a column without a role that looks like an identifier."""
    for name, reason in overlooked_identifiers(data):
        raise DataError(
            f"column '{name}' looks like a direct identifier ({reason}) and has no role, so it "
            "would be released as it is; give it the role identifier to drop it, or the role "
            "other to release it on purpose"
        )


def check_claims(
    claims: Iterable[Claim],
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    context: Context,
    analyses: tuple[Analysis, ...] = (),
) -> tuple[Claim, ...]:
    """Measure each claim on the data to be released; a false one is an error.

    `pairing` is known to the owner of the data, so a claim may also bound what only the owner can
    measure, such as the share of records that can be linked to their originals.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> check_claims([Claim("k-anonymity", 2)], data, data, None, Context())
    Traceback (most recent call last):
    discreet.errors.ClaimError: k-anonymity is claimed to be at least 2, but the data to be
    released have 1; nothing was released
    """
    return held_claims(
        claims,
        lambda measure: declared(measure, analyses).score(original, released, context, pairing),
    )


def check_promises(
    claims: Iterable[Claim],
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    context: Context,
) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Measure what the methods promise; return the claims that hold, and notes on the others.

    A method may prove something for records that does not hold where households are counted.
    """

    def scored(measure: Measure) -> Score:
        return measure.score(original, released, context, pairing)

    units = units_of(released)
    if units is None:
        return kept_promises(claims, scored)
    before, after = (with_unit(table, RECORD) for table in (original, released))
    kept: list[Claim] = []
    notes: list[str] = []
    for claim in dict.fromkeys(claims):
        try:
            held, unmade = kept_promises([claim], scored)
            kept += held
            notes += unmade
        except ClaimError:
            held_claims([claim], lambda measure: measure.score(before, after, context, pairing))
            notes.append(
                f"{claim.measure} is not claimed: it holds for records, but not if different "
                f"{units.word}s are counted; 'unit: record' counts records"
            )
    return tuple(kept), tuple(notes)


def held_claims(claims: Iterable[Claim], scored: Scoring) -> tuple[Claim, ...]:
    """Return the claims with what was measured; one that is false, or has no meaning, is an error.

    `scored` measures the release, in memory or on disk.
    """
    checked = []
    for claim in dict.fromkeys(claims):
        try:
            checked.append(_checked(claim, scored))
        except NotApplicable as reason:
            raise ClaimError(
                f"{claim.measure} is claimed, but it cannot be measured: {reason}; nothing was "
                "released"
            ) from None
    return tuple(checked)


def kept_promises(
    claims: Iterable[Claim], scored: Scoring
) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the promises of the methods that hold, and notes on the others.

    A method cannot know what happens to the columns that it does not treat, nor to the order of the
    rows. A promise that has no meaning for the release as a whole is dropped with a note; one that
    is meaningful but false is an error, like a false claim of the user.
    """
    checked, notes = [], []
    for claim in dict.fromkeys(claims):
        try:
            checked.append(_checked(claim, scored))
        except NotApplicable as reason:
            notes.append(f"{claim.measure} is not claimed: {reason}")
    return tuple(checked), tuple(notes)


def _checked(claim: Claim, scored: Scoring) -> Claim:
    """Return a claim with its measured value, or raise an error if it is false."""
    measure = claim.by or find("measure", claim.measure)()
    assert isinstance(measure, Measure)
    score = scored(measure)
    higher = measure.spec.better is Better.HIGHER
    measured = score.at_worst(measure.spec.better)
    estimated = "" if score.interval is None else " at the worse end of what was estimated"
    if not (measured >= claim.bound if higher else measured <= claim.bound):
        raise ClaimError(
            f"{claim.measure} is claimed to be at {'least' if higher else 'most'} "
            f"{claim.bound:g}, but the data to be released have {measured:g}{estimated}; "
            "nothing was released"
        )
    return claim.held_to(score, measure.spec.better)
