"""CREST's kernels and partitions against a twin that computes every candidate at every step."""

from __future__ import annotations

import math
from collections import Counter, deque

import numpy as np
import pytest
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context
from discreet.kernels.class_restricted_tree import class_restricted_tree
from discreet.kernels.divergence import jensen_shannon, on_grid, weighted_jensen_shannon
from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.tree_divergence import cut_by_ratio
from discreet.microaggregation.class_restriction import farthest_from_centroid
from discreet.microaggregation.partition.crest import CREST
from discreet.microaggregation.partition.partial_crest import PartialCREST
from discreet.microdata import Microdata
from discreet.microdata.embedding import Embedding

Lengths = NDArray[np.float64]
Codes = NDArray[np.int64]
Edges = list[tuple[int, int]]


# --- the twin ---------------------------------------------------------------------------------


def grid(value: float) -> float:
    return round(value * 2**40) / 2**40


def entropy(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


def jsd(classes: Codes, members: list[int]) -> float:
    """The divergence by entropies: H(M) − ½ H(f) − ½ H(F)."""
    codes = classes.tolist()
    here, everywhere = Counter(codes[i] for i in members), Counter(codes)
    f = [here[c] / len(members) for c in everywhere]
    file = [everywhere[c] / len(codes) for c in everywhere]
    middle = [(a + b) / 2 for a, b in zip(f, file, strict=True)]
    return max(0.0, entropy(middle) - entropy(f) / 2 - entropy(file) / 2)


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
    while len(joined) < len(classes):
        candidates = []
        for u in joined:
            around = [u, *neighbourhood(joined, lengths, u, b - 2)]
            for v in range(len(classes)):
                if v not in joined:
                    divergence = jsd(classes, [*around, v])
                    distance = grid(alpha * lengths[u, v]) + grid((1 - alpha) * divergence)
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
    found, seen = [start], {start}
    for x in found:
        new = [y for y in beside.get(x, []) if y not in seen]
        found += new
        seen.update(new)
    return found


def slow_cut(edges: Edges, lengths: Lengths, classes: Codes, k: int) -> Codes:
    """Fig. 4, steps 2 and 3, to the letter."""
    left, considered = list(edges), list(edges)
    while considered:
        ranked = []
        for a, b in considered:
            rest = [e for e in left if e != (a, b)]
            one, other = component(rest, a), component(rest, b)
            n = len(one) + len(other)
            rise = (
                len(one) / n * jsd(classes, one)
                + len(other) / n * jsd(classes, other)
                - jsd(classes, one + other)
            )
            rise = 0.0 if abs(rise) < 1e-12 else grid(rise)
            length = lengths[a, b]
            ratio = rise / length if length > 0 else (np.inf if rise else 0.0)
            removable = min(len(one), len(other)) >= k
            ranked.append((ratio, -length, min(a, b), max(a, b), (a, b), removable))
        *_, edge, removable = min(ranked)
        considered.remove(edge)
        if removable:
            left.remove(edge)
    labels = np.full(len(classes), -1)
    for record in range(len(classes)):
        if labels[record] < 0:
            labels[component(left, record)] = labels.max() + 1
    return labels


# --- tables -----------------------------------------------------------------------------------


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


def lengths_of(data: Microdata) -> Lengths:
    """√(Σ differences² / columns), straight from the values."""
    total = np.zeros((len(data), len(data)))
    for name in data.quasi_identifiers:
        values = data[name].astype(float)
        gaps = np.abs(values[:, None] - values[None, :])
        if name == "town":
            total += gaps > 0
        elif np.ptp(values) > 0:
            total += (gaps / np.ptp(values)) ** 2
    return np.asarray(np.rint(np.sqrt(total / len(data.quasi_identifiers)) * 2**40) / 2**40)


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


# --- comparisons ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_same_tree_and_same_groups_as_the_slow_twin(seed: int) -> None:
    for case in range(15):
        rng = np.random.default_rng([seed, case])
        data = table(1_000 * seed + case, int(rng.integers(4, 17)), int(rng.integers(2, 6)))
        columns, classes, lengths = data.quasi_identifiers, classes_of(data), lengths_of(data)
        k, b = int(rng.integers(2, 5)), int(rng.integers(2, 7))
        alpha = float(rng.choice([0.0, 0.1, 0.5, 0.5, 0.8, 1.0]))
        points = Embedding.fit(data, columns, "range").points(data)
        start = farthest_from_centroid(data, columns, points)
        assert start == start_of(data)
        edges, found = class_restricted_tree(
            points, len(columns), classes, alpha=alpha, b=b, start=start
        )
        expected = slow_tree(lengths, classes, alpha, b, start)
        assert list(map(tuple, edges.tolist())) == expected, (seed, case)
        assert found.tolist() == [lengths[edge] for edge in expected]
        labels = slow_cut(expected, lengths, classes, k)
        assert cut_by_ratio(edges, found, k, classes).tolist() == labels.tolist(), (seed, case)
        if len(data) >= k:
            groups = CREST(k=k, alpha=alpha, b=b).groups(data, columns, Context())
            assert groups.labels.tolist() == labels.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_larger_trees_with_hubs_and_equal_records(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 36
    points = rng.integers(0, 3, (n, 2)) / 2
    classes = np.unique(rng.integers(0, 3, n), return_inverse=True)[1]
    lengths = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2) / 2)
    lengths = np.rint(lengths * 2**40) / 2**40
    edges, found = class_restricted_tree(points, 2, classes, alpha=0.3, b=6, start=7)
    expected = slow_tree(lengths, classes, 0.3, 6, 7)
    assert list(map(tuple, edges.tolist())) == expected
    labels = slow_cut(expected, lengths, classes, 3)
    assert np.array_equal(cut_by_ratio(edges, found, 3, classes), labels)


@pytest.mark.parametrize("k", [2, 5, 12])
@pytest.mark.parametrize("kind", ["a rare class", "a class of one record", "thirty classes"])
def test_bounds_that_spare_ratios_change_nothing(k: int, kind: str) -> None:
    """Long runs in one part, where most ratios are known only by their bound."""
    rng = np.random.default_rng(k)
    n = 90
    points = rng.normal(size=(n, 3))
    classes = {
        "a rare class": rng.choice(3, n, p=[0.3, 0.66, 0.04]),
        "a class of one record": (np.arange(n) == 40).astype(np.int64),
        "thirty classes": rng.permutation(np.arange(n) % 30),
    }[kind]
    edges, lengths = minimum_spanning_tree(points)
    lengths = np.rint(lengths / 9 * 2**40) / 2**40
    matrix = np.zeros((n, n))
    matrix[edges[:, 0], edges[:, 1]] = matrix[edges[:, 1], edges[:, 0]] = lengths
    expected = slow_cut(list(map(tuple, edges.tolist())), matrix, classes, k)
    assert np.array_equal(cut_by_ratio(edges, lengths, k, classes), expected)


def test_a_rise_of_divergence_falls_by_no_more_than_the_bound() -> None:
    """E(a, q) ≥ E(a, q + m) − Σ a_c (1 − m_c / |m|) log₂ (|q + m| / |q|), and it can come near."""
    rng = np.random.default_rng(3)

    def spread(counts: NDArray[np.int64], shares: NDArray[np.float64]) -> float:
        return float(counts.sum() * jensen_shannon(counts, int(counts.sum()), shares))

    nearest = 0.0
    for _ in range(3_000):
        count = int(rng.integers(2, 6))
        shares = rng.dirichlet(np.full(count, rng.choice([0.2, 1.0, 5.0])))
        a, q, m = rng.integers(0, [[12], [40], [40]], (3, count)) * (rng.random((3, count)) < 0.6)
        if min(a.sum(), q.sum(), m.sum()) == 0 or shares.min() == 0:
            continue
        before = spread(a, shares) + spread(q + m, shares) - spread(a + q + m, shares)
        after = spread(a, shares) + spread(q, shares) - spread(a + q, shares)
        bound = (a * (1 - m / m.sum())).sum() * np.log2((q + m).sum() / q.sum())
        assert before - after <= bound + 1e-9
        nearest = max(nearest, (before - after) / bound if bound > 0 else 0.0)
    assert nearest > 0.3


@pytest.mark.parametrize("seed", range(10))
def test_alpha_1_is_partial_crest_where_lengths_differ(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = discreet.read(
        {"a": rng.normal(size=80), "b": rng.normal(size=80), "ill": list("xyz" * 26 + "xx")},
        roles={"a": "quasi-identifier", "b": "quasi-identifier", "ill": "confidential"},
    )
    full = CREST(k=4, alpha=1.0).groups(data, ["a", "b"], Context())
    partial = PartialCREST(k=4).groups(data, ["a", "b"], Context())
    assert np.array_equal(full.labels, partial.labels)


def test_divergences_against_entropies() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        classes = np.unique(rng.integers(0, 4, 30), return_inverse=True)[1]
        shares = np.bincount(classes) / 30
        members = rng.choice(30, int(rng.integers(1, 30)), replace=False)
        counts = np.bincount(classes[members], minlength=len(shares))
        expected = jsd(classes, members.tolist())
        assert jensen_shannon(counts, len(members), shares) == pytest.approx(expected, abs=1e-14)
        # Lemma 1: cutting never lowers the divergence.
        rest = np.bincount(classes, minlength=len(shares)) - counts
        both = np.array([counts, rest])
        assert weighted_jensen_shannon(both, shares) >= -1e-15


def test_a_single_record_and_no_coordinate() -> None:
    edges, lengths = class_restricted_tree(
        np.zeros((1, 0)), 1, np.zeros(1, np.int64), alpha=0.5, b=5, start=0
    )
    assert edges.shape == (0, 2)
    assert len(lengths) == 0
    assert cut_by_ratio(edges, lengths, 2, np.zeros(1, np.int64)).tolist() == [0]


def test_progress_counts_every_record() -> None:
    rng = np.random.default_rng(1)
    points, classes = rng.random((500, 2)), rng.integers(0, 2, 500)
    joined: list[int] = []
    cut: list[int] = []
    edges, lengths = class_restricted_tree(
        points, 2, classes, alpha=0.5, b=5, start=0, advance=joined.append
    )
    cut_by_ratio(edges, lengths, 5, classes, cut.append)
    assert (sum(joined), sum(cut)) == (499, 500)


def test_grid_is_exact_under_addition() -> None:
    rng = np.random.default_rng(3)
    for one, other in rng.random((100, 2)):
        total = on_grid(one) + on_grid(other)
        assert total == on_grid(total)
