"""The tree of the attack in the internal report, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import discreet
from discreet.report import public, render
from discreet.report.attack import attack_content, regression_attack
from discreet.report.tree_picture import tree_picture

from .conftest import content_of, microaggregated
from .page import check

CANARY = "Canary & Sons <b>"


def release(rows: int = 200) -> discreet.Release:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 80, rows)
    data = discreet.read(
        {
            "age": age.tolist(),
            "pay": (100.0 * age + rng.uniform(size=rows)).tolist(),
            "ill": np.where(age > 50, CANARY, "none").tolist(),
        },
        roles={"age": "quasi-identifier", "pay": "confidential", "ill": "confidential"},
    )
    return microaggregated(data, seed=3)


def test_the_section_stands_in_the_internal_report_only() -> None:
    content = content_of(release(), ["k-anonymity"])
    assert content["attack"]["columns"][0]["after"] > 0.9
    internal = render(content, public=False)
    check(internal)
    assert 'id="attack"' in internal
    assert "Tree of the attack" in internal
    published = render(content, public=True)
    assert 'id="attack"' not in published
    assert "Tree of the attack" not in published
    assert "attack" not in public(content)
    json.dumps(content, allow_nan=False)


def test_values_in_the_picture_are_escaped() -> None:
    found = attack_content(release())
    assert found is not None
    drawn = tree_picture(found["tree"])
    assert "<b>" not in drawn
    assert "Canary &amp; So" in drawn
    assert regression_attack({"attack": found}).count("<svg") == 1


def test_a_leaf_has_a_bar_where_its_values_lie() -> None:
    def node(parent: int | None, low: float, high: float) -> dict[str, Any]:
        narrowed = {"column": "pay", "known": 5, "guess": 1.0, "low": low, "high": high}
        return {
            "parent": parent,
            "condition": "" if parent is None else "age > 3",
            "records": 5,
            "taken_off": 0.5,
            "below": 0,
            "narrowed": [{**narrowed, "share": None, "range": 0.5, "spread": 0.5}],
        }

    drawn = tree_picture([node(None, 0, 100), node(0, 0, 50), node(0, 100, 100)])
    assert drawn.count("<rect") == 2
    assert 'width="45"' in drawn
    # A single value at the end of the range stays visible and on the line.
    assert 'width="2"' in drawn
    assert drawn.count("<circle") == 1


def test_where_there_is_nothing_to_attack() -> None:
    data = discreet.read({"age": [1.0, 2, 3, 4]}, roles={"age": "quasi-identifier"})
    assert attack_content(microaggregated(data, k=2)) is None
    assert regression_attack({"attack": {"reason": "a <reason>"}}).count("&lt;reason&gt;") == 1


def test_rows_are_those_of_the_original() -> None:
    made = release()
    found = attack_content(made)
    assert found is not None
    assert found["rows"]
    assert all(1 <= row <= len(made.original) for row in found["rows"])


def test_a_label_of_a_hundred_categories_does_not_fill_the_page() -> None:
    found = attack_content(release())
    assert found is not None
    found["places"][0]["rule"] = ["town is " + "+".join(f"T{i:03}" for i in range(100))]
    section = regression_attack({"attack": found})
    assert "T001" in section
    assert "T099" not in section
