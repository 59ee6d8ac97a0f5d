"""The part of killed releases: afterwards there is the old one or the complete new one."""

from __future__ import annotations

import random
from pathlib import Path

from bench.campaign.checking import PRIVATE, check_directory
from bench.campaign.faults import Fault
from bench.campaign.parts import Batch, Task
from bench.campaign.processes import (
    kill_after,
    refuse_readable,
    refuse_survivors,
    start_cold,
    start_warm,
)
from bench.campaign.site import HIDDEN, contents, prepare, release_to, repeat
from bench.campaign.spans import Spans

KILLS = 40
COLD_SECONDS, WARM_SECONDS = 5.0, 0.3
COLD = 4
"""One kill in this many hits a process that was started as a user would start it."""


def batch(task: Task) -> Batch:
    """Kill releases at random moments, a quarter of them as early as the start of the program."""
    draw = random.Random(task.seed)
    spans = {True: Spans(COLD_SECONDS), False: Spans(WARM_SECONDS)}

    def attempt(number: int, case: Path) -> str:
        cold = number % COLD == 1
        killed = kill_once(case, draw, spans[cold], cold)
        return "killed protect" if killed else "protect ended before its kill"

    # What is loaded and compiled before the first fork need not be in each process.
    prepare(task.folder / "case")
    release_to(task.folder / "case", "release")
    return repeat(task, "protect_kills", task.several(KILLS), attempt)


def kill_once(folder: Path, draw: random.Random, spans: Spans, cold: bool) -> bool:
    """Kill one release, check what is left, and release again; return whether it was killed."""
    out = folder / "release"
    before: dict[str, bytes] = {}
    if draw.random() < 0.5:
        release_to(folder, "release")
        before = contents(out)
    arguments = ["protect", "plan.yaml", "--out", "release", "--overwrite"]
    child = (start_cold if cold else start_warm)(arguments, folder)
    seconds = spans.draw(draw)
    code = kill_after(child, seconds)
    spans.learn(seconds, code is not None)
    if code not in (None, 0):
        raise Fault(f"protect in the background: exit code {code}", (folder / "said").read_text())
    refuse_survivors(child, folder, "protect")
    after = contents(out)
    if after != before:
        check_directory(out)
    public = {f"release/{name}" for name in after if name not in PRIVATE}
    # The old release, put aside for the new one, is as public as it was.
    for aside in folder.glob(f"{HIDDEN}*"):
        kept = contents(aside)
        public |= {f"{aside.name}/{name}" for name in kept if kept[name] == before.get(name)}
    refuse_readable(folder, {"data.csv", "plan.yaml", "said", *public}, "protect")
    release_to(folder, "release")
    check_directory(out)
    left = [path.name for path in folder.iterdir() if path.name.startswith(HIDDEN)]
    if left:
        raise Fault("protect: a killed run's files stay after the next run", ", ".join(left))
    return code is None
