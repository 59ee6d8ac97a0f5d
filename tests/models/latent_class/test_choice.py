"""The number of classes by BIC."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context, Randomness
from discreet.models.latent_class import choose
from tests.models.latent_class.known import SIZES, drawn


def test_bic_finds_the_number_of_classes() -> None:
    x, y = drawn(3000)
    model = choose(x, y, range(1, 6), 0.01, Context(Randomness(2)))
    assert model.classes == 3
    free = 3 * 2 + 3 * (sum(SIZES) - len(SIZES))
    assert model.free == free
    assert model.bic == pytest.approx(2 * model.log_likelihood - free * np.log(3000))
