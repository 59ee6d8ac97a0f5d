"""Sentences that the notes of several measures of utility share."""

from __future__ import annotations

from discreet.microdata import Microdata
from discreet.microdata.decoded import Decoded
from discreet.microdata.weights import weight_column, weights_of


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


def lost_and_weighted(view: Decoded, original: Microdata) -> str:
    """Return both sentences, as far as they apply.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40]})
    >>> lost_and_weighted(Decoded(data, data, ["age"]), data)
    ''
    """
    return "; ".join(filter(None, [lost(view), weighted(original)]))


def weighted(original: Microdata) -> str:
    """Return the sentence that names the weights of the original; empty if all count the same.

    >>> import discreet
    >>> weighted(discreet.read({"w": [1, 3], "age": [20, 40]}, roles={"w": "weight"}))
    "weighted by 'w'"
    """
    return "" if weights_of(original) is None else f"weighted by '{weight_column(original)}'"
