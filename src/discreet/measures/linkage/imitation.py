"""The intruder's own runs of the method: pairs for which the truth is known."""

from __future__ import annotations

from discreet.contracts import Context, Imitated, Pairing
from discreet.errors import NotApplicable

ENOUGH, MOST_RUNS = 10_000, 5
"""Pairs to learn from, and runs of the method to get them."""


def imitations(pairing: Pairing, records: int, context: Context) -> list[Imitated]:
    """Return what the method produces from the original with other random numbers.

    >>> from discreet.contracts import Context, Pairing
    >>> imitations(Pairing.same_order(3), 3, Context())
    Traceback (most recent call last):
    discreet.errors.NotApplicable: the method is not known, ...
    """
    if pairing.imitate is None:
        raise NotApplicable(
            "the method is not known, only its outcome; assess the release itself, or give its "
            "private record"
        )
    runs = [
        pairing.imitate(context.within("imitation", number))
        for number in range(min(MOST_RUNS, max(1, ENOUGH // max(records, 1))))
    ]
    known = [run for run in runs if run is not None and len(run.released) and run.origin.min() >= 0]
    if not known:
        raise NotApplicable("the method draws records that do not come from a single original")
    return known
