"""Methods that need the order of single columns give on the disk what they give in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.contracts import Method, Needs
from discreet.contracts.registry import entries
from discreet.errors import DataError
from discreet.io.frames import to_table
from discreet.release.plan import Plan
from discreet.scaling import in_order
from discreet.scaling.protecting import protect_large
from tests.scaling.people import COLUMNS, LITTLE, people, released, written

ROWS = 3000
IN_ORDER = [
    entry.spec.name
    for entry in entries("method")
    if issubclass(entry, Method) and entry.example().needs is Needs.ORDER
]
STEPS = {
    "rank-swapping": ["{p: 3, columns: [income, sex, region]}", "{p: 0.01, columns: [age]}"],
    "latin-hypercube": [
        "{columns: [income, few], refinements: 2}",
        "{columns: [hours], points: 30, given: [age, region], round: true}",
    ],
    "data-shuffling": ["{columns: [income, few, age], given: [ill, hours]}"],
    "individual-ranking": [
        "{k: 3, columns: [income, age]}",
        "{k: 4, optimal: false, columns: [income, hours]}",
        "{replacement: {centroid: {continuous: median}}, columns: [hours, few]}",
    ],
}


def _table(rows: int = ROWS) -> pa.Table:
    """Return people with a column of which few values are missing, one of them a signed zero."""
    rng = np.random.default_rng(2)
    few = rng.normal(0, 5, rows).round(1)
    few[:2] = [-0.0, 0.0]
    gaps = np.isin(np.arange(rows), [7, 900])
    return people(rows).append_column("few", pa.array(few, mask=gaps))


def test_every_method_of_this_kind_is_tried() -> None:
    assert set(STEPS) == set(IN_ORDER)


@pytest.mark.parametrize("step", [f"{name}: {p}" for name, all_ in STEPS.items() for p in all_])
def test_on_the_disk_as_in_memory(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_order, "BUCKET", 1100)
    monkeypatch.setattr(in_order, "LOT", 700)
    monkeypatch.setattr("discreet.contracts.rearranging.PIECE", 600)
    monkeypatch.setattr("discreet.kernels.rank_swapping.PIECE", 500)
    monkeypatch.setattr("discreet.methods.perturbative.individual_ranking.PIECE", 500)
    monkeypatch.setattr("discreet.microaggregation.partition.ranking.PIECE", 100)
    path = written(tmp_path, f"  - {step}", rows=10)
    parquet.write_table(_table(), tmp_path / "people.parquet")
    text = path.read_text().replace("columns:\n", "columns:\n  few: {role: other}\n", 1)
    path.write_text(text)
    plan = Plan.load(path)
    release = plan.run(seed=5)
    protected = protect_large(plan, tmp_path / "out", seed=5, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.release.notes == release.notes
    assert protected.release.claims == release.claims


def test_one_quasi_identifier_is_k_anonymous(tmp_path: Path) -> None:
    path = written(tmp_path, "  - individual-ranking: {k: 3}", rows=500)
    others = [n for n, role in COLUMNS.items() if role == "quasi-identifier" and n != "income"]
    text = path.read_text()
    for name in others:
        text = text.replace(f"{name}: {{role: quasi-identifier}}", f"{name}: {{role: other}}")
    path.write_text(text)
    plan = Plan.load(path)
    release = plan.run(seed=5)
    protected = protect_large(plan, tmp_path / "out", seed=5, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.release.claims == release.claims
    assert [claim.measure for claim in release.claims] == ["k-anonymity"]
    assert protected.release.notes == release.notes


def test_a_column_with_too_few_values_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "  - individual-ranking: {k: 5, columns: [income]}", rows=10)
    table = people(40).set_column(4, "income", pa.array([1.0, 2.0, *[None] * 38]))
    parquet.write_table(table, tmp_path / "people.parquet")
    with pytest.raises(DataError, match="groups of 5 values, but 'income' has 2 in all"):
        protect_large(Plan.load(path), tmp_path / "out", memory=LITTLE)
