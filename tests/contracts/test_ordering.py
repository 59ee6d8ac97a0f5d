"""Columns in order: what a method must say that treats them so."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, InOrder, Method


class Plain(Method):
    """Says nothing about order."""


def test_a_method_that_does_not_say_how_is_told() -> None:
    data = discreet.read({"x": [1.0, 3.0]})
    column = InOrder(data.schema["x"], data["x"], np.arange(2), 0)
    assert len(column) == 2
    assert column.room(3, np.int64).dtype == np.int64
    assert Plain().ties("x", Context()) is None
    with pytest.raises(TypeError, match="which columns it treats in order"):
        Plain().ordered(data)
    with pytest.raises(TypeError, match="how to treat a column in order"):
        Plain().in_order(column, None, Context())
