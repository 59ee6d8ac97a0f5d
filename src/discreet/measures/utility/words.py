"""Sentences that the notes of several measures of utility share."""

from __future__ import annotations

from discreet.microdata.decoded import Decoded


def lost(view: Decoded) -> str:
    """Return the sentence about columns about which a release says nothing; empty if there are
    none.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40], "sex": ["f", "m"]})
    >>> lost(Decoded(data, data.drop(["sex"]), ["age", "sex"]))
    'the release says nothing about sex, which counts as lost'
    """
    names = view.lost
    if not names:
        return ""
    counts = "counts" if len(names) == 1 else "count"
    return f"the release says nothing about {', '.join(names)}, which {counts} as lost"
