"""`python -m bench.campaign.short_form PART SIZE FOLDER`: one batch, told as JSON, for the tests.

It has a process of its own, because its batch is forked: threads that a library had started before
would be missing there, and waited for without end.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from pathlib import Path

from bench.campaign.isolating import isolated
from bench.campaign.parts import Batch, Task

SEED = 2026
SECONDS = 270


def main(part: str, size: str, folder: str) -> None:
    """Run the batch and print what it found and counted."""
    place = Path(folder)
    module = importlib.import_module(f"bench.campaign.{part}")
    task = Task(SEED, frozenset(), place / "faults", place / "work", Counter(), float(size))
    batch: Batch = isolated(lambda: module.batch(task), place, SECONDS)
    faults = [f"{fault.kind}: {fault.detail}" for fault in batch.faults]
    print(json.dumps({"faults": faults, "counts": dict(batch.counts)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
