"""The likelihood ratio test has the size of its level."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.regression_tree.likelihood_ratio import likelihood_ratio_p


def test_the_likelihood_ratio_has_the_size_of_its_level() -> None:
    rng = np.random.default_rng(7)
    draws = rng.normal(size=(4000, 30, 2))
    centred = draws - draws.mean(axis=1, keepdims=True)
    scatters = np.einsum("tij,tik->tjk", centred, centred)
    known = np.concatenate([[np.eye(2) * (10**6 - 1)], scatters])
    counts = np.array([10**6] + [30] * 4000)
    assert likelihood_ratio_p(known, counts)[0] == 1
    plain = (likelihood_ratio_p(known, counts)[1:] < 0.05).mean()
    adjusted = (likelihood_ratio_p(known, counts, adjusted=True)[1:] < 0.05).mean()
    # With 4,000 draws a share of 5 % has a standard error of 0.34 %.
    assert plain == pytest.approx(0.05, abs=0.015)
    assert abs(adjusted - 0.05) < 0.012
    assert adjusted < plain
