"""Likelihood and posteriors of a latent class model."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.latent_class import LatentClassModel
from discreet.models.latent_class.model import Responses
from tests.models.latent_class.known import drawn, known_model


def as_in_equation_12(
    model: LatentClassModel, x: np.ndarray, y: Responses
) -> tuple[float, np.ndarray]:
    """The log-likelihood and z_ig, record by record and class by class."""
    total, z = 0.0, np.zeros((len(y), model.classes))
    for i in range(len(y)):
        scores = [1.0, *(np.exp(x[i] @ model.coefficients[:, g]) for g in range(model.classes - 1))]
        for g in range(model.classes):
            z[i, g] = scores[g] / sum(scores)
            for j, code in enumerate(y.codes[i]):
                z[i, g] *= model.table(j)[code, g]
        total += np.log(z[i].sum())
        z[i] /= z[i].sum()
    return total, z


def test_likelihood_and_posteriors_are_those_of_equation_12() -> None:
    model = known_model()
    x, y = drawn(40)
    total, z = as_in_equation_12(model, x, y)
    likelihood = np.logaddexp.reduce(model.log_joint(x, y), axis=1).sum()
    assert likelihood == pytest.approx(total, rel=1e-12)
    assert model.posteriors(x, y) == pytest.approx(z, rel=1e-10)
