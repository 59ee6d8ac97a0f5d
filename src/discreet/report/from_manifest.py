"""The content of a public report from a published release alone: its manifest and its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.contracts.claim import of_what
from discreet.microdata import Microdata
from discreet.microdata.dates import unit_of
from discreet.report.components import about, judged, stated_step
from discreet.report.distributions import PICTURES, TOO_MANY, Summary, alone
from discreet.report.plain import from_json
from discreet.report.public_form import (
    PublicColumn,
    PublicContent,
    PublicReleased,
    PublicScore,
    Records,
    ReleasedFile,
    public,
)


def from_manifest(manifest: Mapping[str, Any], data: Microdata) -> PublicContent:
    """Return the content of the public report of a release that somebody else published.

    `manifest` is the content of `manifest.json`, `data` the released table. What a measure or
    method means is added from this version of discreet, where it knows one of that name.

    >>> import discreet
    >>> manifest = {"discreet": "0.1.0", "release": {"file": "release.csv", "records": 2,
    ...             "columns": [{"name": "age", "role": "quasi-identifier",
    ...                          "kind": "continuous"}]},
    ...             "steps": [{"name": "additive-noise", "title": "Additive noise"}],
    ...             "claims": [], "shuffled": True, "scores": []}
    >>> content = from_manifest(manifest, discreet.read({"age": [31.2, 46.8]}))
    >>> content.columns[0].role, content.steps[0].title
    ('quasi-identifier', 'Additive noise')
    """
    release = manifest.get("release") or {}
    roles = {str(c.get("name")): str(c.get("role", "")) for c in release.get("columns") or ()}
    return public(
        PublicContent(
            discreet=str(manifest.get("discreet", "")),
            released_file=from_json(
                ReleasedFile, {**release.get("reading", {}), **release, "name": release.get("file")}
            ),
            records=Records(released=len(data)),
            shuffled=bool(manifest.get("shuffled")),
            keep_decimals=manifest.get("decimals") != "free",
            steps=tuple(stated_step(step) for step in manifest.get("steps") or ()),
            claims=tuple(
                judged(
                    str(c.get("measure")),
                    c.get("bound"),
                    c.get("measured"),
                    of_what(str(c.get("counts", "")), c.get("households")),
                )
                for c in manifest.get("claims") or ()
            ),
            scores=tuple(_score(score) for score in manifest.get("scores") or ()),
            columns=tuple(
                PublicColumn(
                    name=column.name,
                    role=roles.get(column.name, column.attribute.role.value),
                    released=PublicReleased(
                        kind=column.attribute.kind.value,
                        alone=alone(Summary.of(column, unit_of(data, column.name)))
                        if place < PICTURES
                        else TOO_MANY,
                    ),
                )
                for place, column in enumerate(data)
            ),
        )
    )


def _score(stated: Mapping[str, Any]) -> PublicScore:
    known = vars(about(str(stated.get("measure"))))
    return from_json(PublicScore, {"after": None, **known, **stated})
