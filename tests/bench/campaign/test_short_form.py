"""The campaign in short: the same cases each time, so that a fault is the change's that brought it.

`make campaign` looks at others, for hours.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from bench.campaign import explore_kills, fuzzing, protect_kills, releases, storms
from bench.campaign.isolating import isolated
from bench.campaign.parts import Batch, Task
from bench.campaign.tally import table


@pytest.mark.parametrize(
    ("part", "size", "target", "least"),
    [
        (releases, 1.0, "released", 60),
        (fuzzing, 0.1, "fuzzed", 250),
        (protect_kills, 0.34, "killed protect", 1),
        (explore_kills, 0.17, "killed explore", 0),
        (storms, 0.25, "storms", 4),
    ],
    ids=["releases", "fuzzing", "protect_kills", "explore_kills", "storms"],
)
def test_no_fault(part: ModuleType, size: float, target: str, least: int, tmp_path: Path) -> None:
    task = Task(2026, frozenset(), tmp_path / "faults", tmp_path / "work", Counter(), size)
    found: Batch = isolated(lambda: part.batch(task), tmp_path, 280)
    assert not found.faults, [f"{fault.kind}: {fault.detail}" for fault in found.faults]
    assert found.counts[target] >= least, table(found.counts, releases.methods(), 0, 0)
