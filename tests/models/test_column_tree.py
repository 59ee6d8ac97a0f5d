from __future__ import annotations

import itertools

import numpy as np

from discreet.models.column_tree import dealt, drawn_records, spanning_tree, tree_of
from discreet.models.noisy_tables import Tables, counts_of


def test_the_tree_is_the_best_of_all_trees() -> None:
    rng = np.random.default_rng(2)
    pairs = list(itertools.combinations(range(5), 2))
    for _ in range(20):
        closeness = np.zeros((5, 5))
        for i, j in pairs:
            closeness[i, j] = closeness[j, i] = rng.random()

        def connects(edges: tuple[tuple[int, int], ...]) -> bool:
            reached = {0}
            for _ in edges:
                reached |= {b for a, b in edges if a in reached}
                reached |= {a for a, b in edges if b in reached}
            return len(reached) == 5

        best = max(
            sum(closeness[i, j] for i, j in edges)
            for edges in itertools.combinations(pairs, 4)
            if connects(edges)
        )
        tree = spanning_tree(closeness)
        known = {0}
        for child, parent in tree[1:]:
            assert parent in known
            known.add(child)
        found = sum(closeness[child, parent] for child, parent in tree[1:] if parent is not None)
        assert np.isclose(found, best)


def test_records_have_the_tables_of_the_tree() -> None:
    rng = np.random.default_rng(4)
    first = rng.integers(0, 3, 600)
    second = np.where(rng.random(600) < 0.8, first, rng.integers(0, 3, 600))
    third = (second > 1).astype(np.int64)
    cells = [first, third, second]
    tables = Tables.fitted(counts_of(cells, [3, 2, 3]), [3, 2, 3], 600.0)
    tree = tree_of(tables)
    assert tree == [(0, None), (2, 0), (1, 2)]
    made = drawn_records(tables, tree, 600, rng)
    drawn = counts_of([made[0], made[2]], [3, 3])[6:]
    assert np.abs(drawn - counts_of([first, second], [3, 3])[6:]).max() <= 3
    assert ((made[2] > 1) == (made[1] == 1)).all()


def test_what_cannot_be_dealt_in_whole_records_is_drawn() -> None:
    rng = np.random.default_rng(5)
    counts = np.array([1.0, 1.0, 2.0])
    seen = np.array([np.bincount(dealt(6, counts, rng), minlength=3) for _ in range(400)])
    assert (seen.sum(axis=1) == 6).all()
    assert (seen[:, 2] == 3).all()
    assert abs(seen[:, 0].mean() - 1.5) < 0.1
    assert len(dealt(5, np.zeros(2), rng)) == 5
