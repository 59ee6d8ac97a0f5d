"""CREST, slowly: every candidate is computed anew whenever the tree has changed."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

import discreet
from discreet.microdata import Microdata

Lengths = NDArray[np.float64]
Codes = NDArray[np.int64]
Edges = list[tuple[int, int]]


def grid(value: float) -> float:
    return round(value * 2**40) / 2**40


def entropy(shares: Lengths) -> float:
    shares = shares[shares > 0]
    return -float((shares * np.log2(shares)).sum())


def jsd(classes: Codes, members: list[int]) -> float:
    """The divergence by entropies: H(M) − ½ H(f) − ½ H(F)."""
    everywhere = np.bincount(classes)
    in_group = np.bincount(classes[members], minlength=len(everywhere))
    f, file = in_group / len(members), everywhere / len(classes)
    return max(0.0, entropy((f + file) / 2) - entropy(f) / 2 - entropy(file) / 2)


def neighbourhood(joined: dict[int, list[int]], lengths: Lengths, u: int, wanted: int) -> list[int]:
    """The first vertices met by a breadth-first search from u, without u."""
    level = {u: 0}
    queue = deque([u])
    while queue:
        x = queue.popleft()
        for y in joined[x]:
            if y not in level:
                level[y] = level[x] + 1
                queue.append(y)
    del level[u]
    return sorted(level, key=lambda x: (level[x], lengths[u, x], x))[:wanted]


def slow_tree(lengths: Lengths, classes: Codes, alpha: float, b: int, start: int) -> Edges:
    joined: dict[int, list[int]] = {start: []}
    edges: Edges = []
    member = {c: v for v, c in enumerate(classes.tolist())}
    while len(joined) < len(classes):
        candidates = []
        for u in joined:
            around = [u, *neighbourhood(joined, lengths, u, b - 2)]
            # which record joins them makes no difference, only its class
            divergence = {c: jsd(classes, [*around, v]) for c, v in member.items()}
            for v, c in enumerate(classes.tolist()):
                if v not in joined:
                    distance = grid(alpha * lengths[u, v]) + grid((1 - alpha) * divergence[c])
                    candidates.append((distance, v, u))
        _, v, u = min(candidates)
        joined[u].append(v)
        joined[v] = [u]
        edges.append((u, v))
    return edges


def component(edges: Edges, start: int) -> list[int]:
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    reached, seen = [start], {start}
    for x in reached:
        new = [y for y in beside.get(x, []) if y not in seen]
        reached += new
        seen.update(new)
    return reached


def slow_cut(edges: Edges, lengths: Lengths, classes: Codes, k: int) -> Codes:
    """Fig. 4, steps 2 and 3, to the letter."""
    left, considered = list(edges), list(edges)

    def rank(a: int, b: int) -> tuple[float, float, int, int, bool]:
        rest = [e for e in left if e != (a, b)]
        first, second = component(rest, a), component(rest, b)
        n = len(first) + len(second)
        rise = (
            len(first) / n * jsd(classes, first)
            + len(second) / n * jsd(classes, second)
            - jsd(classes, first + second)
        )
        rise = 0.0 if abs(rise) < 1e-12 else grid(rise)
        length = lengths[a, b]
        ratio = rise / length if length > 0 else (np.inf if rise else 0.0)
        removable = min(len(first), len(second)) >= k
        return ratio, -length, min(a, b), max(a, b), removable

    while considered:
        ranks = {edge: rank(*edge) for edge in considered}
        # as long as all edges stay, so do the ranks of those that are still to be considered
        for edge in sorted(considered, key=ranks.__getitem__):
            considered.remove(edge)
            if ranks[edge][-1]:
                left.remove(edge)
                break
    labels = np.full(len(classes), -1)
    for record in range(len(classes)):
        if labels[record] < 0:
            labels[component(left, record)] = labels.max() + 1
    return labels


def table(seed: int, rows: int, count: int) -> Microdata:
    """Numbers, some of them rounded so that distances tie, ordinal and nominal columns."""
    rng = np.random.default_rng(seed)
    columns = {
        "size": rng.normal(size=rows).round(int(rng.integers(0, 4))),
        "pay": rng.integers(0, 6, rows).astype(float),
        "grade": [("low", "middle", "high")[i] for i in rng.integers(0, 3, rows)],
        "town": [("Ayle", "Bron", "Cull")[i] for i in rng.integers(0, 3, rows)],
    }
    kept = [name for name in columns if rng.random() < 0.7] or ["size"]
    ill = rng.choice(count, rows, p=rng.dirichlet(np.full(count, 2.0)))
    return discreet.read(
        {**{name: columns[name] for name in kept}, "ill": [f"c{i}" for i in ill]},
        roles={**dict.fromkeys(kept, "quasi-identifier"), "ill": "confidential"},
        kinds={"grade": ["low", "middle", "high"]} if "grade" in kept else {},
    )


def lengths_of(data: Microdata, by: float) -> Lengths:
    """√(Σ differences²) divided by a number, straight from the values."""
    total = np.zeros((len(data), len(data)))
    for name in data.quasi_identifiers:
        values = data[name].astype(float)
        gaps = np.abs(values[:, None] - values[None, :])
        if name == "town":
            total += gaps > 0
        elif np.ptp(values) > 0:
            total += (gaps / np.ptp(values)) ** 2
    return np.asarray(np.rint(np.sqrt(total) / by * 2**40) / 2**40)


def start_of(data: Microdata) -> int:
    total = np.zeros(len(data))
    for name in data.quasi_identifiers:
        values = data[name].astype(float)
        if name == "town":
            total += values != np.bincount(data[name]).argmax()
        elif np.ptp(values) > 0:
            total += ((values - values.mean()) / np.ptp(values)) ** 2
    return int(np.argmax(np.rint(np.sqrt(total / len(data.quasi_identifiers)) * 2**40)))


def classes_of(data: Microdata) -> Codes:
    return np.unique(data["ill"], return_inverse=True)[1]
