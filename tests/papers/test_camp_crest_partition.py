"""Li & Sarkar (2013), §3 and §4: the figures of the nine patients, with the spec's correction."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.divergence import (
    jensen_shannon,
    kullback_leibler,
    weighted_jensen_shannon,
)

FILE = np.array([3 / 9, 6 / 9])  # circles (positive) and squares (negative) of Figure 1


def test_kullback_leibler_of_the_all_circle_group() -> None:
    middle = np.array([2 / 3, 1 / 3])
    assert kullback_leibler(np.array([1.0, 0.0]), middle) == pytest.approx(0.585, abs=5e-4)
    assert kullback_leibler(FILE, middle) == pytest.approx(0.333, abs=5e-4)


@pytest.mark.parametrize(("counts", "value"), [((3, 0), 0.4591), ((0, 3), 0.1909), ((1, 2), 0.0)])
def test_divergence_of_the_groups(counts: tuple[int, int], value: float) -> None:
    assert jensen_shannon(np.array(counts), 3, FILE) == pytest.approx(value, abs=5e-5)


def test_weighted_divergence_of_figure_1_and_of_figure_2() -> None:
    """0.2803; the paper's 0.323 has a KLD of 0.585 where the JSD of 0.459 belongs."""
    figure_1 = np.array([[3, 0], [0, 3], [0, 3]])
    assert weighted_jensen_shannon(figure_1, FILE) == pytest.approx(0.2803, abs=5e-5)
    assert weighted_jensen_shannon(np.array([[1, 2]] * 3), FILE) == 0.0


def test_divergence_is_between_0_and_1_and_largest_for_what_the_file_hardly_has() -> None:
    rare = np.array([1e-9, 1 - 1e-9])
    assert jensen_shannon(np.array([4, 0]), 4, rare) == pytest.approx(1.0, abs=1e-6)


def test_lemma_1_cutting_never_lowers_the_divergence() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        count = int(rng.integers(2, 6))
        file = rng.dirichlet(np.ones(count))
        parts = rng.integers(0, 9, (int(rng.integers(2, 5)), count))
        parts[:, 0] += 1
        whole = parts.sum(axis=0)
        parent = jensen_shannon(whole, int(whole.sum()), file)
        assert weighted_jensen_shannon(parts, file) >= parent - 1e-14
