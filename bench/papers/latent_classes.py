"""Local synthesis of THYROID: how much of on_thyroxine and FTI latent classes preserve.

    python -m bench papers.latent_classes [--quick]

The correlation of the category with the number, before and after, with the number of classes that
BIC chooses and with given ones; one line for each, a figure for each seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from bench.data import reference_data
from bench.papers.thyroid import CATEGORICAL, CONTINUOUS, by, thyroid
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.microdata import Microdata

CATEGORY, NUMBER = "on_thyroxine", "FTI"
SEEDS = 3


def correlation(data: Microdata) -> float:
    """Return that of the number with the category, which has two values.

    >>> import discreet
    >>> data = discreet.read({"FTI": [1.0, 2.0, 3.0], "on_thyroxine": ["f", "t", "t"]})
    >>> round(correlation(data), 3)
    0.866
    """
    return float(np.corrcoef(data[NUMBER], data[CATEGORY])[0, 1])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="latent_classes", description="what classes keep")
    parser.add_argument("--quick", action="store_true", help="one seed")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    data = thyroid(folder, CONTINUOUS + CATEGORICAL)
    print(f"correlation of {CATEGORY} with {NUMBER}\n{'the file':24}{correlation(data):8.3f}")
    for classes in (None, 2, 4, 6):
        method = LocalSynthesis(k=60, families="VVV", clusters=6, classes=classes)
        release = by(method, data)
        correlations = [
            correlation(release(seed)[0]) for seed in range(1 if given.quick else SEEDS)
        ]
        words = "classes by BIC" if classes is None else f"{classes} classes"
        print(f"{words:24}" + "".join(f"{value:8.3f}" for value in correlations), flush=True)


if __name__ == "__main__":
    main()
