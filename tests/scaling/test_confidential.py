"""Figures about confidential columns, counted on the disk, are those of the measures in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import discreet
from discreet.scaling import counting
from discreet.scaling.engine import Engine
from discreet.scaling.gating import Counted
from discreet.scaling.source import large_file
from discreet.scaling.storing import stored

ROLES = {
    "quasi-identifier": ["age", "pay"],
    "confidential": ["ill", "grade", "days"],
    "weight": ["people"],
}
KINDS: dict[str, str | list[object]] = {"grade": ["low", "middle", "high"]}


def test_classes_are_counted_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows = 2000
    gaps = rng.random(rows) < 0.05
    table = pa.table(
        {
            "age": rng.integers(20, 60, rows),
            "pay": pa.array(rng.integers(1, 4, rows) * 0.5, mask=gaps),
            # "Flu " is the same illness to a reader.
            "ill": pa.array(rng.choice(["flu", "Flu ", "cold"], rows), mask=gaps[::-1]),
            "grade": rng.choice(["low", "middle", "high"], rows),
            "days": pa.array(rng.geometric(0.3, rows) * 1.5, mask=gaps),
            "people": rng.integers(1, 9, rows) * 1.0,
        }
    )
    parquet.write_table(table, tmp_path / "people.parquet")
    store = stored(large_file(tmp_path / "people.parquet"), ROLES, KINDS, tmp_path, Engine(), 10**8)
    monkeypatch.setattr(counting, "LOT", 37)  # classes that go on in the next lot
    found = Counted.of(store, {"t-closeness"}).figures()
    data = discreet.read(tmp_path / "people.parquet", ROLES, KINDS)
    expected = discreet.assess(data, data, list(found), pairing=None).risk
    assert set(found) >= {"t-closeness", "l-diversity", "individual-risk", "k-anonymity"}
    assert found == pytest.approx({name: score.value for name, score in expected.items()})
    assert "t-closeness" not in Counted.of(store).figures()
