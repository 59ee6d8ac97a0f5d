"""Every choice of two, three or four key attributes: what the best of all loses.

    python -m bench papers.ama_subsets [RECORDS]

MDAV is run on each subset of the attributes and its loss taken over all of them, so that "AMA loses
a little more than MA" can be judged whatever the key attributes are.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from discreet.contracts import Context
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microdata import Microdata
from discreet.microdata.embedding import Embedding
from discreet.models.dependency import dependency_tree

KS = (5, 20)
SIZES = (2, 3, 4)
PRINTED, NORMALISED = "key attributes, as printed", "key attributes, normalised measure"


@dataclass(frozen=True)
class Loss:
    """What one choice of attributes loses over all of them, in percent, by k."""

    words: str
    chosen: tuple[str, ...]
    losses: tuple[float, ...]


def losses_of(data: Microdata, columns: Sequence[str], chosen: Sequence[str]) -> tuple[float, ...]:
    """Return SSE/SST over all columns of MDAV on some of them, in percent, for each k."""
    points = Embedding.fit(data, columns).points(data)
    return tuple(
        100 * sse_share(points, MDAV(k=k).groups(data, chosen, Context()).labels) for k in KS
    )


def searched(data: Microdata, columns: Sequence[str]) -> list[Loss]:
    """Return MDAV on all attributes, both choices by dependency, and the best of each size."""
    found = [Loss("all attributes (MA)", tuple(columns), losses_of(data, columns, columns))]
    for words, normalised in ((PRINTED, False), (NORMALISED, True)):
        key = dependency_tree(data, columns, normalised).key
        found.append(Loss(words, key, losses_of(data, columns, key)))
    for size in SIZES:
        tried = {one: losses_of(data, columns, one) for one in combinations(columns, size)}
        for i, k in enumerate(KS):
            best = min(tried, key=lambda one, i=i: tried[one][i])  # type: ignore[misc]
            words = f"the best of all {len(tried)} choices of {size}, k = {k}"
            found.append(Loss(words, best, tried[best]))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    from bench.data import reference_data
    from bench.papers.ama import ATTRIBUTES, census

    parser = argparse.ArgumentParser(prog="ama_subsets", description="all choices of attributes")
    parser.add_argument("records", nargs="?", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="1,000 records")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    records = 1_000 if given.quick else given.records
    data = census(folder).take(np.arange(records))
    heads = "".join(f"{f'k = {k}':>9}" for k in KS)
    print(f"SSE/SST over {len(ATTRIBUTES)} attributes, {records:,} persons\n{'':48}{heads}")
    for one in searched(data, ATTRIBUTES):
        figures = "".join(f"{loss:8.1f}%" for loss in one.losses)
        print(f"{one.words:48}{figures}  {', '.join(one.chosen)}", flush=True)


if __name__ == "__main__":
    main()
