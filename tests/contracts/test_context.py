"""The context: random streams and progress, handed down."""

from __future__ import annotations

from discreet.contracts import Context, Randomness


def test_contexts_within_one_another_have_their_own_streams() -> None:
    context = Context(Randomness(1))
    inner = context.within("step 1", "noise")
    assert inner.path == ("step 1", "noise")
    assert context.path == ()
    assert inner.generator("x").random() != context.generator("x").random()
    assert inner.generator("x").random() == Randomness(1).generator("step 1", "noise", "x").random()
