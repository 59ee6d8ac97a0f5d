"""Optimal univariate microaggregation: against every grouping there is, and a plain programme."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.kernels.univariate import optimal_sizes

Values = np.ndarray[Any, np.dtype[np.float64]]
LAW = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def whole(values: Values) -> list[int]:
    """The same values in a unit so small that all of them are whole numbers."""
    exact = [Fraction(float(v)) for v in values]
    unit = math.lcm(*(v.denominator for v in exact))
    return [int(v * unit) for v in exact]


def squares(values: list[int]) -> Fraction:
    """Σ (v − mean)², which is (n Σ v² − (Σ v)²) / n."""
    n = len(values)
    return Fraction(n * sum(v * v for v in values) - sum(values) ** 2, n)


def partitions(items: list[int], k: int) -> Iterator[list[list[int]]]:
    """Every way of putting the items into groups of at least k, in any order at all."""
    if not items:
        yield []
        return
    head, *rest = items

    def with_head(group: list[int], pool: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        if not pool:
            yield group, []
            return
        first, *others = pool
        yield from with_head([*group, first], others)
        for taken, left in with_head(group, others):
            yield taken, [first, *left]

    for group, left in with_head([head], rest):
        if len(group) >= k and (not left or len(left) >= k):
            for others in partitions(left, k):
                yield [group, *others]


def loss(values: list[int], sizes: list[int]) -> Fraction:
    total, at = Fraction(0), 0
    for size in sizes:
        total += squares(values[at : at + size])
        at += size
    return total


def plain_programme(values: list[int], k: int) -> list[int]:
    """f(j) = min f(i) + c(i, j), the largest last group among equals, in exact arithmetic."""
    n = len(values)
    one, two = [0], [0]
    for v in values:
        one.append(one[-1] + v)
        two.append(two[-1] + v * v)
    # Costs times a number that all sizes of groups divide are whole numbers too.
    times = math.lcm(*range(1, 2 * k))
    best: list[int | None] = [0, *[None] * n]
    cut = [0] * (n + 1)
    for j in range(k, n + 1):
        for i in range(max(0, j - 2 * k + 1), j - k + 1):
            before = best[i]
            if before is None:
                continue
            cost = times * (two[j] - two[i]) - times // (j - i) * (one[j] - one[i]) ** 2
            known = best[j]
            if known is None or before + cost < known:
                best[j], cut[j] = before + cost, i
    sizes: list[int] = []
    while n:
        sizes.append(n - cut[n])
        n = cut[n]
    return sizes[::-1]


@LAW
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=6), st.integers(1, 3))
def test_no_grouping_at_all_is_better(numbers: list[int], k: int) -> None:
    values = sorted(numbers)
    found = optimal_sizes(np.array(values, dtype=float), k).tolist()
    if len(values) < k:
        assert found == [len(values)]
        return
    least = min(
        sum((squares([values[i] for i in group]) for group in groups), Fraction(0))
        for groups in partitions(list(range(len(values))), k)
    )
    assert loss(values, found) == least


MAKERS: dict[str, Callable[[np.random.Generator, int], Values]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "lognormal": lambda rng, n: rng.lognormal(sigma=4.0, size=n),
    "integers": lambda rng, n: rng.integers(0, 30, n).astype(float),
    "few integers": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "equal": lambda rng, n: np.full(n, 0.1),
    "far from zero": lambda rng, n: 1e12 + rng.normal(size=n),
    "clumps": lambda rng, n: rng.integers(0, 5, n) * 1e6 + 1e-3 * rng.normal(size=n),
    "both signs and scales": lambda rng, n: rng.normal(size=n) ** 9,
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 8, 20, 33])
def test_the_loss_is_that_of_the_plain_programme(maker: str, k: int) -> None:
    rng = np.random.default_rng([k, len(maker)])
    for n in (1, k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 3 * k + 1, 5 * k + 2, 150):
        values = np.sort(MAKERS[maker](rng, n))
        exact = whole(values)
        found = optimal_sizes(values, k)
        assert found.dtype == np.int64
        assert found.sum() == n
        if n >= k:
            assert k <= found.min() <= found.max() <= max(2 * k - 1, 1)
            least = loss(exact, plain_programme(exact, k))
            assert loss(exact, found.tolist()) - least <= least / 10**12


@LAW
@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(1, 9))
def test_equally_good_cuts_are_decided_alike(numbers: list[int], k: int) -> None:
    # Multiples of lcm(1 … 17): the sum of squares of every group is a whole number.
    values = sorted(12252240 * v for v in numbers)
    if len(values) < k:
        return
    found = optimal_sizes(np.array(values, dtype=float), k).tolist()
    assert found == plain_programme(values, k)


@pytest.mark.parametrize("power", [-1060, -600, 600, 1010])
def test_huge_and_tiny_values_are_cut_as_moderate_ones(power: int) -> None:
    values = np.sort(np.random.default_rng(1).integers(1, 1000, 300).astype(float))
    np.testing.assert_array_equal(
        optimal_sizes(np.ldexp(values, power), 3), optimal_sizes(values, 3)
    )


def test_a_million_values_lose_no_digits() -> None:
    # Pairs so close that naive running sums over the file could not tell them from equal ones.
    centres = np.arange(333_333) * 3.0
    values = (centres[:, None] + np.array([0.0, 1e-6, 3e-6])).ravel()
    assert (optimal_sizes(values, 3) == 3).all()
    spread = np.sort(np.random.default_rng(2).normal(size=1_000_000))
    sizes = optimal_sizes(spread, 3)
    assert sizes.sum() == len(spread)
    assert sizes.min() == 3
    assert sizes.max() <= 5
    # A window between two cuts is cut as if it were the whole file.
    ends = np.cumsum(sizes)
    low, high = ends[150_000], ends[150_040]
    window = whole(spread[low:high])
    least = loss(window, plain_programme(window, 3))
    assert float(loss(window, sizes[150_001:150_041].tolist()) / least) == pytest.approx(1)


def test_large_groups_of_many_values() -> None:
    values = np.sort(np.random.default_rng(3).lognormal(size=100_000))
    sizes = optimal_sizes(values, 5_000)
    assert sizes.sum() == len(values)
    assert 5_000 <= sizes.min() <= sizes.max() < 10_000


def test_values_are_left_alone_and_nothing_makes_no_group() -> None:
    values = np.arange(20.0)
    values.setflags(write=False)
    optimal_sizes(values, 3)
    assert values.tolist() == list(range(20))
    assert optimal_sizes(np.empty(0), 3).tolist() == []


def test_what_cannot_be_cut_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        optimal_sizes(np.zeros(3), 0)
    with pytest.raises(ValueError, match="finite"):
        optimal_sizes(np.array([1.0, np.nan]), 1)
    with pytest.raises(ValueError, match="ascending"):
        optimal_sizes(np.array([2.0, 1.0]), 1)
