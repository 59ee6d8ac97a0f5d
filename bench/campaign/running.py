"""The campaign as a whole: which part is next, when it ends, and what happens to faults."""

from __future__ import annotations

import importlib
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.campaign.faults import Fault, Kept, clear, keep
from bench.campaign.isolating import Died, isolated
from bench.campaign.parts import Batch, Task
from bench.campaign.tally import missing, progress

PARTS = {
    "releases": "released",
    "protect_kills": "killed protect",
    "explore_kills": "killed explore",
    "storms": "storms",
    "fuzzing": "fuzzed",
    "learned_attacks": "learned attacks",
}
"""The module of each part, and the count by which it is measured."""
BATCH_SECONDS = 7200.0


@dataclass
class Campaign:
    """Runs batches until the time is up, everything is done, or a fault is found."""

    seed: int
    root: Path
    hours: float | None = None
    keep_going: bool = False
    only: Sequence[str] = tuple(PARTS)
    say: Callable[[str], None] = print
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Kept] = field(default_factory=list)

    def run(self) -> None:
        """Run to the end."""
        started = time.monotonic()
        warm()
        folder = Path(tempfile.mkdtemp(prefix="campaign-", dir=_quick_place()))
        number = 0
        try:
            while not self._over(time.monotonic() - started):
                number += 1
                part = min(self.only, key=lambda name: progress(self.counts, PARTS[name]))
                self._batch(part, self.seed + 10_000 * number, folder)
                done = ", ".join(
                    f"{self.counts[PARTS[name]]:,} {PARTS[name]}" for name in self.only
                )
                self.say(f"{(time.monotonic() - started) / 60:6.1f} min  {part:<14} {done}")
        finally:
            clear(folder)

    def _over(self, seconds: float) -> bool:
        if self.faults and not self.keep_going:
            return True
        if self.hours is not None:
            return seconds > 3600 * self.hours
        done = all(progress(self.counts, PARTS[name]) >= 1 for name in self.only)
        from bench.campaign.releases import methods

        return done and ("releases" not in self.only or not missing(self.counts, methods()))

    def _batch(self, part: str, seed: int, folder: Path) -> None:
        known = frozenset(fault.kind for fault in self.faults)
        task = Task(seed, known, self.root, folder / part, self.counts)
        module = importlib.import_module(f"bench.campaign.{part}")
        try:
            done: Batch = isolated(lambda: module.batch(task), folder, BATCH_SECONDS)
        except Died as reason:
            done = Batch()
            fault = Fault(f"{part}: the process died ({reason})", f"seed {seed}")
            if fault.kind not in known:
                case = folder / part / "case"
                done.faults.append(keep(fault, self.root, _copying(case), "see the files here"))
            done.counts["faults"] += 1
        except RuntimeError as mistake:
            # A mistake of the campaign itself is no fault of discreet, and a long run goes on.
            if not self.keep_going:
                raise
            done = Batch()
            self.say(f"BROKEN {part}, seed {seed}: {mistake}")
        clear(folder / part)
        self.counts += done.counts
        for kept in done.faults:
            self.faults.append(kept)
            self.say(f"FAULT {kept.kind}\n  {kept.detail[:400]}\n  kept in {kept.folder}")


def _copying(case: Path) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        if case.exists():
            shutil.copytree(case, folder / "case")

    return write


def _quick_place() -> str | None:
    """Return a folder in memory, if there is one: a disk would take most of the time."""
    with suppress(OSError):
        shared = Path("/dev/shm")
        if shared.is_dir() and shutil.disk_usage(shared).free > 2**30:
            return str(shared)
    return None


def warm() -> None:
    """Load what every batch needs, so that forked processes have it."""
    import pandas
    import polars
    import pyarrow.parquet
    import pyreadstat
    import sklearn.tree

    import discreet.cli.protect
    import discreet.publishing.directory
    from bench.campaign import releases
    from discreet.contracts.registry import entries

    assert all((pandas, polars, pyarrow, pyreadstat, sklearn, discreet))
    assert releases.methods()
    assert entries("measure")
