"""The part of bad weather: full disks, read-only folders, two runs at once."""

from __future__ import annotations

import os
import random
import re
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.campaign.checking import check_directory
from bench.campaign.command import Outcome, judge
from bench.campaign.explore_kills import ARGUMENTS as EXPLORE
from bench.campaign.explore_kills import refuse_half
from bench.campaign.faults import Fault
from bench.campaign.parts import Batch, Task
from bench.campaign.processes import start_warm, wait_for
from bench.campaign.site import HIDDEN, contents, prepare, release_to, repeat

STORMS = 4
NOBODY = 65534
SECONDS = 120.0
PROTECT = ["protect", "plan.yaml", "--out", "place/release"]


def batch(task: Task) -> Batch:
    """Try every kind of bad weather a few times."""
    draw = random.Random(task.seed)
    # A user other than root may not read the modules that are loaded on first use.
    prepare(task.folder / "warm")
    release_to(task.folder / "warm", "release")

    def attempt(number: int, case: Path) -> str:
        (case / "place").mkdir()
        WEATHER[number % len(WEATHER)](case, draw)
        return "storms"

    return repeat(task, "storms", task.several(STORMS) * len(WEATHER), attempt)


def full_disk(case: Path, draw: random.Random) -> None:
    """A file system with little space: no half-written file, and a message that says why."""
    kilobytes = int(2 ** draw.uniform(2, 8))
    with _mounted(case / "place", f"size={kilobytes}k") as mounted:
        if not mounted:
            return _short_files(case, draw)
        before = _old_release(case, draw)
        outcome = _outcome(case, [*PROTECT, "--overwrite"])
        if outcome.code and not re.search("disk is full|No space left", outcome.err):
            raise Fault("protect on a full disk: another reason is given", outcome.err)
        _whole(case / "place" / "release", before, outcome, "a full disk")
    return None


def full_disk_for_a_search(case: Path, draw: random.Random) -> None:
    """A search that runs out of space says so, and leaves no incomplete file."""
    kilobytes = int(2 ** draw.uniform(2, 7))
    with _mounted(case / "search", f"size={kilobytes}k") as mounted:
        if not mounted:
            return
        outcome = _outcome(case, EXPLORE)
        if outcome.code not in (0, 3) and "full" not in outcome.err:
            raise Fault("explore on a full disk: another reason is given", outcome.err)
        refuse_half(case / "search")


def _short_files(case: Path, draw: random.Random) -> None:
    """No file may grow beyond a limit of the system."""
    most = int(2 ** draw.uniform(8, 18))
    outcome = _outcome(
        case, PROTECT, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    )
    _whole(case / "place" / "release", {}, outcome, "files that may not grow")


def read_only(case: Path, draw: random.Random) -> None:
    """A folder without write permission, for a user other than root."""
    before = _old_release(case, draw)
    place = case / "place"
    for path in (case, *case.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    place.chmod(0o555)

    def nobody() -> None:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    try:
        outcome = _outcome(case, [*PROTECT, "--overwrite"], nobody)
    finally:
        place.chmod(0o755)
    if not outcome.code:
        raise Fault("protect into a read-only folder: it says it was written", outcome.out)
    after = contents(place / "release")
    if after != before:
        raise Fault("protect into a read-only folder: the old release is changed", "")


def races(case: Path, draw: random.Random) -> None:
    """Several runs into one directory at once: one release, and a sentence from all others."""
    over = ["--overwrite"] if draw.random() < 0.5 else []
    before = _old_release(case, draw) if over else {}
    runs = []
    for number in range(draw.choice([2, 2, 3])):
        folder = case / f"run-{number}"
        prepare(folder)
        (folder / "place").symlink_to(case / "place")
        runs.append((folder, start_warm([*PROTECT, *over], folder)))
    outcomes = [_ended(folder, wait_for(child, SECONDS)) for folder, child in runs]
    for outcome in outcomes:
        judge(outcome, "protect in a race")
    if not before and all(outcome.code for outcome in outcomes):
        raise Fault("protect in a race: nobody wins", outcomes[0].err)
    check_directory(case / "place" / "release")
    _nothing_hidden(case / "place", "a race")


def _old_release(case: Path, draw: random.Random) -> dict[str, bytes]:
    """Perhaps write a release that must survive; return its files."""
    if draw.random() < 0.5:
        return {}
    try:
        release_to(case, PROTECT[-1])
    except Fault:  # there was no space for it
        return {}
    return contents(case / "place" / "release")


def _outcome(case: Path, arguments: list[str], first: Callable[[], None] | None = None) -> Outcome:
    outcome = _ended(case, wait_for(start_warm(arguments, case, first), SECONDS))
    judge(outcome, f"{arguments[0]} in bad weather")
    return outcome


def _ended(folder: Path, code: int) -> Outcome:
    output = (folder / "said").read_text("utf-8", errors="replace")
    if "this should not have happened" in output:
        raise Fault("bad weather: an error that nobody foresaw", output)
    # A search reports its progress before it says why it stops.
    complaint = output[max(output.find("discreet: "), 0) :]
    return Outcome(code, "" if code else output, complaint if code else "")


def _whole(release: Path, before: dict[str, bytes], outcome: Outcome, weather: str) -> None:
    after = contents(release)
    if outcome.code == 0:
        check_directory(release)
    elif after != before:
        raise Fault(f"protect on {weather}: the old state is lost", ", ".join(after))
    _nothing_hidden(release.parent, weather)


def _nothing_hidden(place: Path, weather: str) -> None:
    left = [path.name for path in place.iterdir() if path.name.startswith(HIDDEN)]
    if left:
        raise Fault(f"protect on {weather}: something is left", ", ".join(left))


@contextmanager
def _mounted(place: Path, options: str) -> Iterator[bool]:
    """A small file system mounted in a folder; False if this user may not mount one."""
    place.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    try:
        yield done
    finally:
        if done:
            subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


WEATHER: tuple[Callable[[Path, random.Random], None], ...] = (
    full_disk,
    read_only,
    races,
    full_disk_for_a_search,
)
