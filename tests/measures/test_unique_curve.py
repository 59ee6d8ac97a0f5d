"""The curve of uniques: thinning by hand, and populations of which the truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.unique_curve import (
    curve,
    half_width,
    looked_back,
    own_error,
    thinned,
    unique_share,
)


def counted(labels: np.ndarray) -> dict[int, int]:
    sizes = np.bincount(labels)
    kinds, times = np.unique(sizes[sizes > 0], return_counts=True)
    return dict(zip(kinds.tolist(), times.tolist(), strict=True))


def test_thinning_gives_what_drawing_gives_on_average() -> None:
    draw = np.random.default_rng(1)
    labels = (4_000 * draw.random(4_000) ** 3).astype(int) % 1_500
    counts = counted(labels)
    drawn = [counted(labels[draw.random(4_000) < 0.3]) for _ in range(60)]
    expected = thinned(counts, 0.3)
    for size in (1, 2, 3):
        assert np.mean([d.get(size, 0) for d in drawn]) == pytest.approx(expected[size], rel=0.05)
    kept = sum(size * times for size, times in expected.items())
    assert kept == pytest.approx(0.3 * 4_000, rel=1e-6)
    assert unique_share(counts, 0.3) == pytest.approx(expected[1] / kept)
    assert unique_share(counts, 1.0) == pytest.approx(counts[1] / 4_000)


def test_what_is_ahead_is_looked_back_on_as_far_as_records_allow() -> None:
    assert looked_back({1: 10_000}, 0.1) == 0.1
    assert looked_back({1: 1_000}, 0.01) == 0.05


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.3])
def test_intervals_hold_the_truth(fraction: float) -> None:
    """Twenty populations of four columns that depend on each other: at most two intervals fail."""
    held, errors = 0, []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        age = draw.integers(0, 60, 40_000)
        job = (draw.zipf(1.6, 40_000) + age // 12) % 80
        town = draw.zipf(1.4, 40_000) % 30
        people = ((age * 80 + job) * 30 + town) * 2 + draw.integers(0, 2, 40_000)
        people = np.unique(people, return_inverse=True)[1].reshape(-1)
        sample = people[draw.permutation(40_000)[: int(40_000 * fraction)]]
        counts = counted(sample)
        truth = counted(people)[1] / 40_000 / (counts[1] / len(sample))
        chance, off = curve(counts, fraction), own_error(counts, fraction, curve)
        errors.append(abs(np.log(chance / truth)))
        held += errors[-1] <= half_width(counts, fraction, chance, off)
    assert held >= 18
    assert np.mean(errors) < 0.5
