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


def test_only_a_sharing_context_keeps_what_was_found() -> None:
    done: list[int] = []
    for context, times in ((Context(), 2), (Context().sharing(), 1)):
        done.clear()
        for part in ("one", "other"):
            context.within(part).once("search", lambda: done.append(1))
        assert len(done) == times
    shared = Context().sharing()
    assert shared.once("a", lambda: None) is None
    assert shared.once("b", lambda: 1) == 1, "None is an answer, and other keys are other work"
    shared.forget()
    assert shared.once("b", lambda: 2) == 2, "what was forgotten is found again"
    Context().forget()
