"""The cost of a stream that cannot be run backwards: methods with ChaCha20 and with PCG64.

    python -m bench randomness [--quick]

Both run the same method on the same million records, in turns; only the source of the random
numbers differs. A method must take at most twice the CPU time that it took with PCG64.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

import discreet
from bench.masking_speed import made
from discreet.contracts import Context, Method, Randomness

MOST = 2.0
ROUNDS = 3
METHODS: dict[str, tuple[Method, ...]] = {
    "continuous": (
        discreet.AdditiveNoise(),
        discreet.MomentPreservingNoise(exact=True),
        discreet.RankSwapping(),
        discreet.RandomRounding(),
        discreet.Bootstrap(),
    ),
    "nominal": (discreet.PRAM(), discreet.RankSwapping(), discreet.DataSwapping()),
}


class Simulation(Randomness):
    """The same tree of names with a generator made for simulation, which can be run backwards."""

    def generator(self, *path: str | int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64DXSM(int.from_bytes(self._key(path))))


def seconds(method: Method, data: discreet.Microdata, randomness: Randomness) -> float:
    started = time.process_time()
    method.protect(data, Context(randomness))
    return time.process_time() - started


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records")
    rows = 100_000 if parser.parse_args(arguments).quick else 1_000_000
    print(f"{rows:,} × 6{'':>24}   ChaCha20      PCG64   times")
    worst = 0.0
    for kind, methods in METHODS.items():
        data = made(kind, rows)
        for method in methods:
            method.protect(data.take(np.arange(1000)), Context(Randomness(1)))  # compile
            best = [np.inf, np.inf]
            for _ in range(ROUNDS):
                for i, source in enumerate((Randomness(1), Simulation(1))):
                    best[i] = min(best[i], seconds(method, data, source))
            worst = max(worst, best[0] / best[1])
            times = f"{best[0]:8.3f} s {best[1]:8.3f} s {best[0] / best[1]:7.2f}"
            print(f"{kind:<12}{method.spec.name:<24} {times}")
    if worst > MOST:
        raise SystemExit(f"a method takes {worst:.2f} times as long, at most {MOST:g} is allowed")


if __name__ == "__main__":
    main()
