"""`python -m bench.campaign.short_form FOLDER PART=SIZE …`: a batch of each, reported as JSON.

For the tests. It has a process of its own, because its batches are forked: threads that a library
had started before would be missing in them, and would be waited for forever.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from bench.campaign.isolating import isolated
from bench.campaign.parts import Batch, Task

SEED = 2026
SECONDS = 270
LOADED = ("numba", "pandas", "polars", "pyarrow.parquet", "scipy.stats", "sklearn.ensemble")
"""Modules that take long to load without starting threads: the batches then have them."""


def main(folder: str, *parts: str) -> None:
    """Run the batches and print what each found and counted."""
    for library in LOADED:
        importlib.import_module(library)
    for part, _, size in (given.partition("=") for given in parts):
        place = Path(folder) / part
        module = importlib.import_module(f"bench.campaign.{part}")
        task = Task(SEED, frozenset(), place / "faults", place / "work", Counter(), float(size))
        batch: Batch = isolated(partial(module.batch, task), place, SECONDS)
        faults = [f"{fault.kind}: {fault.detail}" for fault in batch.faults]
        print(json.dumps({"part": part, "faults": faults, "counts": dict(batch.counts)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
