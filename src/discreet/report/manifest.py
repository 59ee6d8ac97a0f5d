"""The content of a public report from a published release alone: its manifest and its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.microdata import Microdata
from discreet.report.components import claim_content, measure_content, stated_step
from discreet.report.distributions import PICTURES, TOO_MANY, Summary, alone
from discreet.report.plain import plain
from discreet.report.public_form import public


def from_manifest(manifest: Mapping[str, Any], data: Microdata) -> dict[str, Any]:
    """Return the content of the public report of a release that somebody else published.

    `manifest` is what stands in `manifest.json`, `data` the released table. What a measure or a
    method means is added from this discreet, where it knows one of that name.

    >>> import discreet
    >>> manifest = {"discreet": "0.1.0", "release": {"file": "release.csv", "records": 2,
    ...             "columns": [{"name": "age", "role": "quasi-identifier",
    ...                          "kind": "continuous"}]},
    ...             "steps": [{"name": "additive-noise", "title": "Additive noise"}],
    ...             "claims": [], "shuffled": True, "scores": []}
    >>> content = from_manifest(manifest, discreet.read({"age": [31.2, 46.8]}))
    >>> content["form"], content["columns"][0]["role"]
    ('public', 'quasi-identifier')
    """
    release = manifest.get("release") or {}
    roles = {str(c.get("name")): str(c.get("role", "")) for c in release.get("columns") or ()}
    content = {
        "form": "public",
        "discreet": str(manifest.get("discreet", "")),
        "released_file": {
            "name": release.get("file"),
            "sha256": release.get("sha256"),
            "bytes": release.get("bytes"),
        },
        "records": {"released": len(data)},
        "shuffled": bool(manifest.get("shuffled")),
        "steps": [stated_step(step) for step in manifest.get("steps") or ()],
        "claims": [
            claim_content(str(c.get("measure")), c.get("bound"), c.get("measured"))
            for c in manifest.get("claims") or ()
        ],
        "scores": [_score(score) for score in manifest.get("scores") or ()],
        "columns": [
            {
                "name": column.name,
                "role": roles.get(column.name, column.attribute.role.value),
                "released": {
                    "kind": column.attribute.kind.value,
                    "alone": alone(Summary.of(column)) if place < PICTURES else TOO_MANY,
                },
            }
            for place, column in enumerate(data)
        ],
    }
    return public(content)


def _score(stated: Mapping[str, Any]) -> dict[str, Any]:
    known = measure_content(str(stated.get("measure")))
    said = {
        field: stated[field] for field in ("side", "title", "better", "percent") if field in stated
    }
    return {
        **known,
        **said,
        "after": plain(stated.get("after")),
        "interval": stated.get("interval"),
    }
