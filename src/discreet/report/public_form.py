"""The public form of a report: what a reader of the release may know, and nothing else.

It is built up from named fields, never cut down from the internal form: a field that somebody adds
to the internal report later is not published by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STEP = ("name", "title", "citation", "meaning", "missing", "parameters")
PART = ("family", "name", "title", "citation", "meaning")
CLAIM = ("measure", "title", "better", "percent", "of_release", "bound", "measured", "holds")
SCORE = (
    "name",
    "title",
    "meaning",
    "citation",
    "side",
    "better",
    "percent",
    "of_release",
    "identity",
    "after",
    "interval",
)
FILE = ("name", "sha256", "bytes")


def public(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public form of a report's content; of a public form, the same again.

    Left out are: every figure of the original other than a measure's declared value at identity,
    every score that compares with the original (a bias and the released mean make the original
    mean),
    the name of the input, the names of dropped columns, what was noted on the way (a note may
    quote a figure), the details of scores, groups, correlations, single records, and the bins and
    categories that come from the original.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> from discreet.report import collect
    >>> content = public(collect(release, discreet.assess(data, release)))
    >>> sorted(content)
    ['claims', 'columns', 'discreet', 'form', 'records', 'released_file', 'scores', 'shuffled',
     'steps']
    >>> content["records"]
    {'released': 4}
    """
    file = content.get("released_file")
    return {
        "form": "public",
        "discreet": content["discreet"],
        "released_file": picked(file, FILE) if file else None,
        "records": {"released": content["records"]["released"]},
        "shuffled": content["shuffled"],
        "steps": [_step(step) for step in content["steps"]],
        "claims": [_claim(claim) for claim in content["claims"]],
        "scores": [picked(s, SCORE) for s in content["scores"] if s["of_release"]],
        "columns": [_column(c) for c in content["columns"] if c["released"] is not None],
    }


def picked(source: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """Return these fields of a mapping, None where it has no such field.

    >>> picked({"name": "age", "least": 17}, ("name", "kind"))
    {'name': 'age', 'kind': None}
    """
    return {field: source.get(field) for field in fields}


def _claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return a claim, with what was measured only if anybody can read that off the release."""
    return {**picked(claim, CLAIM), **({} if claim["of_release"] else {"measured": None})}


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    return {**picked(step, STEP), "parts": [picked(part, PART) for part in step["parts"]]}


def _column(column: Mapping[str, Any]) -> dict[str, Any]:
    released = column["released"]
    return {
        "name": column["name"],
        "role": column["role"],
        "released": {"kind": released["kind"], "alone": _distribution(released["alone"])},
    }


def _distribution(alone: Mapping[str, Any]) -> dict[str, Any]:
    """Return a released column's distribution field by field, like everything else here."""
    if alone["form"] == "histogram":
        return {
            "form": "histogram",
            "edges": list(alone["edges"]),
            "released": picked(alone["released"], ("shares", "below", "above")),
            "quantiles": {"released": dict(alone["quantiles"]["released"])},
        }
    if alone["form"] == "bars":
        return {
            "form": "bars",
            "labels": list(alone["labels"]),
            "released": list(alone["released"]),
            "rest": picked(alone["rest"], ("categories", "released")),
        }
    return {"form": "none", "reason": alone["reason"]}
