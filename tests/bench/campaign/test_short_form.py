"""The campaign in short: the same cases each time, so that a fault is the change's that brought it.

`make campaign` looks at others, for hours.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("part", "size", "target", "least"),
    [
        ("releases", 1.0, "released", 60),
        ("fuzzing", 0.1, "fuzzed", 250),
        ("protect_kills", 0.34, "killed protect", 1),
        ("explore_kills", 0.17, "killed explore", 0),
        ("storms", 0.25, "storms", 4),
    ],
)
def test_no_fault(part: str, size: float, target: str, least: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.campaign.short_form", part, str(size), str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["faults"] == []
    assert told["counts"].get(target, 0) >= least, told["counts"]
