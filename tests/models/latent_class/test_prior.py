"""Class probabilities that follow the numbers of a record."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.latent_class.model import draw_rows
from discreet.models.latent_class.prior import Regressors, fit_priors, priors


def test_priors_of_a_known_logit_come_back() -> None:
    generator = np.random.default_rng(8)
    x = np.column_stack([np.ones(20_000), generator.standard_normal((20_000, 2))])
    truth = np.array([[0.5, -1.0], [1.5, 0.2], [-0.7, 0.9]])
    classes = draw_rows(priors(x, truth), generator.random(20_000))
    found = fit_priors(x, np.eye(3)[classes], np.zeros((3, 2)), 30)
    assert np.abs(found - truth).max() < 0.08
    # The score equation of the constant: the mean prior of each class is its share.
    assert priors(x, found).mean(axis=0) == pytest.approx(np.bincount(classes) / 20_000, rel=1e-8)


def test_classes_that_points_tell_apart_completely_do_no_harm() -> None:
    points = np.concatenate([np.linspace(-3, -1, 60), np.linspace(1, 3, 60)])[:, None]
    x = Regressors.fit(points).matrix(points)
    found = fit_priors(x, np.eye(2)[(points[:, 0] > 0).astype(int)], np.zeros((2, 1)), 50)
    assert np.isfinite(found).all()
    assert priors(x, found)[0] == pytest.approx([1, 0], abs=1e-3)
