"""Student’s t with exact moments."""

from __future__ import annotations

import numpy as np

from discreet.models.mixture.student import exact_student


def test_exact_student_has_the_moments_and_long_tails() -> None:
    values = np.random.default_rng(1).normal(size=(20000, 2)) @ np.array([[1, 0.5], [0, 1]])
    made = exact_student(values, 4.0, np.random.default_rng(2))
    assert np.allclose(made.mean(axis=0), values.mean(axis=0), atol=1e-12)
    assert np.allclose(np.cov(made.T), np.cov(values.T), rtol=1e-10)
    assert (made**4).mean() / (made**2).mean() ** 2 > 4.5
    few = exact_student(values[:3], 4.0, np.random.default_rng(2))
    assert np.allclose(np.cov(few.T), np.cov(values[:3].T), rtol=1e-9)
