"""Collecting what the internal report shows from a release and its assessment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Question
from discreet.contracts.partition import detail_lines
from discreet.io.joining import Joined
from discreet.microdata import Kind, Microdata, Role
from discreet.microdata.dates import unit_of
from discreet.microdata.intervals import round_edges
from discreet.release.assessment import Assessment, Row
from discreet.release.release import Release
from discreet.report.binning import spread
from discreet.report.components import about, described_step, judged
from discreet.report.content import (
    Analysed,
    BothRecords,
    Column,
    Content,
    Correlations,
    Dependency,
    Groups,
    InputFile,
    JoinedFile,
    LeftOut,
    Matrix,
    Released,
    Score,
)
from discreet.report.distributions import PICTURES, TOO_MANY, Summary, alone, compared
from discreet.report.plain import plain
from discreet.report.public_form import ReleasedFile
from discreet.report.records import most_at_risk
from discreet.version import version

CORRELATED = 16
"""More columns than this make a heat map unreadable."""


def collect(
    release: Release, assessment: Assessment, released_file: ReleasedFile | None = None
) -> Content:
    """Return everything that the internal report shows.

    It holds original figures. `public` returns the part that may be published.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> content = collect(release, discreet.assess(data, release))
    >>> content.claims[0].holds, content.groups.count
    (True, 2)
    """
    original = release.original
    source = original.source
    notes = tuple(source.notes) if source else ()
    return Content(
        discreet=version(),
        file=InputFile(
            source.path.name if source and source.path else None, notes, _joined(original)
        ),
        released_file=released_file,
        records=BothRecords(original=len(original), released=len(release.data)),
        shuffled=release.shuffled,
        keep_decimals=release.keep_decimals,
        dropped=original.having(Role.IDENTIFIER),
        allowed=release.allowed,
        rules=release.rules,
        calibrate=release.calibrate,
        hold_back=release.hold_back,
        steps=tuple(described_step(step) for step in release.steps),
        claims=tuple(judged(c.measure, c.bound, c.measured, c.of_what) for c in release.claims),
        notes=tuple(str(note) for note in release.notes),
        scores=tuple(_score(row) for row in assessment.rows if row.after is not None),
        left_out=tuple(
            LeftOut(row.spec.name, row.spec.title, row.left_out)
            for row in assessment.rows
            if row.left_out
        ),
        columns=tuple(_columns(release)),
        correlations=_correlations(original, release.data),
        dependency=Dependency.of(assessment.dependency, len(original.quasi_identifiers)),
        groups=_groups(release),
        attack=assessment.attack,
        at_risk=most_at_risk(release, assessment),
        verdict=assessment.verdict,
        analyses=tuple(_analysed(assessment.rows)),
        column_losses=assessment.column_losses,
        pair_losses=assessment.pair_losses,
        revealing=assessment.revealing,
    )


def _score(row: Row) -> Score:
    assert row.after is not None
    return Score(
        **vars(about(type(row.measure))),
        before=row.before,
        after=row.after.value,
        interval=row.after.interval,
        note=row.after.note,
        column=row.after.column,
        blind=row.after.blind,
        ignorant=row.after.ignorant,
        detail=plain(row.after.detail),
    )


def _analysed(rows: Iterable[Row]) -> Iterator[Analysed]:
    """Yield the figures of the declared analyses, those that survive least first."""
    for row in rows:
        if row.after is not None and row.spec.answers is Question.ANALYSES:
            for figure in sorted(row.after.detail["figures"], key=lambda f: f["overlap"]):
                yield Analysed(**{key.replace(" ", "_"): value for key, value in figure.items()})


def _columns(release: Release) -> list[Column]:
    """Return every original column with its released counterpart, where it has one."""
    columns = []
    pictures = 0
    for column in release.original:
        dates = unit_of(release.original, column.name)
        before = Summary.of(column, dates)
        attribute = column.attribute
        released = None
        if column.name in release.data.schema:
            after = Summary.of(release.data.column(column.name), dates)
            pictures += 1
            shown = pictures <= PICTURES
            released = Released(
                kind=after.column.attribute.kind.value,
                missing=after.missing,
                distinct=after.distinct,
                changed=_changed(release, column.name),
                synthetic=release.pairing is None,
                distribution=compared(before, after) if shown else TOO_MANY,
                alone=alone(after) if shown else TOO_MANY,
            )
        ordinal = attribute.kind is Kind.ORDINAL
        columns.append(
            Column(
                name=column.name,
                role=attribute.role.value,
                kind=attribute.kind.value,
                categories=tuple(plain(c) for c in attribute.categories) if ordinal else (),
                missing=before.missing,
                distinct=before.distinct,
                released=released,
            )
        )
    return columns


def _changed(release: Release, name: str) -> float | None:
    """Return the share of records whose value differs from their original's.

    None if the column was recoded, or the records are synthetic.
    """
    if release.pairing is None:
        return None
    before, after = release.original.column(name), release.data.column(name)
    if (
        before.attribute.kind is not after.attribute.kind
        or before.attribute.categories != after.attribute.categories
    ):
        return None
    if not len(after.values):
        return 0.0
    old = before.values[release.origin]
    different = (old != after.values) & ~(before.missing[release.origin] & after.missing)
    return float(different.mean())


def _joined(original: Microdata) -> tuple[JoinedFile, ...]:
    """Return the files that the original was joined from; none if it is a single file."""
    joined = None if original.source is None else original.source.joined
    if not isinstance(joined, Joined):
        return ()
    paths: list[str | None] = [path.name for path in joined.paths] or [None] * len(joined.files)
    return tuple(
        JoinedFile(name, path, tuple(joined.columns(name, list(original.schema.names))))
        for name, path in zip(joined.files, paths, strict=True)
    )


def _correlations(original: Microdata, released: Microdata) -> Correlations | None:
    """Return the correlations of the continuous quasi-identifiers before and after."""
    names = [
        name
        for name in original.quasi_identifiers
        if all(name in t.schema and t.schema[name].continuous for t in (original, released))
    ]
    shown = names[:CORRELATED]
    if len(shown) < 2 or min(len(original), len(released)) < 2:
        return None
    before, after = _correlated(original.matrix(shown)), _correlated(released.matrix(shown))
    return Correlations(
        columns=tuple(shown),
        others=len(names) - len(shown),
        before=_matrix(before),
        after=_matrix(after),
        difference=_matrix(after - before),
    )


def _correlated(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a correlation matrix, by one product where no value is missing."""
    from discreet.models.moments import correlations

    finite = np.isfinite(values)
    if finite.all():
        # Squares of the largest and of the least numbers leave the range of floats; those of
        # numbers up to 1 do not, and correlations do not depend on units.
        largest = np.abs(values).max(axis=0)
        scaled = values / np.where(largest > 0, largest, 1.0)
        if (np.ptp(scaled, axis=0) > 0).all():
            return np.asarray(np.corrcoef(scaled, rowvar=False))
    # An infinite value has no correlation with anything; it is skipped as if missing. Each column
    # is contiguous in memory, since pairs are processed column by column.
    return correlations(np.asfortranarray(np.where(finite, values, np.nan)))


def _matrix(values: NDArray[np.float64]) -> Matrix:
    return tuple(
        tuple(round(float(v), 9) if np.isfinite(v) else None for v in row) for row in values
    )


def _groups(release: Release) -> Groups | None:
    """Return how large the groups are, where the method made groups."""
    if release.groups is None or not (release.groups.sizes > 0).any():
        return None
    sizes = np.sort(release.groups.sizes[release.groups.sizes > 0])
    area = spread(sizes.astype(np.float64))
    edges = (round_edges(*area, whole=True) if area else None) or []
    counts = np.diff(np.searchsorted(sizes, edges)).tolist()
    return Groups(
        promised=int(release.groups.least_size),
        count=len(sizes),
        least=int(sizes[0]),
        largest=int(sizes[-1]),
        mean=float(sizes.mean()),
        edges=tuple(edges),
        counts=tuple(counts),
        beyond=len(sizes) - sum(counts),
        details=tuple(detail_lines(release.groups.detail)),
    )
