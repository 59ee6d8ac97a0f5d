"""What an intruder learns from pairs that are known to belong together.

Such pairs come from running the method again (`Pairing.imitate`), or from people whom the intruder
has already found. For each column the intruder learns how far a released value lies from that of
its person, in ranks for numbers and by symbol for categories, and compares that with how far it
lies from other people: the log of the ratio is the weight of Fellegi and Sunter (1969) without the
assumption that values only agree or differ. What never happens among the known pairs is all but
impossible, so windows, groups and supports of any shape need not be known in advance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.cells import CategoryCells, Cells, Matrix, NumberCells, Rows
from discreet.measures.linkage.looked_up import LookedUp

BINS, STEPS = 40, 2_000
"""Classes of gaps, with equally many known pairs each, and steps in which a gap is looked up."""
OTHERS = 50_000
"""The number of random pairs from which the distances of other people are learned."""
IMPOSSIBLE = 25.0
"""The cost of what never happened among the known pairs."""
ROOM = 1.02
"""The largest gap seen among few pairs falls a little short of the largest possible."""


@dataclass(frozen=True, eq=False)
class GapCosts:
    """A column of numbers: the cost, −log ratio, of each class of gaps."""

    cells: NumberCells
    step: float
    costs: Matrix
    """By the gap in steps, rounded up: the first is for no gap at all; the last is impossible."""

    def of(self, rows: Rows, originals: Rows | slice) -> Matrix:
        """Return the cost of each released record with each original."""
        return self.looked_up(rows, originals).matrix

    def looked_up(self, rows: Rows, originals: Rows | slice) -> LookedUp:
        """Return the cost with each different value, and which of them the originals have."""
        return self.cells.looked_up(rows, originals, self._priced)

    def _priced(self, gaps: Matrix) -> Matrix:
        steps = np.ceil(gaps / np.float32(self.step))
        np.minimum(steps, len(self.costs) - 1, out=steps)
        return np.asarray(self.costs[steps.astype(np.int32)])


@dataclass(frozen=True, eq=False)
class SymbolCosts:
    """A nominal column: the cost of each released symbol with each category."""

    cells: CategoryCells
    costs: Matrix

    def of(self, rows: Rows, originals: Rows | slice) -> Matrix:
        """Return the cost of each released record with each original."""
        return self.looked_up(rows, originals).matrix

    def looked_up(self, rows: Rows, originals: Rows | slice) -> LookedUp:
        """Return the cost with each category, and which of them the originals have."""
        table = self.costs[self.cells.symbols[rows]]
        return LookedUp(table, self.cells.categories[originals])


@dataclass(frozen=True, eq=False)
class Lesson:
    """Known pairs: the cells of some released records, and the original of each."""

    cells: Sequence[Cells]
    rows: Rows
    origin: Rows


def gap_costs(
    column: NumberCells, lessons: Sequence[NumberCells], pairs: Sequence[Lesson],
    generator: np.random.Generator,
) -> GapCosts:  # fmt: skip
    """Return what the known pairs teach about a column of numbers."""
    known_gaps = np.concatenate(
        [cells.gaps_beside(p.rows, p.origin) for cells, p in zip(lessons, pairs, strict=True)]
    ).astype(np.float64)
    released = generator.integers(0, column.released, OTHERS)
    other = column.gaps_beside(released, generator.integers(0, len(column.people), OTHERS))
    widest = float(known_gaps.max(initial=0.0)) * ROOM + 1 / max(len(column.people), 1)
    inner = (
        np.unique(np.quantile(known_gaps, np.linspace(0, 1, BINS)[:-1]))
        if len(known_gaps)
        else np.zeros(0)
    )
    edges = np.append(inner[inner < widest], widest)
    seen = np.bincount(np.searchsorted(edges, known_gaps, "left"), minlength=len(edges))[
        : len(edges)
    ]
    usual = np.bincount(np.searchsorted(edges, other, "left"), minlength=len(edges) + 1)
    match = (seen + 0.5) / (seen.sum() + 0.5 * len(edges))
    chance = (usual[:-1] + 0.5) / (usual.sum() + 0.5 * len(edges))
    by_class = np.append(-np.log(match / chance), IMPOSSIBLE)
    step = widest / STEPS
    place = np.searchsorted(edges, np.arange(STEPS + 1) * step * (1 - 1e-9), "left")
    costs = np.append(by_class[place], IMPOSSIBLE).astype(np.float32)
    return GapCosts(column, step, costs)


def symbol_costs(
    column: CategoryCells, lessons: Sequence[CategoryCells], pairs: Sequence[Lesson]
) -> SymbolCosts:
    """Return what the known pairs teach about a nominal column.

    A symbol is identified by the categories that it allows; one that is not among the known pairs
    is likely in proportion to the size of its set.
    """
    width = column.allows.shape[1]
    place = {row.tobytes(): number for number, row in enumerate(column.allows)}
    together = np.zeros((len(column.allows), width))
    for cells, p in zip(lessons, pairs, strict=True):
        number = np.array([place.get(row.tobytes(), -1) for row in cells.allows])
        symbols, categories = number[cells.symbols[p.rows]], cells.categories[p.origin]
        np.add.at(together, (symbols[symbols >= 0], categories[symbols >= 0]), 1.0)
    share = np.bincount(column.symbols, minlength=len(column.allows)) / max(column.released, 1)
    # Counting the label itself as one more pair keeps rare categories from dominating the sum.
    by_label = column.allows / np.maximum(column.allows.sum(axis=0), 1)
    match = (together + by_label) / (together.sum(axis=0) + by_label.sum(axis=0).clip(1e-12))
    with np.errstate(divide="ignore"):
        costs = -np.log(match / np.maximum(share, 1e-12)[:, None])
    return SymbolCosts(column, np.minimum(costs, IMPOSSIBLE).astype(np.float32))


Costs = GapCosts | SymbolCosts


def learned(
    columns: Sequence[Cells], pairs: Sequence[Lesson], generator: np.random.Generator
) -> list[Costs]:
    """Return the costs of all columns, learned from the known pairs."""
    costs: list[Costs] = []
    for column in columns:
        alike = [
            next((c for c in p.cells if c.name == column.name and type(c) is type(column)), None)
            for p in pairs
        ]
        used = [p for p, c in zip(pairs, alike, strict=True) if c is not None]
        if isinstance(column, NumberCells):
            numbers = [c for c in alike if isinstance(c, NumberCells)]
            costs.append(gap_costs(column, numbers, used, generator))
        else:
            symbols = [c for c in alike if isinstance(c, CategoryCells)]
            costs.append(symbol_costs(column, symbols, used))
    return costs
