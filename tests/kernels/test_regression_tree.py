"""The regression tree kernels against the definition: every cut of every column tried."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import discreet
from discreet.kernels import regression_tree as kernel
from discreet.kernels.regression_tree_small import SMALL, _distinct, grow_small
from discreet.microdata.hierarchy import Hierarchy
from discreet.models.regression_tree import Tree, grow, growing
from tests.microdata.ancestors import common_ancestor

LAW = settings(max_examples=80, deadline=None, derandomize=True, database=None)
Numbers = NDArray[np.float64]
HILLS = Hierarchy.from_tree({"low": {"coast": ["a", "b"], "plain": ["c"]}, "high": ["d", "e"]})


def table(seed: int, n: int, r: int, gaps: bool = False) -> discreet.Microdata:
    """Two numbers, two nominal columns, and responses: small whole numbers, or r of a kind."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {
        "x": rng.integers(0, 6, n).tolist(),
        "town": [f"t{i}" for i in rng.integers(0, 5, n)],
        "z": rng.normal(size=n).tolist(),
        "job": ["abcde"[i] for i in rng.integers(0, 5, n)],
    }
    if gaps:
        for name in columns:
            columns[name] = [None if rng.random() < 0.2 else v for v in columns[name]]
    if r == 1:
        columns["y0"] = rng.integers(0, 4, n).tolist()
    else:
        columns |= {f"y{j}": rng.normal(size=n).tolist() for j in range(r)}
    return discreet.read(columns, kinds={"x": "continuous", "z": "continuous"})


def error(y: Numbers, part: list[int]) -> float:
    return float(((y[part] - y[part].mean(axis=0)) ** 2).sum())


def ordered(values: list[Any], y: Numbers, node: list[int], categories: list[Any]) -> list[Any]:
    """The categories of a node by their scores on the first principal component."""
    present = [c for c in categories if any(values[i] == c for i in node)]
    inside = {c: [i for i in node if values[i] == c] for c in present}
    gaps = np.array([y[inside[c]].mean(axis=0) - y[node].mean(axis=0) for c in present])
    weights = np.array([len(inside[c]) for c in present])
    axis = np.linalg.eigh((gaps * weights[:, None]).T @ gaps)[1][:, -1]
    axis = axis * np.sign(axis[np.argmax(np.abs(axis))])
    scores = np.rint(gaps @ axis * 1e8)
    return [present[i] for i in np.lexsort((np.arange(len(present)), scores))]


def cuts(data: discreet.Microdata, name: str, y: Numbers, node: list[int]) -> list[list[list[int]]]:
    """All ways to cut a node in two along one column, lowest first."""
    attribute = data.schema[name]
    missing = data.column(name).missing
    if attribute.continuous:
        values = [-np.inf if m else v for v, m in zip(data[name].tolist(), missing, strict=True)]
        ranked: list[Any] = sorted({values[i] for i in node})
    else:
        values = data[name].tolist()
        ranked = ordered(values, y, node, list(range(-1, len(attribute.categories))))
    return [
        [[i for i in node if values[i] in ranked[:c]], [i for i in node if values[i] in ranked[c:]]]
        for c in range(1, len(ranked))
    ]


def slow(
    data: discreet.Microdata, names: list[str], y: Numbers, k: int, whole: Numbers | None = None
) -> list[tuple[list[int], str | None]]:
    """The definition: the records of each node in preorder, and the column it is cut by."""
    found: list[tuple[list[int], str | None]] = []

    def scatter(part: list[int]) -> Numbers:
        centred = y[part] - y[part].mean(axis=0)
        return np.asarray(centred.T @ centred)

    def digression(part: list[int]) -> float:
        assert whole is not None
        return float(np.linalg.det(whole - scatter(part)))

    def divide(node: list[int]) -> None:
        own = error(y, node)
        best, parts, column = 0.0, [], None
        if own > 1e-24 * len(node):
            for name in names:
                highest, at = 0.0, []
                for both in cuts(data, name, y, node):
                    gain = own - sum(error(y, part) for part in both)
                    if min(map(len, both)) < k or (whole is not None and gain <= 2e-10 * own):
                        continue
                    value, margin = gain, 1e-10 * own
                    if whole is not None:
                        rise = sum(digression(part) for part in both) - digression(node)
                        value, margin = gain / max(rise, 1e-300), 1e-10 * highest
                    if value > highest + margin:
                        highest, at = value, both
                margin = 1e-10 * (own if whole is None else best)
                if at and highest > best + margin:
                    best, parts, column = highest, at, name
        found.append((node, column))
        for part in parts:
            divide(part)

    divide(list(range(len(y))))
    return found


def nodes_of(tree: Tree) -> list[tuple[list[int], str | None]]:
    return [
        (
            tree.records(t).tolist(),
            tree.predictors[tree.column[t]].name if tree.column[t] >= 0 else None,
        )
        for t in range(len(tree))
    ]


def grow_both_ways(*given: Any, **options: Any) -> tuple[Tree, Tree]:
    """The tree as a small table's, and as that of the compiled kernel."""
    trees = []
    for small in (SMALL, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "SMALL", small)
            patch.setattr(kernel, "UNCOMPILED", -1)
            trees.append(grow(*given, **options))
    return trees[0], trees[1]


def assert_same(tree: Tree, other: Tree) -> None:
    for word in ("parent", "column", "start", "count", "rows", "limits", "codes"):
        assert np.array_equal(getattr(tree, word), getattr(other, word)), word
    assert np.array_equal(tree.cut, other.cut, equal_nan=True)


@LAW
@given(
    st.integers(0, 10**6), st.integers(2, 45), st.integers(1, 3), st.integers(1, 5), st.booleans()
)
def test_against_the_slow_twin(seed: int, n: int, r: int, k: int, gaps: bool) -> None:
    data = table(seed, n, r, gaps)
    names = ["x", "town", "z", "job"]
    tree, other = grow_both_ways(data, names, [f"y{j}" for j in range(r)], k)
    assert nodes_of(tree) == slow(data, names, tree.responses.numbers, k)
    assert_same(tree, other)
    # New records that are the old ones come into the same leaves, by the rules that were kept.
    assert np.array_equal(np.searchsorted(tree.leaves, tree.assign(data)), tree.labels)


@LAW
@given(st.integers(0, 10**6), st.integers(8, 40), st.integers(1, 3), st.booleans())
def test_digression_in_growing_against_the_slow_twin(seed: int, n: int, r: int, gaps: bool) -> None:
    data = table(seed, n, max(r, 2), gaps)
    names = ["x", "job", "z"]
    tree = grow(data, names, [f"y{j}" for j in range(max(r, 2))], 2, digression=True)
    y = tree.responses.numbers
    centred = y - y.mean(axis=0)
    assert nodes_of(tree) == slow(data, names, y, 2, centred.T @ centred)


@LAW
@given(st.integers(0, 10**6), st.integers(6, 30))
def test_no_cut_of_the_categories_in_two_is_better(seed: int, n: int) -> None:
    data = table(seed, n, 1)
    tree = grow(data, ["job"], ["y0"], k=1)
    y, codes = tree.responses.numbers, data["job"]
    present = sorted(set(codes.tolist()))
    every = [
        error(y, np.flatnonzero(np.isin(codes, left)).tolist())
        + error(y, np.flatnonzero(~np.isin(codes, left)).tolist())
        for size in range(1, len(present))
        for left in itertools.combinations(present, size)
    ]
    if len(tree) > 1:
        found = sum(error(y, tree.records(t).tolist()) for t in tree.children(0))
        assert found == pytest.approx(min(every), abs=1e-12)
    else:
        assert not every or min(every) == pytest.approx(error(y, list(range(n))), abs=1e-12)


@LAW
@given(st.integers(0, 10**6), st.integers(4, 60), st.integers(1, 4), st.booleans())
def test_hierarchies_cut_into_all_children_at_once(seed: int, n: int, k: int, gaps: bool) -> None:
    data = table(seed, n, 1, gaps)
    tree, other = grow_both_ways(data, ["job"], ["y0"], k, hierarchies={"job": HILLS})
    assert_same(tree, other)
    y = tree.responses.numbers
    categories = data.schema["job"].categories
    for node in range(len(tree)):
        records = tree.records(node)
        codes = data["job"][records]
        values = [categories[c] for c in codes if c >= 0]
        parts: list[list[int]] = []
        if len(set(values)) > 1:
            for child in HILLS.children(common_ancestor(HILLS, values)):
                below = HILLS.level(values, child.level)
                members = iter(below)
                inside = [i for i, c in zip(records, codes, strict=True)
                          if c >= 0 and next(members) == child.label]  # fmt: skip
                if inside:
                    parts.append([int(i) for i in inside])
        missing = [int(i) for i, c in zip(records, codes, strict=True) if c < 0]
        if len(missing) >= k:
            parts = parts or [[int(i) for i, c in zip(records, codes, strict=True) if c >= 0]]
            parts.insert(0, missing)
        allowed = len(parts) > 1 and all(parts)
        found = [sorted(tree.records(child).tolist()) for child in tree.children(node)]
        if not found:
            joined = len(missing) if missing and len(missing) < k else 0
            small = any(len(part) < k for part in parts) if allowed else True
            flat = allowed and error(y, records.tolist()) - sum(
                error(y, part) for part in parts
            ) <= 1e-9 * error(y, records.tolist())
            assert small or flat or joined
        else:
            assert min(map(len, found)) >= k
            if not missing or len(missing) >= k:
                assert sorted(found) == sorted(sorted(part) for part in parts)


def test_the_tree_does_not_depend_on_how_the_work_is_divided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = table(3, 4000, 2, gaps=True)
    names, responses = ["x", "town", "z", "job"], ["y0", "y1"]
    whole = grow(data, names, responses, 7)
    told: list[float] = []
    monkeypatch.setattr(kernel, "LEAST", 300)
    monkeypatch.setattr(kernel, "SMALL", -1)
    monkeypatch.setattr(kernel, "UNCOMPILED", -1)
    monkeypatch.setattr(growing, "LARGE", 1)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        told.clear()
        pieces = grow(data, names, responses, 7, advance=told.append)
        assert_same(whole, pieces)
        assert len(told) > 5
        assert sum(told) == 4000


def test_a_few_trees_are_not_worth_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    without: list[int] = []

    def noted(table: Any, k: int) -> Any:
        without.append(k)
        return grow_small(table, k)

    monkeypatch.setattr(kernel, "SMALL", -1)
    monkeypatch.setattr(kernel, "_grown_without", [0])
    monkeypatch.setattr(kernel, "grow_small", noted)
    data = table(3, 400, 2, gaps=True)
    monkeypatch.setattr(kernel, "UNCOMPILED", 2 * 400 * 2 * 2 + 1)
    for ready, expected in ((False, [7, 7]), (True, [7, 7])):
        monkeypatch.setattr(kernel, "at_hand", lambda _, ready=ready: ready)
        trees = [grow(data, ["x", "town"], ["y0", "y1"], 7) for _ in range(3)]
        assert without == expected
        assert_same(trees[0], trees[2])


@pytest.mark.parametrize(("r", "gaps"), [(1, True), (3, False), (7, True)])
def test_a_small_table_grows_the_same_tree(r: int, gaps: bool) -> None:
    data = table(r, 3000, r, gaps)
    for hierarchies in ({}, {"job": HILLS}):
        assert_same(
            *grow_both_ways(
                data, ["x", "town", "z", "job"], [f"y{j}" for j in range(r)], 9,
                hierarchies=hierarchies,
            )
        )  # fmt: skip


def test_what_the_progress_display_raises_stops_the_run() -> None:
    def stop(amount: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow(table(1, 50, 1), ["x"], ["y0"], 5, advance=stop)


@pytest.mark.parametrize("space", [40, 4_000])
def test_keys_are_told_apart_as_by_sorting(space: int) -> None:
    keys = np.random.default_rng(2).integers(0, space, 100)
    for found, expected in zip(
        _distinct(keys, space),
        np.unique(keys, return_index=True, return_inverse=True),
        strict=True,
    ):
        assert found.tolist() == expected.tolist()
