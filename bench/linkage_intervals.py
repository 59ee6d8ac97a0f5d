"""How well the links of a large file are estimated, on files that can also be linked as a whole.

    python -m bench linkage_intervals [--records N] [--files N] [--quick]

Each file is linked as a whole, one to many and one to one, which is the truth; and several times as
a larger file would be: from a sample, with eight neighbourhoods, as few as for a million records,
and with chances balanced by a fifth of the records. "below" and "above" are the shares of the
intervals that lie below and above the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import discreet
from discreet.contracts import Attack, Context, Method, Randomness, Target
from discreet.contracts.registry import build
from discreet.measures.linkage import attempt, balancing
from discreet.measures.linkage.attempt import BALANCED, MANY, SINGLE

RECORDS, FILES, TIMES, PLACES, PARTS = 2_500, 4, 10, 8, 5
MDAV = {"partition": {"mdav": {"k": 5}}}
CASES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("nearest-linkage", 4, {"additive-noise": {"alpha": 0.1}}),
    ("nearest-linkage", 4, {"additive-noise": {"alpha": 0.5}}),
    ("difference-linkage", 10, {"additive-noise": {"alpha": 0.5}}),
    ("difference-linkage", 10, {"additive-noise": {"alpha": 2.0}}),
    ("learned-linkage", 6, {"nonlinear-noise": {"alpha": 0.2}}),
    ("rank-window-linkage", 6, {"rank-swapping": {"p": 15}}),
    ("rank-window-linkage", 6, {"rank-swapping": {"p": 20}}),
    ("rank-window-linkage", 10, {"rank-swapping": {"p": 30}}),
    ("rank-window-linkage", 10, {"rank-swapping": {"p": 40}}),
    ("rank-window-linkage", 10, {"rank-swapping": {"p": 60}}),
    ("imitation-linkage", 4, {"microaggregation": MDAV}),
    ("group-linkage", 4, {"condensation": {"k": 5}}),
)
"""An attack, the number of independent columns, and the method on which it is tried."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=RECORDS, help="records of each file")
    parser.add_argument("--files", type=int, default=FILES, help="files of each kind")
    parser.add_argument("--quick", action="store_true", help="one file of each kind")
    options = parser.parse_args(arguments)
    attempt.NEIGHBOURHOODS = (PLACES, PLACES)
    balancing.SAMPLE = options.records // PARTS
    print(f"{'attack':24s}{'truth':>8s}{'mean':>8s}{'interval':>18s}{'below':>8s}{'above':>8s}")
    for name, columns, method in CASES:
        attack = build("attack", name)
        assert isinstance(attack, Attack)
        rows = [
            row
            for file in range(1 if options.quick else options.files)
            for row in estimates(attack, released(options.records, columns, method, file), file)
        ]
        truth, value, low, high = np.array(rows).T
        ends = f"{low.mean():.1%} to {high.mean():.1%}"
        print(
            f"{name:24s}{truth.mean():8.1%}{value.mean():8.1%}{ends:>18s}"
            f"{(high < truth).mean():8.0%}{(low > truth).mean():8.0%}  {columns} columns, {method}",
            flush=True,
        )


def released(records: int, columns: int, method: dict[str, object], file: int) -> Target:
    """Return a file of independent normal columns, as a method releases it."""
    draw = np.random.default_rng(file)
    table = {f"x{c}": draw.normal(size=records) for c in range(columns)}
    data = discreet.read(table, roles=dict.fromkeys(table, "quasi-identifier"))
    step = build("method", method)
    assert isinstance(step, Method)
    return discreet.protect(data, step, seed=file, allow=None).target


def estimates(attack: Attack, target: Target, file: int) -> list[tuple[float, float, float, float]]:
    """Return the truth, and the share and the ends of its interval in several estimates."""
    rows = []
    exact = attempt.EXACT
    try:
        attempt.EXACT = len(target.original)
        whole = attack.attempt(target, Context(Randomness(file))).detail
        truth = max(whole[way] for way in (MANY, SINGLE, BALANCED) if way in whole)
        attempt.EXACT = 0
        for time in range(TIMES):
            outcome = attack.attempt(target, Context(Randomness(1_000 * file + time)))
            assert outcome.interval is not None
            rows.append((truth, outcome.success, *outcome.interval))
    finally:
        attempt.EXACT = exact
    return rows


if __name__ == "__main__":
    main()
