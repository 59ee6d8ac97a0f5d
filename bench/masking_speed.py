"""PRAM, noise, rank swapping and similar methods on a million records: seconds of CPU time.

    python -m bench masking_speed [--quick]

Each should take about a second. The figure of sdcMicro for PRAM (40 CPU seconds for 1,000,000 × 6)
was measured with the R package and is quoted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

import discreet
from discreet.contracts import Context, Method, Randomness
from discreet.microdata import Microdata

COLUMNS = 6
QUOTED = {"pram": 40.0}
METHODS: dict[str, tuple[Method, ...]] = {
    "continuous": (
        discreet.AdditiveNoise(),
        discreet.AdditiveNoise(variant="linear"),
        discreet.MomentPreservingNoise(exact=True),
        discreet.NonlinearNoise(),
        discreet.RankSwapping(),
        discreet.Resampling(),
        discreet.Rounding(),
        discreet.RandomRounding(),
    ),
    "nominal": (discreet.PRAM(), discreet.RankSwapping(), discreet.DataSwapping()),
}


def made(kind: str, rows: int) -> Microdata:
    """Six columns: normal numbers, or categories with 10 to 100 values."""
    rng = np.random.default_rng(1)
    names = [f"x{j}" for j in range(COLUMNS)]
    columns = {
        name: rng.normal(100, 15, rows)
        if kind == "continuous"
        else np.array([f"v{i}" for i in range(10 + 18 * j)])[rng.integers(0, 10 + 18 * j, rows)]
        for j, name in enumerate(names)
    }
    return discreet.read(columns, dict.fromkeys(names, "quasi-identifier"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records")
    rows = 100_000 if parser.parse_args(arguments).quick else 1_000_000
    print(f"{rows:,} × {COLUMNS}{'method':>31} {'CPU s':>8}   sdcMicro, quoted for 1,000,000")
    for kind, methods in METHODS.items():
        data = made(kind, rows)
        for method in methods:
            small = data.take(np.arange(1000))
            method.protect(small, Context(Randomness(1)))  # compile
            started = time.process_time()
            method.protect(data, Context(Randomness(1)))
            seconds = time.process_time() - started
            quoted = QUOTED.get(method.spec.name)
            beside = f"{quoted:.1f} s" if quoted else "–"
            variant = getattr(method, "variant", "exact" if getattr(method, "exact", 0) else "")
            name = f"{method.spec.name} {variant}".strip()
            print(f"{kind:<12} {name:>36} {seconds:8.2f}   {beside}")


if __name__ == "__main__":
    main()
