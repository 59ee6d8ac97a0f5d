"""What a manifest must have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import discreet
from discreet.publishing.manifest import NUMBER, OPTIONAL, SHAPE, faults
from discreet.publishing.schema_version import SCHEMA

WHOLE: dict[str, Any] = {
    "schema": SCHEMA,
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


def described(shape: Any) -> dict[str, Any]:
    """Return the shape of a manifest as a JSON Schema."""
    if isinstance(shape, Mapping):
        names = {key.removesuffix(OPTIONAL): described(inner) for key, inner in shape.items()}
        needed = [key for key in shape if not key.endswith(OPTIONAL)]
        return {"type": "object", "properties": names, "required": needed}
    if isinstance(shape, list):
        return {"type": "array", "items": described(shape[0])}
    if shape == NUMBER:
        return {"type": "number"}
    if isinstance(shape, tuple):
        return {"enum": list(shape)}
    return {"type": {str: "string", int: "integer", bool: "boolean"}[shape]}


def schema() -> dict[str, Any]:
    """Return the JSON Schema that comes with the package."""
    text = files("discreet.publishing").joinpath("schemas/manifest.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_json_schema_in_the_package_says_what_is_checked() -> None:
    found = schema()
    Draft202012Validator.check_schema(found)
    assert found["$id"].endswith(f"/manifest/{SCHEMA}")
    assert {key: found[key] for key in ("type", "properties", "required")} == described(SHAPE)


def test_a_written_manifest_is_valid_by_the_json_schema(tmp_path: Path) -> None:
    table = {"age": [21, 22, 40, 41], "ill": ["low", "low", "high", "low"]}
    data = discreet.read(
        table,
        roles={"age": "quasi-identifier", "ill": "confidential"},
        kinds={"ill": ["low", "high"]},
    )
    method = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    place = discreet.protect(data, method).write(tmp_path / "out")
    valid = Draft202012Validator(schema())
    written = json.loads((place / "manifest.json").read_text("utf-8"))
    assert list(valid.iter_errors(written)) == []
    assert list(valid.iter_errors({**written, "claims": {}}))
    assert list(valid.iter_errors({**written, "shuffled": 1}))
