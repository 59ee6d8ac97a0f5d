"""The cost of every entry of the registry: time and memory measured over growing files.

Each entry runs with the parameters of its example on generated data, on ever larger files until a
run takes about a second. The slope of log time over log n is the exponent of n, likewise of c, the
number of columns, at one n. The table also has the bytes of memory for each record, beyond the data
themselves, and the cost that the entry states. A line is marked if time grows faster than stated:
by more than 0.35 in the exponent of n, or by more than 0.7 in that of c.

Time is that of the processor, so that other work on the machine counts little. An
exponent is good to about 0.1, worse where caches fill up on the way.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from discreet.contracts import ALL_KINDS, Component, Context, Groups, Pairing, Randomness
from discreet.contracts.registry import entries
from discreet.contracts.threads import one_thread
from discreet.errors import DiscreetError, NotApplicable, nearest
from discreet.microdata import Attribute, Column, Kind, Microdata, Role

SMALLEST, LARGEST = 250, 1_024_000
MEASURABLE = 0.004
"""Shorter times are mostly those of calls rather than records."""
COLUMNS = 4
GROUP = 5
TOO_FAST = {"n": 0.35, "c": 0.7}
SUPERSCRIPTS = {"": 1.0, "²": 2.0, "³": 3.0, "⁴": 4.0}
LOG = 1.15
"""The exponent that n·log n shows at these sizes."""
UNSTATED = re.compile(r"few columns|p terms|each (pair|set|combination)")
"""What a cost says if the number of columns has no single exponent."""
NAMES = {Kind.CONTINUOUS: ("height", "income"), Kind.ORDINAL: ("grade",), Kind.NOMINAL: ("town",)}
CATEGORIES = 6


def table(kinds: Sequence[Kind], rows: int, columns: int = COLUMNS) -> Microdata:
    """Return generated records with this many quasi-identifiers, of the given kinds in turn.

    Numbers are correlated and drawn to six digits, so that few records are alike; half of the
    columns are numbers if both kinds are accepted.
    """
    rng = np.random.default_rng(20)
    common = rng.normal(0, 1, rows)
    order = [kind for kind in ALL_KINDS if kind in kinds for _ in NAMES[kind]]
    named = {kind: list(names) for kind, names in NAMES.items()}
    drawn = []
    for j in range(columns):
        kind = order[j % len(order)]
        name = named[kind].pop(0) if named[kind] else f"{kind}{j}"
        score = 0.5 * common + rng.normal(0, 1, rows)
        if kind is Kind.CONTINUOUS:
            attribute = Attribute(name, Role.QUASI_IDENTIFIER, kind)
            drawn.append(Column(attribute, (170 + 9 * score).round(6)))
        else:
            levels = tuple(f"{name}{i}" for i in range(CATEGORIES))
            attribute = Attribute(name, Role.QUASI_IDENTIFIER, kind, levels)
            codes = np.clip(np.rint(1.2 * score + 2.5), 0, CATEGORIES - 1)
            drawn.append(Column(attribute, codes.astype(np.int32)))
    ill = Attribute("diagnosis", Role.CONFIDENTIAL, Kind.NOMINAL, ("a", "b", "c"))
    home = Attribute("household", Role.HOUSEHOLD, Kind.CONTINUOUS)
    weight = Attribute("weight", Role.WEIGHT, Kind.CONTINUOUS)
    drawn.append(Column(ill, rng.integers(0, 3, rows).astype(np.int32)))
    drawn.append(Column(home, np.arange(rows) // 2.0))
    drawn.append(Column(weight, rng.uniform(1, 9, rows) + common - common.min()))
    return Microdata(drawn)


def example(entry: type[Component], data: Microdata) -> Any:
    """Return the example of an entry, its declarations about columns made for generated ones."""
    step: Any = entry.example()
    declared: dict[str, Any] = {}
    if "bounds" in step.values():
        declared["bounds"] = {column.name: [100, 240] for column in data}
    if "domains" in step.values():
        declared["domains"] = {column.name: _domain(column) for column in data}
    if entry.family == "analysis":
        explained = "town == town1" if entry.spec.name == "logistic" else "income"
        of = ("diagnosis",) if entry.spec.name == "table" else ("income",)
        about = {"formula": f"{explained} ~ height", "of": of}
        declared |= {name: about[name] for name in about.keys() & step.values().keys()}
    if isinstance(step.values().get("margins"), Mapping):
        declared["margins"] = {"diagnosis": {"a": 500, "b": 600, "c": 700}}
    return type(step)(**{**step.values(), **declared}) if declared else step


def _domain(column: Column) -> Any:
    if not column.attribute.continuous:
        return list(column.attribute.categories)
    return {"low": 0, "high": 300, "bins": 10}


def release(data: Microdata) -> Microdata:
    """Return the records with a little noise in their numbers, and some categories changed."""
    rng = np.random.default_rng(21)
    columns = []
    for name in data.quasi_identifiers:
        column = data.column(name)
        if column.attribute.continuous:
            step = 0.1 * column.values.std() * rng.normal(0, 1, len(data))
            columns.append(column.with_values(column.values + step))
        else:
            drawn = rng.integers(0, CATEGORIES, len(data))
            kept = rng.random(len(data)) < 0.9
            columns.append(column.with_values(np.where(kept, column.values, drawn)))
    return data.replace(columns)


def work(entry: type[Component], rows: int, columns: int) -> Callable[[], Any]:
    """Return the work to be timed: the entry applied to a file of that size."""
    # A replacement that takes only numbers makes a microaggregation that takes only numbers.
    data = table(entry.spec.kinds, rows, columns)
    step = example(entry, data)
    context = Context(Randomness(1))
    groups = Groups(np.arange(rows) // GROUP, least_size=GROUP)
    names = data.quasi_identifiers
    if entry.family == "method":
        return lambda: step.protect(data, context)
    if entry.family == "partition":
        return lambda: step.groups(data, names, context)
    if entry.family == "replacement":
        return lambda: step.replace(data, names, groups, context)
    if entry.family == "attack":
        return lambda: step.attack(data, context)
    if entry.family == "analysis":
        return lambda: step.figures(data)
    released = release(data)
    pairing = Pairing(np.arange(rows), groups)
    return lambda: step.score(data, released, context, pairing)


@dataclass(frozen=True)
class Run:
    """One size of the file, with the seconds of processor time and the bytes at the peak."""

    rows: int
    columns: int
    seconds: float
    peak: float


def run(entry: type[Component], rows: int, columns: int = COLUMNS) -> Run:
    """Run an entry, up to four times if it is quick, and take the shortest time."""
    job = work(entry, rows, columns)
    spent: list[float] = []
    while len(spent) < 4 and sum(spent[1:]) < 0.2:
        _forget_peak()
        before = _memory("VmRSS")
        started = time.process_time()
        job()
        spent.append(time.process_time() - started)
        peak = _memory("VmHWM") - before
    return Run(rows, columns, min(spent), peak)


def _forget_peak() -> None:
    """Return free memory to the system, and reset the peak to the present size (Linux only)."""
    reset = Path("/proc/self/clear_refs")
    if reset.exists():
        ctypes.CDLL(None).malloc_trim(0)
        reset.write_text("5", encoding="ascii")


def _memory(field: str) -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return math.nan
    size = re.search(rf"^{field}:\s*(\d+) kB", status.read_text(encoding="ascii"), re.MULTILINE)
    return 1024.0 * int(size[1]) if size else math.nan


def growing(entry: type[Component], limit: float) -> list[Run]:
    """Return runs at growing n, up to one that takes about this many seconds.

    Only runs that take several times as long as the smallest file, a fixed cost, count.
    """
    runs = [run(entry, SMALLEST)]
    while runs[-1].rows < LARGEST and (len(runs) < 3 or runs[-1].seconds < limit):
        runs.append(run(entry, runs[-1].rows * (4 if runs[-1].seconds < limit / 10 else 2)))
    long = [r for r in runs if r.seconds > max(MEASURABLE, 2 * runs[0].seconds)]
    return long if len(long) > 1 else runs[-2:]


def widening(entry: type[Component], rows: int, limit: float) -> list[Run]:
    """Return runs at growing c, at one n; some entries take exponentially longer with each."""
    runs = [run(entry, rows)]
    for columns in (COLUMNS + 2, 2 * COLUMNS, 3 * COLUMNS):
        before = runs[0].seconds if len(runs) < 2 else runs[-2].seconds
        if runs[-1].seconds < min(limit, 5 * before):
            runs.append(run(entry, rows, columns))
    return runs


def exponent(sizes: Sequence[float], amounts: Sequence[float]) -> float:
    """Return the slope of log amount over log size.

    >>> round(exponent([1, 2, 4], [3, 12, 48]), 9)
    2.0
    """
    kept = [(s, a) for s, a in zip(sizes, amounts, strict=True) if a > 0]
    if len(kept) < 2:
        return math.nan
    logs = np.log(np.array(kept))
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


def stated(text: str, letter: str, seen: tuple[str, ...] = ()) -> float:
    """Return the highest power of n or c in a stated cost, with a little for log n.

    For a cost that names other entries it is the highest of theirs.

    >>> stated("n·log n steps in few columns, n² comparisons at worst", "n")
    2.0
    >>> stated("n·c time", "c"), stated("n·log n time for each column", "n")
    (1.0, 1.15)
    """
    time_only = re.sub(r"memory [^;,]*", "", text)
    powers = re.findall(rf"(?<![\w′]){letter}([²³⁴]?)(?![a-zA-Z′_])", time_only)
    exponents = [SUPERSCRIPTS[power] for power in powers]
    if letter == "c" and UNSTATED.search(time_only):
        exponents.append(math.inf)
    if letter == "n" and "log n" in time_only:
        exponents.append(LOG)
    for entry in entries():
        name = entry.spec.name
        if name not in seen and re.search(rf"(?<![\w-]){name}(?![\w-])", time_only):
            exponents.append(stated(entry.spec.cost, letter, (*seen, name)))
    return max(exponents, default=1.0)


def line(entry: type[Component], limit: float) -> str:
    """Measure one entry and return its line."""
    spec = entry.spec
    try:
        runs = growing(entry, limit)
        wide = widening(entry, runs[-2].rows, limit)
    except (DiscreetError, NotApplicable) as reason:
        return f"{entry.family:<12}{spec.name:<28}not measured: {reason}"
    in_n = exponent([r.rows for r in runs], [r.seconds for r in runs])
    in_c = exponent([r.columns for r in wide], [r.seconds for r in wide])
    last = runs[-1]
    marks = [
        f"{letter}^{measured:.2f}, stated {stated(spec.cost, letter):g}"
        for letter, measured in (("n", in_n), ("c", in_c))
        if not spec.cost or measured > stated(spec.cost, letter) + TOO_FAST[letter]
    ]
    flag = f"  <-- {'; '.join(marks)}" if marks else ""
    held = exponent([r.rows for r in runs], [r.peak for r in runs])
    memory = (
        f"{last.peak / last.rows:6.0f} B (n^{held:.1f})" if last.peak > 2e6 else "    little    "
    )
    return (
        f"{entry.family:<12}{spec.name:<28}{last.rows:>9,}{last.seconds:>8.2f}   n^{in_n:<6.2f}"
        f"c^{in_c:<6.2f}{memory:<18}{spec.cost or 'NOTHING STATED'}{flag}"
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="the cost of every entry, measured and stated")
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries; all if none is named")
    parser.add_argument("--quick", action="store_true", help="shorter runs, less exact")
    given = parser.parse_args(arguments)
    known = {entry.spec.name for entry in entries()}
    for name in given.names:
        if name not in known:
            parser.error(f"there is no entry {name}{nearest(name, known)}")
    chosen = [e for e in entries() if not given.names or e.spec.name in given.names]
    print(
        f"{'family':<12}{'entry':<28}{'records':>9}{'CPU s':>8}   {'time':<16}"
        f"{'memory/record':<18}stated cost"
    )
    marked = 0
    with one_thread():
        for entry in chosen:
            text = line(entry, 0.2 if given.quick else 1.0)
            marked += "<--" in text
            print(text, flush=True)
    print(f"\n{marked} of {len(chosen)} cost more than they state")


if __name__ == "__main__":
    main()
