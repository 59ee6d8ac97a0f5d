"""What a manifest must have."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.publishing.manifest import faults

WHOLE: dict[str, Any] = {
    "schema": 2,
    "discreet": "0.1.0",
    "release": {
        "file": "release.csv",
        "sha256": "0",
        "bytes": 3,
        "reading": {},
        "records": 2,
        "columns": [{"name": "age", "role": "quasi-identifier", "kind": "continuous"}],
    },
    "files": {"release.csv": "0"},
    "steps": [],
    "claims": [{"measure": "k-anonymity", "bound": 5, "measured": 5.0}],
    "shuffled": True,
    "scores": [],
}


def test_a_whole_manifest_has_no_fault() -> None:
    assert faults(WHOLE) == []
    assert faults({**WHOLE, "something": "new"}) == []


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("release", {}, "'release.file' is missing"),
        ("files", [], "'files' must have names with values"),
        ("claims", {}, "'claims' must be a list"),
        ("claims", [{"measure": "k-anonymity", "bound": "5"}], "'claims.0.bound' must be a number"),
        ("claims", [{"measure": "k-anonymity", "bound": True}], "must be a number"),
        ("shuffled", 1, "'shuffled' must be true or false"),
        ("discreet", None, "'discreet' must be text"),
    ],
)
def test_faults_are_named_by_their_place(key: str, value: object, said: str) -> None:
    assert said in faults({**WHOLE, key: value})[0]


def test_roles_and_kinds_are_known_words() -> None:
    column = {"name": "age", "role": "spy", "kind": "continuous"}
    release = {**WHOLE["release"], "columns": [column]}
    assert (
        "'release.columns.0.role' must be one of identifier"
        in faults({**WHOLE, "release": release})[0]
    )
