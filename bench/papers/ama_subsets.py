"""Every choice of two, three or four key attributes: the loss of the best.

    python -m bench papers.ama_subsets [RECORDS]

MDAV is run on each subset of the attributes and its loss taken over all of them, so that "AMA loses
a little more than MA" can be judged whatever the key attributes are.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bench.data import reference_data
from bench.papers.ama_runs import ATTRIBUTES, LITTLE, NAMES, WAYS, K, census
from bench.papers.section import Finding, Pair, Quantity, Row, Section, Table, share, verdict_of
from discreet.contracts import Context
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microdata import Microdata
from discreet.microdata.embedding import Embedding
from discreet.models.dependency import dependency_tree

SEARCHED = 10_000
"""Records of the search over all choices of attributes."""
BLOCK = 10_000
"""Records in a block, for comparing blocks with fewer attributes."""
KS = (5, 20)
SIZES = (2, 3, 4)
PRINTED, NORMALISED = "key attributes, as printed", "key attributes, normalised measure"


@dataclass(frozen=True)
class Loss:
    """The loss of one choice of attributes over all of them, in percent, by k."""

    words: str
    chosen: tuple[str, ...]
    losses: tuple[float, ...]


def losses_of(data: Microdata, columns: Sequence[str], chosen: Sequence[str]) -> tuple[float, ...]:
    """Return SSE/SST over all columns, for MDAV on some of them, in percent, for each k."""
    points = Embedding.fit(data, columns).points(data)
    return tuple(
        100 * sse_share(points, MDAV(k=k).groups(data, chosen, Context()).labels) for k in KS
    )


def searched(data: Microdata, columns: Sequence[str]) -> list[Loss]:
    """Return MDAV on all attributes, both choices by dependency, and the best of each size."""
    losses = [Loss("all attributes (MA)", tuple(columns), losses_of(data, columns, columns))]
    for words, normalised in ((PRINTED, False), (NORMALISED, True)):
        key = dependency_tree(data, columns, normalised).key
        losses.append(Loss(words, key, losses_of(data, columns, key)))
    for size in SIZES:
        tried = {choice: losses_of(data, columns, choice) for choice in combinations(columns, size)}
        best: dict[tuple[str, ...], list[str]] = {}
        for i, k in enumerate(KS):
            choice = min(tried, key=lambda choice, i=i: tried[choice][i])  # type: ignore[misc]
            best.setdefault(choice, []).append(f"k = {k}")
        for choice, ks in best.items():
            words = f"the best of all {len(tried)} choices of {size}, {' and '.join(ks)}"
            losses.append(Loss(words, choice, tried[choice]))
    return losses


def whatever_the_key(persons: Microdata) -> Section:
    """Return the loss of the best choice of attributes, whatever the rule that chooses."""
    data = persons.take(np.arange(min(SEARCHED, len(persons))))
    losses = searched(data, ATTRIBUTES)
    whole, printed, normalised = losses[0].losses, losses[1], losses[2]
    best = [min(choice.losses[i] for choice in losses[3:]) for i in range(len(KS))]
    ratios = [loss / whole_loss for loss, whole_loss in zip(best, whole, strict=True)]
    possible = min(ratios) <= LITTLE
    blocks = in_blocks(persons)
    return Section(
        title="Figure 6: whatever the key attributes are",
        says=f"SSE/SST over all {len(ATTRIBUTES)} attributes, {len(data):,} records; every "
        "choice of two, three and four attributes was tried.",
        findings=(
            Finding(
                "Some choice of key attributes loses a little more than MA.",
                verdict_of(possible),
                "; ".join(
                    f"k = {k}: the best of all loses {loss:.1f} %, MA {whole_loss:.1f} %"
                    for k, loss, whole_loss in zip(KS, best, whole, strict=True)
                )
                + f" (up to {LITTLE} times counts as a little)",
            ),
        ),
        tables=(
            Table(
                "Loss over all attributes; the paper prints no figures",
                "attributes in the distance",
                tuple(share(f"k = {k}", decimals=1) for k in KS),
                tuple(
                    Row(
                        choice.words,
                        tuple(Pair(None, loss) for loss in choice.losses),
                        "" if choice is losses[0] else ", ".join(choice.chosen),
                    )
                    for choice in losses
                ),
            ),
            blocks,
        ),
        remarks=(
            faster_ways(blocks),
            *(() if possible else (projected(data, printed.chosen),)),
            (
                f"The key attributes by the printed measure have {values(data, printed)} "
                "values; by the measure divided by the joint entropy "
                f"{values(data, normalised)}."
            ),
        ),
    )


def in_blocks(data: Microdata) -> Table:
    """Return time and loss of the two ways, and of blocks, on all records."""
    points = Embedding.fit(data, ATTRIBUTES).points(data)
    ways = {NAMES[way]: MDAV(k=K, attributes=kept) for way, kept in WAYS.items()}
    ways[f"all attributes, in blocks of {BLOCK:,} records"] = MDAV(k=K, blocks=BLOCK)
    rows = []
    for words, partition in ways.items():
        started = time.process_time()
        groups = partition.groups(data, ATTRIBUTES, Context())
        spent = time.process_time() - started
        loss = 100 * sse_share(points, groups.labels)
        rows.append(Row(words, (Pair(None, spent), Pair(None, loss))))
    return Table(
        f"Fewer attributes, or blocks: {len(data):,} records, k = {K}",
        "",
        (Quantity("time", "s", decimals=3, compared=False), share("SSE/SST", decimals=1)),
        tuple(rows),
    )


def faster_ways(blocks: Table) -> str:
    """Return what fewer attributes and what blocks cost, and what they save."""
    whole, fewer, parts = ([pair.ours or 0.0 for pair in row.pairs] for row in blocks.rows)
    slower = parts[0] >= whole[0]
    return (
        f"Fewer attributes lose {fewer[1] - whole[1]:.1f} points more, blocks "
        f"{parts[1] - whole[1]:.1f}. "
        + (
            "At this size neither is needed, and blocks are the slower way; for files that MDAV on "
            "all attributes takes too long for, blocks are the way."
            if slower
            else "To save time, take blocks, not fewer attributes."
        )
    )


def projected(data: Microdata, key: Sequence[str]) -> str:
    """Return the loss of AMA within its key attributes alone."""
    points = Embedding.fit(data, key).points(data)
    within = (sse_share(points, MDAV(k=k).groups(data, key, Context()).labels) for k in KS)
    listed = " and ".join(
        f"{100 * loss:.1f} % (k = {k})" for k, loss in zip(KS, within, strict=True)
    )
    return (
        f"Over its own key attributes alone AMA loses {listed}: the loss in the paper's Figure 6 "
        "was probably taken over these."
    )


def values(data: Microdata, choice: Loss) -> str:
    """Return how many values each chosen attribute has."""
    return ", ".join(f"{len(np.unique(data[name])):,} ({name})" for name in choice.chosen)


def main(arguments: Sequence[str] | None = None) -> None:
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
    print(f"SSE/SST over {len(ATTRIBUTES)} attributes, {records:,} persons\n{'':54}{heads}")
    for choice in searched(data, ATTRIBUTES):
        figures = "".join(f"{loss:8.1f}%" for loss in choice.losses)
        print(f"{choice.words:54}{figures}  {', '.join(choice.chosen)}", flush=True)


if __name__ == "__main__":
    main()
