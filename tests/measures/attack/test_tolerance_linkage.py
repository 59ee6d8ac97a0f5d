"""Linkage within tolerances where not all pairs are compared."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Outcome, Pairing, Randomness, Target
from discreet.measures.attack import tolerance_linkage
from discreet.measures.attack.tolerance_linkage import ToleranceLinkage
from discreet.measures.linkage import attempt

QI = "quasi-identifier"


def attempted(target: Target) -> Outcome:
    return ToleranceLinkage().attempt(target, Context(Randomness(1)))


def noisy(rows: int) -> Target:
    draw = np.random.default_rng(2)
    before = {f"x{c}": draw.normal(size=rows) for c in range(4)} | {"t": draw.integers(0, 3, rows)}
    after = {name: v + 0.1 * draw.normal(size=rows) for name, v in before.items() if name != "t"}
    roles, kinds = dict.fromkeys(before, QI), {"t": "nominal"}
    data = discreet.read(before, roles=roles, kinds=kinds)
    released = discreet.read(after | {"t": before["t"]}, roles=roles, kinds=kinds)
    return Target(data, released, Pairing.same_order(rows))


def test_the_links_of_a_large_file_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    target = noisy(700)
    exact = attempted(target)
    monkeypatch.setattr(tolerance_linkage, "MOST_COMPARED", 0)
    monkeypatch.setattr(attempt, "EXACT", 0)
    monkeypatch.setattr(attempt, "MOST_SAMPLED", 300)
    estimated = attempted(target)
    assert exact.interval is None
    assert estimated.interval is not None
    low, high = estimated.interval
    # It may see fewer rivals than there are, never more.
    assert low - 0.05 <= exact.success <= high
    assert estimated.detail["tolerance"] == exact.detail["tolerance"]


def test_a_large_release_that_says_nothing_links_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tolerance_linkage, "MOST_COMPARED", 0)
    data = discreet.read({"age": np.arange(60.0)}, roles={"age": QI})
    nothing = discreet.read({"age": [np.nan] * 60}, roles={"age": QI}, kinds={"age": "continuous"})
    outcome = attempted(Target(data, nothing, Pairing.same_order(60)))
    assert outcome.success == pytest.approx(1 / 60)


def test_many_records_of_a_few_kinds_are_compared_as_a_whole() -> None:
    rows = 30_000
    data = discreet.read({"a": np.arange(rows) % 7}, roles={"a": QI}, kinds={"a": "nominal"})
    outcome = attempted(Target(data, data, Pairing.same_order(rows)))
    assert outcome.interval is None
    assert outcome.success == pytest.approx(7 / rows, rel=0.01)
