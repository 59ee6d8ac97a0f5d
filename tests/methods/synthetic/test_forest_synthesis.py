"""Forest synthesis: as CART synthesis, smoother."""

from __future__ import annotations

import numpy as np
import pytest

from discreet import ForestSynthesis, UsageError
from discreet.contracts import Context, Randomness
from tests.models.sequential.mixed import mixed


def test_everything_is_synthetic_on_request() -> None:
    data = mixed()
    masked = ForestSynthesis(trees=6, everything=True).protect(data, Context(Randomness(1)))
    made = masked.data
    assert (masked.origin == -1).all()
    assert made.column("y").missing.mean() == pytest.approx(0.1, abs=0.03)
    present = ~made.column("y").missing
    sign = np.where(np.isin(made["town"], [1, 4]), 1, -1)
    assert np.corrcoef(made["y"][present], (sign * made["x"] ** 2)[present])[0, 1] > 0.6
    with pytest.raises(UsageError, match="ForestSynthesis with everything synthesises all columns"):
        ForestSynthesis(everything=True, columns=["x"]).protect(data, Context())


def test_only_the_columns_asked_for_change() -> None:
    data = mixed(300)
    made = ForestSynthesis(trees=3, columns=["x"]).protect(data, Context(Randomness(2))).data
    for column in data:
        assert made.column(column.name).same_as(column) == (column.name != "x")
