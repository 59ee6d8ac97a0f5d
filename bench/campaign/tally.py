"""What was tried: counts that add up over parts and processes, and how they are reported."""

from __future__ import annotations

from collections import Counter

EACH_METHOD = 20
TARGETS = {
    "released": 10_000,
    "killed protect": 200,
    "killed explore": 200,
    "fuzzed": 100_000,
    "storms": 60,
    "learned attacks": 100,
}
"""How much a complete campaign does, with each method released at least `EACH_METHOD` times."""


def progress(counts: Counter[str], target: str) -> float:
    """Return how much of a target is reached."""
    return counts[target] / TARGETS[target]


def missing(counts: Counter[str], methods: list[str]) -> list[str]:
    """Return the methods that did not succeed often enough."""
    return [name for name in methods if counts[f"released by {name}"] < EACH_METHOD]


def table(counts: Counter[str], methods: list[str], wall: float, machine: float) -> str:
    """Return the counts as lines for a person."""
    tables = f"{counts['unwritable']:,} tables that no file can hold"
    refused = f"{counts['refused']:,} refused in a sentence"
    taken = f"{counts['fuzzed: accepted']:,} accepted"
    others = f"{counts['fuzzed: refused']:,} refused in a sentence"
    lines = [
        f"{counts['released']:>8,} releases checked, {refused}, {tables}",
        f"{counts['killed protect']:>8,} kills of protect, {counts['killed explore']:,} of explore",
        f"{counts['storms']:>8,} full disks, read-only places and races",
        f"{counts['learned attacks']:>8,} releases attacked by simple intruders who learn",
        f"{counts['fuzzed']:>8,} mutated inputs: {taken}, {others}",
    ]
    kinds = sorted(name for name in counts if name.startswith("fuzzed as "))
    lines += [f"{counts[name]:>12,} {name.removeprefix('fuzzed as ')}" for name in kinds]
    lines.append("releases by method:")
    for name in methods:
        tried = counts[f"tried {name}"]
        lines.append(f"{counts[f'released by {name}']:>12,} of {tried:,} {name}")
    lines.append(
        f"{counts['faults']:>8,} cases with a fault; {wall / 60:.1f} minutes, of which the machine "
        f"computed {machine / 60:.1f}"
    )
    return "\n".join(lines)
