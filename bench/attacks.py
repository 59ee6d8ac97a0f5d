"""Every attack of the registry on files for which the truth is known, and how long each takes.

    python -m bench attacks [--seeds N] [--quick]     # independent files, unprotected files
    python -m bench attacks --records 100000          # CPU seconds of each on this many x 10

Measures of linkage are tried like attacks; strongest linkage is the best of several of these.

On independent files the release has nothing to do with the people asked about: no attack may beat a
blind guess by more than chance. On unprotected files the release is the original, and each attack
should find nearly everybody.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import discreet
from discreet.contracts import (
    Attack,
    Context,
    Groups,
    Imitated,
    Measure,
    MeasureSpec,
    Outcome,
    Pairing,
    Randomness,
    Target,
    Way,
)
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError, NotApplicable
from discreet.measures.by_attack import ByAttack
from discreet.measures.linkage.choice_of_way import crossed
from discreet.microdata import Microdata
from discreet.release.imitation import imitation

RECORDS, SEEDS = 150, 50
NUMBERS, SECRETS, TOWNS = 8, ("ill", "pay"), 3
IN_THE_RELEASES = {
    "release-differences": "asks about those who joined or left, whose values are in the releases"
}
"""Attacks on nobody outside the releases: a class that contains somebody reveals something about
that person, however the class is related to other columns."""


def people(records: int, draw: np.random.Generator) -> Microdata:
    """Return a table of independent columns: numbers that are known, a town, and two secrets."""
    columns = {f"x{n}": draw.normal(size=records) for n in range(NUMBERS)}
    roles = dict.fromkeys(columns, "quasi-identifier") | dict.fromkeys(SECRETS, "confidential")
    secrets = {"ill": draw.choice(list("abcd"), records), "pay": draw.lognormal(size=records)}
    town = {"town": [f"t{t}" for t in draw.integers(0, TOWNS, records)]}
    return discreet.read({**columns, **town, **secrets}, roles=roles)


def independent(records: int, seed: int) -> Target:
    """Return people, and a release and an earlier one that are unrelated to them."""
    draw = np.random.default_rng(seed)
    original, released, other, earlier, control = (people(records, draw) for _ in range(5))
    origin = draw.permutation(records)
    names = frozenset(name for name in original.schema.names if name not in SECRETS)
    groups = Groups(np.arange(records) // 5, 5, drawn=True, drawn_columns=names)
    imitated = Imitated(other, np.arange(records), groups)
    pairing = Pairing(origin, groups, imitate=lambda _: imitated)
    return Target(original, _with_gaps(released, draw), pairing, control, (earlier,))


def unprotected(records: int, seed: int) -> Target:
    """Return people whose records are released unchanged, and others who were held back."""
    draw = np.random.default_rng(seed)
    original, control = people(records, draw), people(records, draw)
    rows = np.arange(records)
    pairing = Pairing(rows, imitate=lambda _: Imitated(original, rows))
    return Target(original, original, pairing, control, (original,))


def _with_gaps(data: Microdata, draw: np.random.Generator) -> Microdata:
    """Return a table in which one number in ten is suppressed in one column."""
    column = data.column("x0")
    values = column.values.copy()
    values[draw.permutation(len(data))[: len(data) // 10]] = np.nan
    return data.replace([column.with_values(values)])


@dataclass(frozen=True)
class Tried:
    """An attack over several files: its mean success, what it achieves without the release, chance.

    `gain` is the largest mean, among the columns that it guesses, by which a column is guessed more
    often than without the release, and `error` is the standard error of that mean. `beyond` counts
    the files in which the interval lies above the blind guess, on average over the files, and above
    what people held back give in the same file.
    """

    name: str
    success: float
    without: float
    gain: float
    error: float
    beyond: int
    files: int

    @property
    def above(self) -> bool:
        """Whether it succeeds more often than chance allows.

        Both intervals hold at 95 % for all attacks of the registry together: that of the mean gain,
        and how many files in forty may lie above their own interval.
        """
        from scipy.stats import binom, t

        tail = 0.025 / len(entries("attack"))
        most = t.ppf(1 - tail, self.files - 1) * self.error
        return self.gain > most or self.beyond > binom.ppf(1 - tail, self.files, 0.025)


@dataclass(frozen=True)
class ByMeasure:
    """A measure of linkage, tried like an attack."""

    measure: Measure

    @property
    def spec(self) -> MeasureSpec:
        """The specification of the measure."""
        return self.measure.spec

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of records that the measure finds linked."""
        score = self.measure.score(target.original, target.released, context, target.pairing)
        blind = score.detail["expected by chance"] if score.blind is None else score.blind
        return Outcome(
            score.value,
            blind,
            interval=score.interval if score.per_record is None else None,
            per_record=score.per_record,
            note=score.note,
        )


def attacks() -> Iterator[Attack | ByMeasure]:
    """Yield the measures of linkage and every attack of the registry with its defaults."""
    for entry in entries("measure"):
        measure = entry()
        assert isinstance(measure, Measure)
        if "link" in entry.spec.name and not isinstance(measure, ByAttack):
            yield ByMeasure(measure)
    for entry in entries("attack"):
        attack = entry(columns=["town"]) if entry.spec.name in IN_THE_RELEASES else entry()
        assert isinstance(attack, Attack)
        yield attack


def tried(attack: Attack | ByMeasure, targets: Sequence[Target]) -> Tried | str:
    """Return how well an attack does against targets, or why it cannot be tried."""
    outcomes: list[Outcome] = []
    for seed, target in enumerate(targets):
        try:
            outcomes.append(attack.attempt(target, Context(Randomness(seed))))
        except (NotApplicable, DiscreetError) as reason:
            return str(reason)
    gains = _gains(outcomes)
    means = gains.mean(axis=0)
    worst = int(means.argmax())
    blind, control = (
        float(np.mean([getattr(outcome, word) or 0.0 for outcome in outcomes]))
        for word in ("blind", "control")
    )
    return Tried(
        attack.spec.name,
        float(np.mean([outcome.success for outcome in outcomes])),
        max(blind, control),
        float(means[worst]),
        float(gains[:, worst].std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0,
        sum(_interval(outcome)[0] > blind and _more_than_control(outcome) for outcome in outcomes),
        len(outcomes),
    )


def _gains(outcomes: Sequence[Outcome]) -> NDArray[np.float64]:
    """Return how much better each file is guessed than without the release, column by column.

    Which column is revealed most is a different question, which the interval answers.
    """
    rows = []
    for outcome in outcomes:
        columns = outcome.detail.get("columns", {})
        if not columns or outcome.moot:
            rows.append([outcome.success - outcome.without])
        elif "success" in next(iter(columns.values())):
            rows.append(
                [c["success"] - max(c["blind"], c.get("control") or 0.0) for c in columns.values()]
            )
        else:
            rows.append([c["share of error removed"] for c in columns.values()])
    return np.array(rows)


def _interval(outcome: Outcome) -> tuple[float, float]:
    """Return the interval; for a file that was tried as a whole, that of its records."""
    if outcome.interval is None and outcome.per_record is not None:
        return crossed([Way(outcome.per_record)]).interval
    return outcome.interval or (outcome.success, outcome.success)


def _more_than_control(outcome: Outcome) -> bool:
    """Return whether success and control differ, by the interval of Newcombe (1998, method 10)."""
    if outcome.control is None or outcome.control_interval is None:
        return True
    low, high = _interval(outcome)[0], outcome.control_interval[1]
    apart = np.hypot(outcome.success - low, high - outcome.control)
    return bool(outcome.success - outcome.control > apart)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="files of each kind")
    parser.add_argument("--quick", action="store_true", help="five files of each kind")
    parser.add_argument("--attack", action="append", help="this attack only (repeatable)")
    parser.add_argument("--records", type=int, help="how long each takes with so many records")
    options = parser.parse_args(arguments)
    chosen = [a for a in attacks() if a.spec.name in (options.attack or [a.spec.name])]
    if options.records:
        _times(options.records, chosen)
        return
    seeds = range(5 if options.quick else options.seeds)
    print(f"{'attack':24s}{'independent':>12s}{'without':>9s}{'gain':>8s}{'error':>8s}"
          f"{'beyond':>8s}{'unprotected':>13s}")  # fmt: skip
    for attack in chosen:
        name = attack.spec.name
        free = tried(attack, [independent(RECORDS, seed) for seed in seeds])
        bare = tried(attack, [unprotected(RECORDS, seed) for seed in seeds[:5]])
        unprotected_share = f"{bare.success:12.1%}" if isinstance(bare, Tried) else f"  {bare[:40]}"
        if isinstance(free, str):
            print(f"{name:24s}  {free[:60]}{unprotected_share}", flush=True)
            continue
        verdict = f" {IN_THE_RELEASES.get(name, 'ABOVE' if free.above else '')}"
        print(
            f"{name:24s}{free.success:11.2%}{free.without:9.2%}{free.gain:8.2%}{free.error:8.2%}"
            f"{free.beyond:5d}/{free.files}{unprotected_share}{verdict}",
            flush=True,
        )


def _times(records: int, chosen: Sequence[Attack | ByMeasure]) -> None:
    """Print CPU seconds on a file of ten columns with noise of a tenth of the variance.

    Attacks on recoded or suppressed files, and on releases of other people, get what they need:
    a recoding with l, one cell in ten suppressed, an earlier release of nine people in ten.
    """
    draw = np.random.default_rng(1)
    original, control = people(records, draw), people(records // 10, draw)
    names = [f"x{n}" for n in range(NUMBERS)]
    noise = discreet.AdditiveNoise(alpha=0.1, columns=names)
    released = noise.protect(original, Context(Randomness(1))).data
    imitate = imitation(original, [noise])
    pairing = Pairing(np.arange(records), imitate=imitate, steps=(noise,))
    target = Target(original, released, pairing, control, (released,))
    targets = {
        "minimality": lambda: _recoded(records, draw),
        "release-differences": lambda: replace(
            target, earlier=(released.take(np.arange(0, records * 9 // 10)),)
        ),
        "suppressed-cells": lambda: replace(target, released=_with_gaps(released, draw)),
    }
    print(f"{records:,} records, {len(original.schema)} columns")
    for attack in chosen:
        asked = targets.get(attack.spec.name, lambda: target)()
        started = time.process_time()
        try:
            outcome = attack.attempt(asked, Context(Randomness(1)))
            ends = outcome.interval or (outcome.success, outcome.success)
            result = f"{outcome.success:8.2%} ({ends[0]:.2%} to {ends[1]:.2%}) {outcome.note[:60]}"
        except (NotApplicable, DiscreetError) as reason:
            result = str(reason)[:80]
        print(f"{attack.spec.name:24s}{time.process_time() - started:8.1f} s  {result}", flush=True)


def _recoded(records: int, draw: np.random.Generator) -> Target:
    """Return people of a few kinds, recoded so that every class has all six illnesses."""
    table = {"ill": draw.choice(6, records, p=[0.4, 0.3, 0.2, 0.08, 0.019, 0.001]).astype(str)}
    table |= {f"kind {n}": draw.integers(0, 4, records).astype(str) for n in range(5)}
    roles = dict.fromkeys(table, "quasi-identifier") | {"ill": "confidential"}
    data = discreet.read(table, roles=roles)
    recoding = discreet.GlobalRecoding(k=5, l=6)
    return discreet.protect(data, recoding, seed=1, allow=None).target


if __name__ == "__main__":
    main()
