"""Risk now: what the file gives away before anything is done to it."""

from __future__ import annotations

from typing import Any

from discreet.contracts import Attack, Context, MeasureSpec, Narrowed, Side
from discreet.contracts.registry import build, entries
from discreet.errors import DiscreetError
from discreet.microdata import Microdata, Role
from discreet.release.assessing import assess
from discreet.release.attacking import ATTACK
from discreet.report.components import about
from discreet.report.markup import given_away
from discreet.report.plain import as_json
from discreet.studio.telling import Telling

POPULATION = ("population-uniqueness", "k-map", "journalist-risk", "marketer-risk")
"""Measures that estimate a population, for files with sampling weights."""
MOST_RECORDS = 20
PLACES = 5


def looked_at(data: Microdata, tell: Telling) -> dict[str, Any]:
    """Return the measures that depend on the file itself, and what an attack finds.

    >>> import discreet, io
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> risk = looked_at(data, Telling(io.StringIO()))
    >>> [m["value"] for m in risk["measures"] if m["name"] == "k-anonymity"]
    [1.0]
    """
    tell.stage("measuring")
    names = [entry.spec.name for entry in entries("measure") if _of_a_file(entry.spec)]
    weighted = bool(data.having(Role.WEIGHT))
    if weighted:
        names += [name for name in POPULATION if name not in names]
    assessment = assess(data, data, names, progress=tell)
    measures = [
        {
            **as_json(about(type(row.measure))),
            "value": as_json(row.after.value),
            "interval": as_json(row.after.interval),
            "note": row.after.note,
            "column": row.after.column,
        }
        for row in assessment.rows
        if row.after is not None
    ]
    tell.stage("attacking")
    return {
        "records": len(data),
        "weighted": weighted,
        "measures": measures,
        "left out": [[row.spec.title, row.left_out] for row in assessment.rows if row.left_out],
        "attack": _attacked(data, tell),
    }


def _of_a_file(spec: object) -> bool:
    """Whether a measure says something about a file that nothing was done to."""
    return (
        isinstance(spec, MeasureSpec)
        and spec.side is Side.RISK
        and spec.at_identity is None
        and spec.default
    )


def _attacked(data: Microdata, tell: Telling) -> dict[str, Any]:
    attack = build("attack", {ATTACK: {"places": PLACES}})
    assert isinstance(attack, Attack)
    try:
        findings = attack.attack(data, Context(progress=tell))
    except DiscreetError as error:
        return {"reason": str(error)}
    rows = findings.most_exposed(MOST_RECORDS)
    return {
        "title": attack.spec.title,
        "note": findings.note,
        "gains": [
            [name, gain, findings.chance.get(name, 0.0)] for name, gain in findings.gains.items()
        ],
        "attributes": [[name, share] for name, share in findings.attributes.items()],
        "places": [
            {
                "rule": list(place.rule),
                "records": len(place.rows),
                "narrowed": [_given(narrowed) for narrowed in place.narrowed],
            }
            for place in findings.places
        ],
        "rows": [
            [int(data.rows_read[row]) + 1, float(findings.exposure[row])]
            for row in rows.tolist()
            if findings.exposure[row] > 0
        ],
    }


def _given(narrowed: Narrowed) -> str:
    return given_away(narrowed)
