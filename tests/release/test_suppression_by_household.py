"""Suppression by household: whole households, until every class is large enough."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Claim, Groups, Masked
from discreet.microdata.clusters import Clusters
from discreet.microdata.equivalence import class_sizes
from discreet.release.suppression_by_household import emptied, suppressed_by_household


def masked(values: list[str | None], k: int = 2) -> tuple[Masked, discreet.Microdata]:
    before = discreet.read({"x": [v or "z" for v in values]}, roles={"x": "quasi-identifier"})
    gone = np.array([v is None for v in values])
    table = before.replace([emptied(before.column("x"), gone)])
    claims = (Claim("k-anonymity", k), Claim("l-diversity", 2))
    return Masked(table, Groups(np.zeros(len(values), dtype=np.int64)), claims), before


def test_mates_go_with_a_suppressed_record_and_small_classes_after_them() -> None:
    outcome, before = masked([None, None, "a", "a", "b", "b", "b"])
    homes = Clusters(np.array([0, 1, 1, 2, 2, 3, 4]))
    found = suppressed_by_household(outcome, before, homes, ["x"])
    # The mate (a), then the a that is left alone, and its mate (b).
    assert found.data.column("x").missing.tolist() == [True] * 5 + [False] * 2
    assert [claim.measure for claim in found.claims] == ["k-anonymity"]
    assert any("5 records are suppressed in the end, 3 of them" in note for note in found.notes)
    assert any(note.startswith("l-diversity is not claimed") for note in found.notes)


def test_too_few_suppressed_records_are_joined_by_the_smallest_class() -> None:
    outcome, before = masked([None, "a", "a", "a", "b", "b"], k=2)
    found = suppressed_by_household(outcome, before, Clusters(np.arange(6)), ["x"])
    assert class_sizes(found.data, ["x"]).min() >= 2
    assert found.data.column("x").missing.tolist() == [True, False, False, False, True, True]


def test_without_suppressed_records_nothing_happens() -> None:
    outcome, before = masked(["a", "a"])
    assert suppressed_by_household(outcome, before, Clusters(np.arange(2)), ["x"]) is outcome


@pytest.mark.parametrize("values", [["a", "b"], [1.0, 2.0]])
def test_emptied(values: list[object]) -> None:
    column = discreet.read({"x": values}).column("x")
    assert emptied(column, np.array([False, True])).missing.tolist() == [False, True]
