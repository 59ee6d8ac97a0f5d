"""The campaign in short: the same cases each time, so that a fault is the change's that brought it.

`make campaign` looks at others, for hours, and kills searches too, which the tests do in
`tests/flow/test_exploring.py` and `tests/exploring/test_worker.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[3]
PARTS = {
    "releases": (0.2, "released", 12),
    "fuzzing": (0.08, "fuzzed", 120),
    "protect_kills": (0.04, "killed protect", 1),
    "storms": (0.25, "storms", 4),
    "learned_attacks": (0.3, "learned attacks", 4),
}
"""How large a batch is, what it counts, and the minimum number of it."""


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a batch of each part found and counted."""
    sizes = [f"{part}={size}" for part, (size, _, _) in PARTS.items()]
    place = str(tmp_path_factory.mktemp("campaign"))
    command = [sys.executable, "-m", "bench.campaign.short_form", place, *sizes]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"part')]
    return {batch["part"]: batch for batch in told}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", PARTS)
def test_no_fault(part: str, batches: dict[str, Any]) -> None:
    _, counted, least = PARTS[part]
    assert batches[part]["faults"] == []
    assert batches[part]["counts"].get(counted, 0) >= least, batches[part]["counts"]
