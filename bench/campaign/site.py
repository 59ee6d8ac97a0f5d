"""The folder in which commands are killed or starved, and what it contains before and after."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from bench.campaign.command import judge, run
from bench.campaign.faults import Fault, keep
from bench.campaign.inputs import PLAN, ROWS, STEPS, TOWNS
from bench.campaign.parts import Batch, Task

RECORDS = 50 * ROWS
HIDDEN = ".release."
"""How the names of files that an unfinished release writes begin."""


def prepare(folder: Path, records: int = RECORDS) -> None:
    """Write data, plan and an empty place for temporary files."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "temporary").mkdir(parents=True)
    lines = [f"{20 + n % 13},{TOWNS[n % 3]},{n % 7},low" for n in range(records)]
    (folder / "data.csv").write_text("age,town,pay,grade\n" + "\n".join(lines) + "\n")
    (folder / "plan.yaml").write_text(PLAN.replace("STEP", STEPS["plan"]))


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder; nothing if there is none."""
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def release_to(folder: Path, out: str) -> None:
    """Write a release, over an earlier one if there is one; it must work."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        outcome = run(["protect", "plan.yaml", "--out", out, "--overwrite"])
    finally:
        os.chdir(before)
    judge(outcome, "protect after a kill")
    if outcome.code:
        raise Fault("protect: a run after a killed one fails", outcome.err)


def repeat(
    task: Task,
    part: str,
    times: int,
    attempt: Callable[[int, Path], str],
    records: int = RECORDS,
) -> Batch:
    """Make attempts, each in a fresh folder; count what they return, and keep what they find."""
    done = Batch()
    case = task.folder / "case"
    for number in range(times):
        prepare(case, records)
        try:
            done.counts[attempt(number, case)] += 1
        except Fault as fault:
            done.counts["faults"] += 1
            if fault.kind not in task.known | {kept.kind for kept in done.faults}:
                how = f"python -m bench.campaign --only {part} --seed {task.seed}"
                done.faults.append(keep(fault, task.root, _copying(case), how))
    return done


def _copying(case: Path) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        shutil.copytree(case, folder / "case", symlinks=True)

    return write
