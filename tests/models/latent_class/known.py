"""A latent class model that is known, and records drawn from it."""

from __future__ import annotations

import numpy as np

from discreet.models.latent_class import LatentClassModel
from discreet.models.latent_class.model import Responses

SIZES = (2, 3, 2, 4, 2, 3)


def known_model() -> LatentClassModel:
    """Three classes that six attributes distinguish well, predicted by two regressors."""
    strong = {2: [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]],
              3: [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]],
              4: [[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6], [0.1, 0.6, 0.2, 0.1]]}  # fmt: skip
    # The order of the classes differs from attribute to attribute.
    tables = [np.roll(np.array(strong[size]), j, axis=0).T for j, size in enumerate(SIZES)]
    coefficients = np.array([[0.3, -0.4], [1.0, -0.8], [0.0, 1.2]])
    return LatentClassModel(coefficients, np.vstack(tables), SIZES)


def drawn(rows: int, seed: int = 3) -> tuple[np.ndarray, Responses]:
    generator = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), generator.standard_normal((rows, 2))])
    return x, Responses(known_model().draw(x, generator), SIZES)
