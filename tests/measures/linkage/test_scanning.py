"""Comparing in parts, giving up early, against the whole matrix at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measures.linkage import scanning
from discreet.measures.linkage.assignment import Owners, cheapest, only_possible
from discreet.measures.linkage.cells import Matrix
from discreet.measures.linkage.scanning import Scan, nearest


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "CACHED_CELLS", 12)
    monkeypatch.setattr(scanning, "ROWS", 4)


def invented(seed: int, drawn: bool) -> tuple[Matrix, Owners]:
    draw = np.random.default_rng(seed)
    costs = draw.integers(0, 6, (9, 14)).astype(np.float32)
    origin = draw.integers(0, 14, 9)
    return costs, Owners.within(origin, draw.integers(0, 4, 14)) if drawn else Owners(origin)


@given(st.integers(0, 10_000), st.booleans())
def test_the_same_chances_as_from_the_whole_matrix(seed: int, drawn: bool) -> None:
    costs, owners = invented(seed, drawn)
    rows = np.random.default_rng(seed).permutation(9)
    scan = Scan(lambda r, people: costs[r][:, people], owners, 14)
    assert scan.chances(rows) == pytest.approx(cheapest(costs[rows], owners.take(rows)))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_chances_and_pairs_on_any_number_of_cores(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "cores", lambda: threads)
    costs, owners = invented(3, False)
    scan, advanced = Scan(lambda r, people: costs[r][:, people], owners, 14), list[int]()
    assert scan.chances(np.arange(9), advanced.append) == pytest.approx(cheapest(costs, owners))
    assert advanced == [4, 4, 1]
    by_parts = [Scan(scan.costs, owners, 14) for _ in range(3)]
    for part, start in zip(by_parts, (0, 4, 8), strict=True):
        part.chances(np.arange(start, min(start + 4, 9)))
    assert scan.compared == sum(part.compared for part in by_parts)


@given(st.integers(0, 10_000), st.booleans())
def test_the_same_certainty_as_from_the_whole_matrix(seed: int, drawn: bool) -> None:
    costs, owners = invented(seed, drawn)
    allowed, rows = costs == 0, np.arange(9)
    scan = Scan(lambda r, people: costs[r][:, people], owners, 14)
    certain = scan.certain(rows, lambda r, people: allowed[r][:, people])
    assert certain == pytest.approx(only_possible(allowed, owners))


def test_a_record_that_is_beaten_is_given_up() -> None:
    costs = np.zeros((4, 300), dtype=np.float32)
    costs[:, -1] = 1.0
    lost = Scan(lambda r, people: costs[r][:, people], Owners(np.full(4, 299)), 300)
    assert lost.chances(np.arange(4)).tolist() == [0.0] * 4
    assert lost.compared == 12


@given(st.integers(0, 10_000), st.integers(1, 20))
def test_the_nearest_are_those_that_cost_least(seed: int, most: int) -> None:
    costs = np.random.default_rng(seed).permuted(
        np.tile(np.arange(14, dtype=np.float32), (5, 1)), axis=1
    )
    people = nearest(lambda r, p: costs[r][:, p], np.arange(5), 14, most)
    assert np.array_equal(np.sort(people), np.sort(np.argsort(costs, axis=1)[:, :most]))
