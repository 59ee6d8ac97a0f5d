"""Everything that the internal report shows, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.partition import said_of
from discreet.microdata import Kind, Microdata, Role
from discreet.microdata.intervals import round_edges
from discreet.release.assessment import Assessment, Row
from discreet.release.release import Release
from discreet.report.attack import attack_content
from discreet.report.binning import spread
from discreet.report.components import claim_content, described, step_content
from discreet.report.dependency import dependency_content
from discreet.report.distributions import PICTURES, TOO_MANY, Summary, alone, compared
from discreet.report.manifest import from_manifest
from discreet.report.plain import number, plain
from discreet.report.public_form import public
from discreet.report.records import most_at_risk
from discreet.version import version

__all__ = ["collect", "from_manifest", "public"]

CORRELATED = 16
"""More columns than this make a heat map that nobody can read."""


def collect(release: Release, assessment: Assessment) -> dict[str, Any]:
    """Return all figures of the internal report; `json.dumps` takes them as they are.

    They hold original figures. What may be published of them is what `public` returns.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> content = collect(release, discreet.assess(data, release))
    >>> content["claims"][0]["holds"], content["groups"]["count"]
    (True, 2)
    """
    original, released = release.original, release.data
    source = original.source
    path = source.path if source else None
    return {
        "form": "internal",
        "discreet": version(),
        "file": {
            "name": path.name if path else None,
            "notes": list(source.notes if source else ()),
        },
        "released_file": None,
        "records": {"original": len(original), "released": len(released)},
        "shuffled": release.shuffled,
        "dropped": list(original.having(Role.IDENTIFIER)),
        "steps": [step_content(step) for step in release.steps],
        "claims": [claim_content(c.measure, c.bound, c.measured) for c in release.claims],
        "notes": [str(note) for note in release.notes],
        "scores": [_score(row) for row in assessment.rows if row.after is not None],
        "left_out": [
            {"name": row.spec.name, "title": row.spec.title, "reason": row.left_out}
            for row in assessment.rows
            if row.left_out
        ],
        "columns": _columns(release),
        "correlations": _correlations(original, released),
        "dependency": dependency_content(original, original.quasi_identifiers),
        "groups": _groups(release),
        "attack": attack_content(release),
        "at_risk": most_at_risk(release, assessment),
    }


def _score(row: Row) -> dict[str, Any]:
    assert row.after is not None
    interval = row.after.interval
    return {
        **described(type(row.measure)),
        "before": number(row.before),
        "after": number(row.after.value),
        "interval": None if interval is None else [number(bound) for bound in interval],
        "note": row.after.note,
        "detail": plain(row.after.detail),
    }


def _columns(release: Release) -> list[dict[str, Any]]:
    """Return every original column with its released counterpart, where it has one."""
    found = []
    pictures = 0
    for column in release.original:
        before = Summary.of(column)
        attribute = column.attribute
        entry: dict[str, Any] = {
            "name": column.name,
            "role": attribute.role.value,
            "kind": attribute.kind.value,
            "categories": (
                [plain(c) for c in attribute.categories] if attribute.kind is Kind.ORDINAL else []
            ),
            "missing": before.missing,
            "distinct": before.distinct,
            "released": None,
        }
        if column.name in release.data.schema:
            after = Summary.of(release.data.column(column.name))
            pictures += 1
            shown = pictures <= PICTURES
            entry["released"] = {
                "kind": after.column.attribute.kind.value,
                "missing": after.missing,
                "distinct": after.distinct,
                "changed": _changed(release, column.name),
                "synthetic": release.pairing is None,
                "distribution": compared(before, after) if shown else TOO_MANY,
                "alone": alone(after) if shown else TOO_MANY,
            }
        found.append(entry)
    return found


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


def _correlations(original: Microdata, released: Microdata) -> dict[str, Any] | None:
    """Return the correlations of the continuous quasi-identifiers before and after."""
    from discreet.microdata.comparison import comparable_numbers

    names = comparable_numbers(original, released)
    shown = names[:CORRELATED]
    if len(shown) < 2 or min(len(original), len(released)) < 2:
        return None
    before, after = _correlated(original.matrix(shown)), _correlated(released.matrix(shown))
    return {
        "columns": list(shown),
        "others": len(names) - len(shown),
        "before": _matrix(before),
        "after": _matrix(after),
        "difference": _matrix(after - before),
    }


def _correlated(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a correlation matrix, by one product where no value is missing."""
    from discreet.models.moments import correlations

    finite = np.isfinite(values)
    varied = np.ptp(values, axis=0) > 0 if finite.all() else np.zeros(1)
    if varied.all():
        return np.asarray(np.corrcoef(values, rowvar=False))
    # An infinite value has no correlation with anything; it is passed over as if missing. Each
    # column is laid out in one piece, as the pairs are taken column by column.
    return correlations(np.asfortranarray(np.where(finite, values, np.nan)))


def _matrix(values: NDArray[np.float64]) -> list[list[float | None]]:
    return [[round(float(v), 9) if np.isfinite(v) else None for v in row] for row in values]


def _groups(release: Release) -> dict[str, Any] | None:
    """Return how large the groups are, where the method made groups."""
    if release.groups is None:
        return None
    sizes = np.sort(release.groups.sizes[release.groups.sizes > 0])
    if not len(sizes):
        return None
    area = spread(sizes.astype(np.float64))
    edges = round_edges(*area, whole=True) if area else None
    counts: list[int] = []
    if edges is not None:
        places = np.searchsorted(sizes, edges)
        counts = np.diff(places).tolist()
        beyond = len(sizes) - sum(counts)
    return {
        "promised": int(release.groups.least_size),
        "count": len(sizes),
        "least": int(sizes[0]),
        "largest": int(sizes[-1]),
        "mean": float(sizes.mean()),
        "edges": edges or [],
        "counts": counts,
        "beyond": beyond if edges is not None else 0,
        "said": said_of(release.groups.detail),
    }
