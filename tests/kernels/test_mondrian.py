"""The Mondrian kernel: arrays in, arrays out, however deep and however long."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.kernels import mondrian
from discreet.kernels.mondrian import Scales, mondrian_labels

LAW = settings(max_examples=150, deadline=None, derandomize=True, database=None)
Ranks = NDArray[np.int32]


def scales_of(*places: NDArray[np.float64]) -> Scales:
    """Columns without hierarchies, the place of rank 0 (missing) first."""
    return Scales(
        np.concatenate(places),
        np.cumsum([0, *(len(p) for p in places)]),
        np.zeros(len(places), dtype=np.int64),
        np.zeros(0, dtype=np.int64),
        np.zeros(0),
        np.zeros(len(places), dtype=np.int64),
    )


def even(columns: int, highest: int) -> Scales:
    place = np.concatenate([[0.0], np.linspace(0, 1, highest)])
    return scales_of(*[place] * columns)


def slow(ranks: Ranks, places: list[float], k: int, relaxed: bool) -> list[int]:
    """The definition without hierarchies, with recursion and sorting."""
    labels, found = [-1] * len(ranks), 0

    def divide(group: list[int]) -> None:
        nonlocal found
        widths = []
        for c in range(ranks.shape[1]):
            present = [int(ranks[i, c]) for i in group if ranks[i, c] > 0]
            if k <= len(present) <= len(group) - k:
                widths.append(1.0)
            else:
                lowest, highest = min(present, default=0), max(present, default=0)
                widths.append(places[highest] - places[lowest])
        for c in sorted(range(len(widths)), key=lambda c: -widths[c]):
            ordered = sorted(group, key=lambda i: (ranks[i, c], i))
            n, missing = len(group), sum(ranks[i, c] == 0 for i in group)
            edges = [p for p in range(1, n) if ranks[ordered[p - 1], c] != ranks[ordered[p], c]]
            if widths[c] <= 0:
                continue
            if k <= missing <= n - k:
                at = missing
            elif relaxed:
                at = n // 2
            else:
                at = max(edges, key=lambda p: (min(p, n - p), p))
            if min(at, n - at) >= k:
                divide(sorted(ordered[:at]))
                divide(sorted(ordered[at:]))
                return
        for i in group:
            labels[i] = found
        found += 1

    divide(list(range(len(ranks))))
    return labels


@LAW
@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(0, 5)] * d), min_size=1, max_size=60)
    ),
    st.integers(1, 5),
    st.booleans(),
)
def test_against_the_slow_twin(rows: list[tuple[int, ...]], k: int, relaxed: bool) -> None:
    ranks = np.array(rows, dtype=np.int32)
    places = np.array([0, 0, 0.1, 0.3, 0.7, 1.0])
    labels, cuts = mondrian_labels(ranks, scales_of(*[places] * ranks.shape[1]), k, relaxed)
    assert labels.tolist() == slow(ranks, places.tolist(), k, relaxed)
    assert cuts.sum() == labels.max()  # each cut in two makes one group more


@pytest.mark.parametrize("column", [[0, 0, 2, 0, 0, 0, 1, 0, 0], [3, 0, 0, 0, 0, 2, 1, 0]])
@pytest.mark.parametrize("relaxed", [False, True])
def test_where_most_are_missing_and_few_present(column: list[int], relaxed: bool) -> None:
    ranks = np.array(column, dtype=np.int32)[:, None]
    labels, _ = mondrian_labels(ranks, even(1, 3), 4, relaxed)
    assert labels.tolist() == slow(ranks, [0, 0, 0.5, 1], 4, relaxed)
    assert np.bincount(labels).tolist() == (
        [len(column) // 2, (len(column) + 1) // 2] if relaxed else [len(column)]
    )


def test_the_labels_do_not_depend_on_where_the_work_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranks = np.random.default_rng(1).integers(0, 40, (3000, 3)).astype(np.int32)
    whole, _ = mondrian_labels(ranks, even(3, 39), 4)
    monkeypatch.setattr(mondrian, "_STRETCH", 1000)
    told: list[float] = []
    pieces, _ = mondrian_labels(ranks, even(3, 39), 4, advance=told.append)
    assert pieces.tolist() == whole.tolist()
    assert len(told) > 5
    assert min(told) >= 0
    assert sum(told) == 3000


def test_what_the_progress_display_raises_stops_the_run() -> None:
    def stop(amount: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mondrian_labels(np.ones((10, 1), np.int32), even(1, 2), 2, advance=stop)


def test_a_chain_of_cuts_as_long_as_the_file_needs_no_recursion() -> None:
    # Each cut takes off one record: column c has one record at the top, the others equal.
    n = 1100
    ranks = np.ones((n, n), dtype=np.int32)
    ranks[np.arange(n), np.arange(n)] = 2
    labels, cuts = mondrian_labels(ranks, even(n, 2), 1)
    assert len(np.unique(labels)) == n
    assert cuts.sum() == n - 1


@pytest.mark.parametrize("shape", [(0, 2), (1, 2), (3, 2)])
def test_small_tables_are_one_group(shape: tuple[int, int]) -> None:
    ranks = np.ones(shape, dtype=np.int32)
    ranks.flags.writeable = False
    labels, cuts = mondrian_labels(ranks, even(2, 2), 2)
    assert labels.tolist() == [0] * shape[0]
    assert cuts.tolist() == [0, 0]


def test_k_must_be_positive() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        mondrian_labels(np.ones((3, 1), np.int32), even(1, 2), 0)
