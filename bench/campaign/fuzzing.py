"""The part of mutated inputs: whatever goes in, one sentence or a release comes out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from bench.campaign.command import judge, run
from bench.campaign.edits import Edit, edits, mutate
from bench.campaign.faults import Fault
from bench.campaign.hunting import hunt
from bench.campaign.inputs import TOWNS, Input, all_inputs
from bench.campaign.parts import Batch, Task
from bench.campaign.sparing import read_once

SECONDS = 20.0
EXAMPLES = 20
MOST_AT_ONCE = 14
"""Mutated inputs in one example of Hypothesis: six on average; with one, its own work would be a
third of the time. A fault is shrunk to a single input."""


def batch(task: Task) -> Batch:
    """Mutate one input of every kind, again and again."""
    with read_once():
        return _mutated(task)


def _mutated(task: Task) -> Batch:
    done = Batch()
    inputs = all_inputs(task.folder / "sound")
    for number, given in enumerate(inputs):
        kept = hunt(
            st.lists(edits(given.words), min_size=1, max_size=MOST_AT_ONCE),
            _attempt(given, task.folder / "case", done),
            seed=task.seed + number,
            examples=task.several(EXAMPLES),
            known=set(task.known) | {fault.kind for fault in done.faults},
            root=task.root,
            write=_writing(given),
            how=f"discreet {' '.join(given.command)}",
        )
        if kept is not None:
            done.faults.append(kept)
    return done


def _attempt(given: Input, case: Path, done: Batch) -> Callable[[list[list[Edit]], bool], None]:
    def attempt(several: list[list[Edit]], counts: bool) -> None:
        for changes in several:
            try:
                outcome = try_input(given, changes, case)
            except Fault:
                done.counts["faults"] += counts
                raise
            if counts:
                done.counts["fuzzed"] += 1
                done.counts[f"fuzzed: {outcome}"] += 1
                done.counts[f"fuzzed as {given.kind}"] += 1

    return attempt


def _writing(given: Input) -> Callable[[list[list[Edit]], Path], None]:
    def write(several: list[list[Edit]], folder: Path) -> None:
        put(given, several[-1], folder)

    return write


def put(given: Input, changes: list[Edit], folder: Path) -> bytes:
    """Write the mutated input and the files beside it; return its content."""
    folder.mkdir(parents=True, exist_ok=True)
    content = mutate(given.content, changes)
    for name, other in ((given.name, content), *given.beside):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(other)
    return content


def try_input(given: Input, changes: list[Edit], case: Path) -> str:
    """Run the command on a mutated input; return "accepted" or "refused", or raise a fault."""
    shutil.rmtree(case, ignore_errors=True)
    content = put(given, changes, case)
    before = Path.cwd()
    os.chdir(case)
    try:
        outcome = run(given.command, SECONDS)
    finally:
        os.chdir(before)
    judge(outcome, given.kind.partition(" with ")[0])
    if outcome.code not in (1, 2):
        return "accepted"
    refuse_quoted_towns(outcome.message, content, given.kind)
    return "refused"


def refuse_quoted_towns(message: str, content: bytes, kind: str) -> None:
    """Raise a fault if a value of a record is quoted.

    A plan, a hierarchy or a matrix is written by the user, whose own words may be quoted; so may a
    header, which a mutation may have made from a record.
    """
    written_by_user = kind.startswith(("plan", "hierarchy", "matrix"))
    header = content.replace(b"\r", b"\n").lstrip(b"\n").partition(b"\n")[0]
    for town in TOWNS:
        if town in message and town.encode() not in (content if written_by_user else header):
            raise Fault(f"{kind}: a message quotes a value of a record", message)
