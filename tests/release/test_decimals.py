"""Released numbers have the decimals of the original."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import Plan


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    draw = np.random.default_rng(2)
    lines = [
        f"{a},{p:.2f}" for a, p in zip(draw.integers(18, 90, 60), draw.random(60), strict=True)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["age,pay", *lines]) + "\n")
    text = """
data: people.csv
columns: {age: quasi-identifier, pay: quasi-identifier}
steps: [microaggregation: {partition: {mdav: {k: 4}}}]
claims: {k-anonymity: 4}
"""
    path = tmp_path / "plan.yaml"
    path.write_text(text)
    return path


def test_a_plan_keeps_the_decimals_of_the_file(plan: Path) -> None:
    release = Plan.load(plan).run(seed=1)
    assert np.array_equal(release.data["age"], np.rint(release.data["age"]))
    assert np.array_equal(release.data["pay"], np.round(release.data["pay"], 2))
    assert release.claims[0].measured is not None
    assert release.claims[0].measured >= 4
    written = release.write(plan.parent / "out") / "release.csv"
    assert "." not in {line.split(",")[0] for line in written.read_text().splitlines()}
    assert all("." not in line.split(",")[0] for line in written.read_text().splitlines())


def test_a_plan_may_leave_the_means_as_they_are(plan: Path) -> None:
    plan.write_text(plan.read_text() + "release: {decimals: free}\n")
    release = Plan.load(plan).run(seed=1)
    assert not np.array_equal(release.data["age"], np.rint(release.data["age"]))
    assert "decimals: free" in Plan.load(plan).dump()


def test_the_library_does_so_where_it_is_asked() -> None:
    pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    roles = {"age": "quasi-identifier"}
    frame = {"age": [21, 22, 40, 43]}
    assert 21.5 in discreet.protect(frame, pairs, roles=roles).data["age"]
    kept = discreet.protect(frame, pairs, roles=roles, keep_decimals=True)
    assert sorted(kept.frame()["age"].to_pylist()) == [22, 22, 42, 42]
