"""The released records most at risk, by the measures that have a figure for each record."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Side
from discreet.release.assessment import Assessment, Row
from discreet.release.release import Release
from discreet.report.components import about
from discreet.report.content import AtRisk, RecordAtRisk

SHOWN = 20


def most_at_risk(release: Release, assessment: Assessment) -> AtRisk:
    """Return the records most at risk, the worst first, each with the row of its original.

    Shares (a probability of being linked) are considered first, then other figures such as the
    size of the record's class. This is for the owner of the data: the row of the original is
    exactly the link that a release must not give away.
    """
    rows = len(release.data)
    usable = [row for row in assessment.rows if _figures(row, rows) is not None]
    usable.sort(key=lambda row: not row.spec.percent)
    if not usable:
        return AtRisk()
    figures = [values for row in usable if (values := _figures(row, rows)) is not None]
    signs = [-1 if row.spec.better is Better.HIGHER else 1 for row in usable]
    shown = min(SHOWN, rows)
    # Only records that reach the first danger of the last one shown can be among those shown, and
    # of those that are equal there, only those that reach the second.
    worst, equal, reached = np.zeros(0, dtype=np.int64), np.arange(rows), rows
    for n, (sign, values) in enumerate(zip(signs, figures, strict=True)):
        danger = np.nan_to_num(sign * values[equal], nan=-np.inf)
        at = len(equal) - (shown - len(worst))
        least = np.partition(danger, at)[at]
        worst, equal = np.concatenate([worst, equal[danger > least]]), equal[danger == least]
        reached = len(worst) + len(equal) if n == 0 else reached
    candidates = np.concatenate([worst, equal])
    keys = [
        np.nan_to_num(-sign * values[candidates], nan=np.inf)
        for sign, values in zip(signs, figures, strict=True)
    ]
    order = np.lexsort([release.origin[candidates], *keys[::-1]])
    sizes, read_as = _group_sizes(release), release.original.rows_read
    return AtRisk(
        tuple(about(type(row.measure)) for row in usable),
        reached,
        tuple(
            RecordAtRisk(
                int(read_as[release.origin[i]]) + 1 if release.origin[i] >= 0 else None,
                tuple(float(values[i]) for values in figures),
                None if sizes is None else int(sizes[release.origin[i]]),
            )
            for i in candidates[order[:shown]]
        ),
    )


def _figures(row: Row, rows: int) -> NDArray[np.float64] | None:
    if row.spec.side is not Side.RISK or row.after is None or row.after.per_record is None:
        return None
    values = np.asarray(row.after.per_record, dtype=np.float64)
    return values if values.shape == (rows,) and rows else None


def _group_sizes(release: Release) -> NDArray[np.int64] | None:
    """Return for each original record the size of its group, where the method made groups."""
    if release.groups is None or release.pairing is None:
        return None
    return release.groups.sizes[release.groups.labels]
