"""A tree of columns: each column is drawn given one other, its parent (Chow & Liu 1968)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.noisy_tables import Tables, mutual_information

Cells = NDArray[np.int64]
Branch = tuple[int, int | None]


def spanning_tree(closeness: Numbers) -> list[Branch]:
    """Return the columns with their parents, parents first: the tree of greatest closeness.

    Prim's algorithm, from the first column.

    >>> spanning_tree(np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0.0]]))
    [(0, None), (2, 0), (1, 2)]
    """
    tree: list[Branch] = [(0, None)]
    best, parent = closeness[0].astype(np.float64).copy(), np.zeros(len(closeness), dtype=int)
    best[0] = -np.inf
    for _ in range(len(closeness) - 1):
        nearest = int(np.argmax(best))
        tree.append((nearest, int(parent[nearest])))
        nearer = (closeness[nearest] > best) & np.isfinite(best)
        best[nearer], parent[nearer] = closeness[nearest][nearer], nearest
        best[nearest] = -np.inf
    return tree


def tree_of(tables: Tables) -> list[Branch]:
    """Return the tree of the columns that say most about each other, by their two-way tables."""
    closeness = np.zeros((len(tables.single), len(tables.single)))
    for (i, j), table in tables.crossed.items():
        closeness[i, j] = closeness[j, i] = mutual_information(table)
    return spanning_tree(closeness)


def drawn_records(
    tables: Tables, tree: list[Branch], rows: int, rng: np.random.Generator
) -> list[Cells]:
    """Return the cells of this many records, column by column, each given its parent."""
    made: list[Cells] = [np.zeros(0, dtype=np.int64)] * len(tables.single)
    for column, parent in tree:
        if parent is None:
            made[column] = dealt(rows, tables.single[column], rng)
            continue
        table, given = tables.of(parent, column), made[parent]
        made[column] = np.zeros(rows, dtype=np.int64)
        for cell in np.unique(given).tolist():
            at = np.flatnonzero(given == cell)
            counts = table[cell] if table[cell].sum() > 0 else tables.single[column]
            made[column][at] = dealt(len(at), counts, rng)
    return made


def dealt(rows: int, counts: Numbers, rng: np.random.Generator) -> Cells:
    """Return cells in proportion to counts, in random order: the whole parts, and the rest drawn.

    >>> sorted(dealt(4, np.array([1.0, 3.0]), np.random.default_rng(1)).tolist())
    [0, 1, 1, 1]
    """
    total = counts.sum()
    shares = counts / total if total > 0 else np.full(len(counts), 1 / len(counts))
    # A fraction of a record that is due to rounding does not count.
    expected = np.round(rows * shares, 9)
    whole = np.floor(expected).astype(np.int64)
    rest = rows - int(whole.sum())
    if rest > 0:
        left = expected - whole
        left = left / left.sum() if left.sum() > 0 else shares
        chosen = rng.choice(len(counts), size=rest, replace=bool(rest > (left > 0).sum()), p=left)
        np.add.at(whole, chosen, 1)
    return np.asarray(rng.permutation(np.repeat(np.arange(len(counts)), whole)))
