"""The model behind a release."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import UsageError
from discreet.release.modelling import model_of, refuse_without_model
from tests.models.sequential.people import people


def test_the_model_is_the_one_that_the_release_was_drawn_from() -> None:
    data = people()
    method = discreet.CartSynthesis(everything=True, columns=None)
    release = discreet.protect(data, method, seed=5, shuffle=False)
    model = model_of(release)
    drawn = model.draw(len(data), Context(release.randomness).within("step 1", "cart-synthesis"))
    # The first column has no gaps: the same generator gives the same values.
    assert np.array_equal(drawn["age"], release.data["age"])


def test_two_steps_have_no_model() -> None:
    steps = [discreet.CartSynthesis(everything=True), discreet.AdditiveNoise()]
    with pytest.raises(UsageError, match="cart-synthesis and additive-noise"):
        refuse_without_model(steps)
