"""Class probabilities that follow the numbers of a record."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.latent_class import prior
from discreet.models.latent_class.model import draw_rows
from discreet.models.latent_class.prior import Design, Regressors, fit_priors, priors_at


def test_priors_of_a_known_logit_come_back() -> None:
    generator = np.random.default_rng(8)
    x = np.column_stack([np.ones(20_000), generator.standard_normal((20_000, 2))])
    truth = np.array([[0.5, -1.0], [1.5, 0.2], [-0.7, 0.9]])
    classes = draw_rows(priors_at(x, truth).values, generator.random(20_000))
    found = fit_priors(Design(x), np.eye(3)[classes], priors_at(x, np.zeros((3, 2))), 30)
    assert np.abs(found.coefficients - truth).max() < 0.08
    # The score equation of the constant: the mean prior of each class is its share.
    assert found.values.mean(axis=0) == pytest.approx(np.bincount(classes) / 20_000, rel=1e-8)


def test_classes_that_points_tell_apart_completely_do_no_harm() -> None:
    points = np.concatenate([np.linspace(-3, -1, 60), np.linspace(1, 3, 60)])[:, None]
    x = Regressors.fit(points).matrix(points)
    shares = np.eye(2)[(points[:, 0] > 0).astype(int)]
    found = fit_priors(Design(x), shares, priors_at(x, np.zeros((2, 1))), 50)
    assert np.isfinite(found.coefficients).all()
    assert found.values[0] == pytest.approx([1, 0], abs=1e-3)


@pytest.mark.parametrize("room", [10_000_000, 60])
def test_the_curvature_is_the_sum_over_records(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prior, "ROOM", room)
    rng = np.random.default_rng(3)
    x, p = rng.standard_normal((40, 3)), rng.dirichlet(np.ones(4), 40)
    slow = np.zeros((9, 9))
    for row, chances in zip(x, p[:, 1:], strict=True):
        slow += np.kron(np.diag(chances) - np.outer(chances, chances), np.outer(row, row))
    assert Design(x).curvature(p) == pytest.approx(slow)
