"""A table in memory, read as a large file is."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import STRETCH, Context, Fitted, InMemory, Method, Randomness, in_stretches


def test_pieces_are_the_table() -> None:
    data = discreet.read({"x": np.arange(STRETCH + 10.0), "y": np.zeros(STRETCH + 10)})
    pieces = list(InMemory(data).pieces(["x"]))
    assert [len(piece) for piece in pieces] == [STRETCH, 10]
    assert np.array_equal(np.concatenate([piece["x"] for piece in pieces]), data["x"])
    assert pieces[0].schema.names == ("x",)
    assert len(InMemory(data)) == len(data)
    assert len(InMemory(data).head) == 0


def test_combinations_are_counted_with_gaps() -> None:
    data = discreet.read({"x": [2.0, None, 2.0, None, 1.0], "s": list("abaab")})
    table, times = InMemory(data).combinations(["x", "s"])
    assert np.array_equal(table["x"], [2.0, np.nan, np.nan, 1.0], equal_nan=True)
    assert table["s"].tolist() == [0, 1, 0, 1]
    assert times.tolist() == [2, 1, 1, 1]


def test_random_numbers_belong_to_rows() -> None:
    context = Context(Randomness(1))
    draw = lambda rng, rows: rng.standard_normal(rows)  # noqa: E731
    whole = in_stretches(context, "noise", 0, 3 * STRETCH, draw)
    parts = [in_stretches(context, "noise", at * STRETCH, STRETCH, draw) for at in range(3)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert np.array_equal(whole[:5], context.generator("noise").standard_normal(5))
    assert len(np.unique(whole)) == len(whole)


def test_a_method_that_says_nothing_needs_the_whole_file() -> None:
    class Plain(Method):
        """A method without passes."""

        spec = discreet.Rounding.spec

    data = discreet.read({"x": [1.0]})
    with pytest.raises(TypeError, match="does not say how to treat a file in passes"):
        Plain().fit(InMemory(data), Context())
    assert Fitted((), lambda rows, context, first: []).claims == ()
