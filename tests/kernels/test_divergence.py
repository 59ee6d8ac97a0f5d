"""The Jensen-Shannon divergence against entropies, and what the cutting of trees relies on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels.divergence import jensen_shannon, on_grid, weighted_jensen_shannon
from tests.kernels.crest_twin import (
    jsd,
)


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


def test_grid_is_exact_under_addition() -> None:
    rng = np.random.default_rng(3)
    for one, other in rng.random((100, 2)):
        total = on_grid(one) + on_grid(other)
        assert total == on_grid(total)
