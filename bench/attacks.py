"""Every attack of the registry on files whose truth is known, and how long each takes.

    python -m bench attacks [--seeds N] [--quick]     # independent files, unprotected files
    python -m bench attacks --records 100000          # CPU seconds of each on so many x 10

On independent files the release has nothing to do with the people asked about: no attack may do
better than a blind guess, beyond chance. On unprotected files the release is the original, and each
should find nearly everybody.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import discreet
from discreet.contracts import (
    Attack,
    Context,
    Groups,
    Imitated,
    Outcome,
    Pairing,
    Randomness,
    Target,
)
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError, NotApplicable
from discreet.microdata import Microdata

RECORDS, SEEDS = 150, 50
NUMBERS, SECRETS = 8, ("ill", "pay")
JUDGED_ON_THE_RELEASE = {
    "minimality": "guesses the values of released records, each among those of its own class",
    "release-differences": "guesses the values of released records that others do not cancel",
    "regression-attack": "fits a tree to the release, and has its own figure for chance",
}
"""Attacks that are not tried on people apart from the release, and what they do instead."""


def people(records: int, draw: np.random.Generator) -> Microdata:
    """Return a table of independent columns: numbers that are known, and two secrets."""
    columns = {f"x{n}": draw.normal(size=records) for n in range(NUMBERS)}
    roles = dict.fromkeys(columns, "quasi-identifier") | dict.fromkeys(SECRETS, "confidential")
    secrets = {"ill": draw.choice(list("abcd"), records), "pay": draw.lognormal(size=records)}
    return discreet.read({**columns, **secrets}, roles=roles)


def independent(records: int, seed: int) -> Target:
    """Return people, and a release and an earlier one that have nothing to do with them."""
    draw = np.random.default_rng(seed)
    original, released, other, earlier, control = (people(records, draw) for _ in range(5))
    origin = draw.permutation(records)
    names = frozenset(name for name in original.schema.names if name not in SECRETS)
    groups = Groups(np.arange(records) // 5, 5, drawn=True, drawn_columns=names)
    imitated = Imitated(other, np.arange(records), groups)
    pairing = Pairing(origin, groups, imitate=lambda _: imitated)
    return Target(original, _with_gaps(released, draw), pairing, control, (earlier,))


def unprotected(records: int, seed: int) -> Target:
    """Return people whose records are released as they are, and others who were held back."""
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
    """An attack over several files: its mean success, what is had without the release, and chance.

    `beyond` counts the files in which the lower end of its interval is above what is had without,
    at the upper end of that where it is an estimate.
    """

    name: str
    success: float
    without: float
    error: float
    beyond: int
    files: int
    records: int

    @property
    def above(self) -> bool:
        """Whether it succeeds more often than chance allows: four standard errors and one record.

        Linkage reports the best of several ways to assign the same records, and the best of two
        that find one record now and then finds nearly two.
        """
        return self.success - self.without > 4 * self.error + 1 / self.records


def attacks() -> Iterator[Attack]:
    """Yield every attack of the registry as it is by default."""
    for entry in entries("attack"):
        attack = entry()
        assert isinstance(attack, Attack)
        yield attack


def tried(attack: Attack, targets: Sequence[Target]) -> Tried | str:
    """Return how an attack does against targets, or why it cannot be tried."""
    outcomes: list[Outcome] = []
    for seed, target in enumerate(targets):
        try:
            outcomes.append(attack.attempt(target, Context(Randomness(seed))))
        except (NotApplicable, DiscreetError) as reason:
            return str(reason)
    gains = np.array([outcome.success - outcome.without for outcome in outcomes])
    return Tried(
        attack.spec.name,
        float(np.mean([outcome.success for outcome in outcomes])),
        float(np.mean([outcome.without for outcome in outcomes])),
        float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0,
        sum(o.interval is not None and o.interval[0] > _most(o) for o in outcomes),
        len(outcomes),
        len(targets[0].released),
    )


def _most(outcome: Outcome) -> float:
    return max(outcome.without, *(outcome.control_interval or (0.0, 0.0)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="files of each kind")
    parser.add_argument("--quick", action="store_true", help="five files of each kind")
    parser.add_argument("--records", type=int, help="how long each takes with so many records")
    options = parser.parse_args(arguments)
    if options.records:
        _times(options.records)
        return
    seeds = range(5 if options.quick else options.seeds)
    print(f"{'attack':24s}{'independent':>12s}{'without':>9s}{'error':>8s}{'beyond':>8s}"
          f"{'unprotected':>13s}")  # fmt: skip
    for attack in attacks():
        name = attack.spec.name
        free = tried(attack, [independent(RECORDS, seed) for seed in seeds])
        bare = tried(attack, [unprotected(RECORDS, seed) for seed in seeds[:5]])
        found = f"{bare.success:12.1%}" if isinstance(bare, Tried) else f"  {bare[:40]}"
        if isinstance(free, str):
            print(f"{name:24s}  {free[:60]}{found}", flush=True)
            continue
        said = " " + JUDGED_ON_THE_RELEASE.get(name, "ABOVE" if free.above else "")
        print(
            f"{name:24s}{free.success:11.2%}{free.without:9.2%}{free.error:8.2%}"
            f"{free.beyond:5d}/{free.files}{found}{said}",
            flush=True,
        )


def _times(records: int) -> None:
    """Print CPU seconds on a file of ten columns with noise of a tenth of the variance."""
    draw = np.random.default_rng(1)
    original, control = people(records, draw), people(records // 10, draw)
    names = [f"x{n}" for n in range(NUMBERS)]
    noise = discreet.AdditiveNoise(alpha=0.1, columns=names)
    release = discreet.protect(original, noise, seed=1, allow=None)
    at = release.target
    target = Target(at.original, at.released, at.pairing, control, (at.released,))
    print(f"{records:,} records, {len(original.schema)} columns")
    for attack in attacks():
        started = time.process_time()
        try:
            outcome = attack.attempt(target, Context(Randomness(1)))
            ends = outcome.interval or (outcome.success, outcome.success)
            said = f"{outcome.success:8.2%} ({ends[0]:.2%} to {ends[1]:.2%}) {outcome.note[:60]}"
        except (NotApplicable, DiscreetError) as reason:
            said = str(reason)[:80]
        print(f"{attack.spec.name:24s}{time.process_time() - started:8.1f} s  {said}", flush=True)


if __name__ == "__main__":
    main()
