from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.report import from_manifest, public, render
from discreet.report.content import Content
from discreet.report.plain import as_json, from_json
from discreet.report.public_form import NotDrawn, PublicContent, ReleasedFile

from .conftest import content_of, microaggregated

EXTREME = 98765432.125
SEED = 918273645546372
CANARIES = ("98765432", "98,765,432", "Canaryville", "canary_input", str(SEED), "secret_id")


@pytest.fixture
def planted(tmp_path: Path) -> discreet.Release:
    """A release of a file with an outlier, a rare category, a telling name and a known seed."""
    random = np.random.default_rng(5)
    lines = ["secret_id,income,city,wealth,town"]
    for i in range(200):
        city = "Canaryville" if i == 17 else ("Ayle", "Bron", "Corm")[i % 3]
        income = EXTREME if i == 17 else round(float(random.normal(2000, 300)), 2)
        # The last two columns are released as they are: their outliers are in the file, but a
        # report must not point at them.
        lines.append(f"P{i:05},{income},{city},{income},{city}")
    path = tmp_path / "canary_input.csv"
    path.write_text("\n".join(lines))
    roles = {
        "secret_id": "identifier",
        "income": "quasi-identifier",
        "city": "quasi-identifier",
        "wealth": "confidential",
        "town": "other",
    }
    return microaggregated(discreet.read(path, roles=roles), seed=SEED, allow=["wealth", "town"])


def test_no_canary_in_the_public_report(planted: discreet.Release) -> None:
    content = content_of(planted)
    page = render(public(content))
    published = json.dumps(as_json(public(content)))
    for canary in CANARIES:
        assert canary not in page
        assert canary not in published


def test_the_canaries_are_real(planted: discreet.Release) -> None:
    page = render(content_of(planted))
    for canary in ("98,765,432", "Canaryville", "canary_input", "secret_id"):
        assert canary in page
    assert str(SEED) not in page


def test_nothing_of_the_original_moves_a_public_bin(planted: discreet.Release) -> None:
    """Other originals behind the same released table give the same public distributions."""
    first = public(content_of(planted)).columns
    other = planted.original.replace(
        [
            column.with_values(column.values * 3 + 1)
            for column in planted.original
            if column.attribute.continuous
        ]
    )
    moved = discreet.Release(
        original=other,
        data=planted.data,
        origin=planted.origin,
        groups=planted.groups,
        claims=planted.claims,
        steps=planted.steps,
        notes=("the largest income was 98765432",),
        randomness=planted.randomness,
        shuffled=True,
    )
    content = content_of(moved)
    assert public(content).columns == first
    assert "98765432" not in render(public(content))


def classes(value: Any) -> Iterator[type]:
    """Every class of content that a value is made of."""
    if is_dataclass(value):
        yield type(value)
        for field in fields(value):
            yield from classes(getattr(value, field.name))
    if isinstance(value, tuple):
        for inner in value:
            yield from classes(inner)


def test_public_content_is_made_of_public_classes_only(content: Content) -> None:
    assert {kind.__module__ for kind in classes(public(content))} == {PublicContent.__module__}


def test_what_a_class_does_not_declare_is_not_read(content: Content) -> None:
    poisoned = as_json(content)
    _poison(poisoned)
    assert "poison" not in json.dumps(as_json(public(from_json(Content, poisoned))))


def _poison(value: Any) -> None:
    """Add a field to every mapping, as somebody may add one later."""
    if isinstance(value, dict):
        for key, inner in list(value.items()):
            # Parameters, details and quantiles by their share are open mappings.
            if key not in ("parameters", "quantiles", "detail"):
                _poison(inner)
        value["poison"] = "poison"
    if isinstance(value, list):
        for inner in value:
            _poison(inner)


def test_public_of_public_is_the_same(content: Content) -> None:
    once = public(content)
    assert public(once) == once


def test_no_before_but_declared_constants(content: Content) -> None:
    for score in public(content).scores:
        assert score.was == (0 if score.side == "utility" else None)


def test_few_values_are_not_shown() -> None:
    data = discreet.read({"q": [1.0, 2, 3, 4]}, roles={"q": "quasi-identifier"})
    content = public(content_of(microaggregated(data, k=2)))
    assert content.columns[0].released is not None
    assert isinstance(content.columns[0].released.alone, NotDrawn)


def manifest_of(content: PublicContent, release: discreet.Release) -> dict[str, Any]:
    """The manifest that belongs to a public report."""
    return {
        "discreet": content.discreet,
        "release": {
            "file": "release.csv",
            "sha256": "ab" * 32,
            "bytes": 1234,
            "records": content.records.released,
            "columns": [
                {"name": c.name, "role": c.role, "kind": c.released.kind}
                for c in content.columns
                if c.released is not None
            ],
        },
        "steps": [
            {key: getattr(step, key) for key in ("name", "title", "citation", "parameters")}
            for step in content.steps
        ],
        "claims": [
            {key: getattr(claim, key) for key in ("measure", "bound", "measured")}
            | {"counts": gated.counts, "households": gated.households}
            for claim, gated in zip(content.claims, release.claims, strict=True)
        ],
        "shuffled": content.shuffled,
        "decimals": "original" if content.keep_decimals else "free",
        "scores": [
            {
                "measure": score.name,
                **{
                    key: getattr(score, key)
                    for key in ("side", "title", "after", "better", "column")
                },
            }
            for score in content.scores
        ],
    }


def test_a_manifest_gives_the_same_report(content: Content, patients: discreet.Release) -> None:
    expected = public(content)
    found = from_manifest(manifest_of(expected, patients), patients.data)
    file = ReleasedFile("release.csv", "ab" * 32, 1234)
    assert found == replace(expected, released_file=file)


def test_a_manifest_of_methods_unknown_here() -> None:
    manifest = {
        "discreet": "9.9",
        "release": {"file": "r.csv", "columns": [{"name": "x", "role": "other"}]},
        "steps": [{"name": "yet-unknown", "title": "Yet unknown", "parameters": {"a": [1, "b"]}}],
        "claims": [{"measure": "new-risk", "bound": 0.5}],
        "scores": [{"side": "risk", "measure": "new-risk", "title": "New", "after": 0.2}],
    }
    content = from_manifest(manifest, discreet.read({"x": [1.0, 2.0]}))
    page = render(content)
    assert "Yet unknown" in page
    assert "Not every claim was measured" in page


def test_an_empty_manifest_is_no_crash() -> None:
    assert render(from_manifest({}, discreet.read({"x": [1.0]})))
