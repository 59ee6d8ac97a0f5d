"""Slow twins of spanning trees, of their cutting and of closeness, and tables to try them on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.kernels.points import Table

LAW = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
Edge = tuple[int, int]


def square(a: Table, b: Table) -> float:
    total = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        total += (x - y) * (x - y)
    return total


def kruskal(points: Table) -> list[tuple[float, int, int]]:
    """All pairs, shortest first, then by lower and by higher record; a pair that joins counts."""
    n = len(points)
    part = list(range(n))
    chosen = []
    pairs = [(square(points[a], points[b]), a, b) for a in range(n) for b in range(a + 1, n)]
    for length, a, b in sorted(pairs):
        if part[a] != part[b]:
            chosen.append((length, a, b))
            gone, stays = part[b], part[a]
            part = [stays if p == gone else p for p in part]
    return chosen


def side(edges: set[Edge], start: int) -> set[int]:
    """All records that are connected with `start`."""
    seen, todo = {start}, [start]
    while todo:
        record = todo.pop()
        for a, b in edges:
            for first, second in ((a, b), (b, a)):
                if first == record and second not in seen:
                    seen.add(second)
                    todo.append(second)
    return seen


def slow_cut(
    tree: Sequence[tuple[float, int, int]],
    n: int,
    allowed: Callable[[set[int]], bool],
    once: bool = False,
) -> list[int]:
    """Cut the longest edge whose two sides are allowed, and begin again, until there is none.

    With `once` an edge that was passed over is not tried again.
    """
    edges = {(a, b) for _, a, b in tree}
    order = [(a, b) for _, a, b in sorted(tree, key=lambda e: (-e[0], e[1], e[2]))]
    while True:
        for edge in order:
            if edge in edges:
                left = edges - {edge}
                if allowed(side(left, edge[0])) and allowed(side(left, edge[1])):
                    edges = left
                    if not once:
                        break
        else:
            break
        if once:
            break
    groups: list[set[int]] = []
    for record in range(n):
        if not any(record in group for group in groups):
            groups.append(side(edges, record))
    return [next(i for i, group in enumerate(groups) if r in group) for r in range(n)]


def slow_distance(
    group: Sequence[int], everyone: Sequence[int], count: int, ordered: bool
) -> float:
    """The definitions of Li, Li & Venkatasubramanian in fractions; −1 is missing."""

    def share(classes: Sequence[int], wanted: int) -> Fraction:
        return Fraction(Counter(classes)[wanted], len(classes))

    if not ordered:
        gaps = [share(group, c) - share(everyone, c) for c in range(-1, count)]
        return float(sum(abs(gap) for gap in gaps) / 2)
    group_missing, file_missing = share(group, -1), share(everyone, -1)
    moved = abs(group_missing - file_missing)
    if count > 1 and group_missing < 1 and file_missing < 1:
        group_present, file_present = (
            [c for c in classes if c >= 0] for classes in (group, everyone)
        )
        gaps = [share(group_present, c) - share(file_present, c) for c in range(count)]
        order = sum((abs(gap) for gap in accumulate(gaps)), Fraction(0)) / (count - 1)
        moved += min(1 - group_missing, 1 - file_missing) * order
    return float(moved)


def tables() -> st.SearchStrategy[list[tuple[int, ...]]]:
    return st.integers(1, 2).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(0, 9)] * d), min_size=1, max_size=22)
    )
