"""Rank swapping: 100,000 × 9 with a 5 % window, and how the time grows with the records.

    python -m bench rank_swapping [--quick]

sdcMicro takes 2.6 CPU seconds for 100,000 × 9 and grows quadratically; that figure was measured
with the R package and is quoted. Ours must be at most a tenth, and 10 million values take seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

import discreet
from discreet.contracts import Context, Randomness
from discreet.methods.perturbative.rank_swapping import is_rank_swap
from discreet.microdata import Microdata

QUOTED = 2.6
"""CPU seconds of sdcMicro's rankSwap for 100,000 × 9, window 5 %."""
WINDOW = 5.0


def made(rows: int, columns: int) -> Microdata:
    rng = np.random.default_rng(1)
    names = [f"x{j}" for j in range(columns)]
    return discreet.read(
        {name: rng.lognormal(8, 1, rows) for name in names},
        dict.fromkeys(names, "quasi-identifier"),
    )


def seconds(data: Microdata) -> float:
    """The least CPU time of three runs; the outcome is checked."""
    method = discreet.RankSwapping(p=WINDOW)
    best = np.inf
    for _ in range(3):
        started = time.process_time()
        masked = method.protect(data, Context(Randomness(1))).data
        best = min(best, time.process_time() - started)
    if not is_rank_swap(data["x0"].tolist(), masked["x0"].tolist(), WINDOW):
        raise SystemExit("the outcome is not a rank swap")
    return float(best)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="up to a million values")
    quick = parser.parse_args(arguments).quick
    seconds(made(1000, 1))  # compile
    spent = seconds(made(100_000, 9))
    print(
        f"100,000 × 9, window 5 %: {spent:.3f} CPU s; sdcMicro {QUOTED} CPU s (quoted), ",
        end="",
    )
    print(f"ratio {QUOTED / spent:.1f}")
    if spent > QUOTED / 10:
        raise SystemExit("ours must be at most a tenth of that")
    print("one column")
    for rows in (10_000, 100_000, 1_000_000, *(() if quick else (10_000_000,))):
        taken = seconds(made(rows, 1))
        print(f"{rows:>12,} values {taken:8.3f} CPU s   {1e9 * taken / rows:6.0f} ns a value")


if __name__ == "__main__":
    main()
