"""What ranks and scores need of the disk is given back; outcomes are compared in test_in_order."""

from __future__ import annotations

from pathlib import Path

import discreet
from discreet.contracts import Context
from discreet.scaling import rearranging
from discreet.scaling.engine import Engine
from discreet.scaling.source import large_file
from discreet.scaling.storing import stored
from tests.scaling.people import COLUMNS, written


def test_only_the_new_columns_are_left_on_the_disk(tmp_path: Path) -> None:
    written(tmp_path, "  - rounding", rows=400)
    file = large_file(tmp_path / "people.parquet")
    store = stored(file, COLUMNS, None, tmp_path, Engine(), 10_000_000)
    step = discreet.LatinHypercube(columns=["income", "hours"], refinements=3)
    after = rearranging.run_rearranged(store, step, Context(), Engine(), "step-1").store
    names = {"income", "hours"}
    assert {n for n in store.files if store.files[n] != after.files[n]} == names
    left = {f"step-1/{path.name}" for path in (tmp_path / "step-1").iterdir()}
    assert left == {after.files[name] for name in names}
