"""Distance linkage: how often a released record's nearest originals include its own.

Both measures of the papers differ only in how many candidates the intruder looks at, so they share
this definition: standardised Euclidean distance on the quasi-identifiers, nominal 0/1, and ties
count one over the number tied.
"""

from __future__ import annotations

from discreet.comparison import comparable, in_same_categories
from discreet.contracts import Context, NotApplicable, Pairing, Score
from discreet.embedding import Embedding
from discreet.microdata import Microdata
from discreet.neighbours import own_among_nearest


def linked_share(
    original: Microdata,
    released: Microdata,
    context: Context,
    pairing: Pairing | None,
    candidates: int,
) -> Score:
    """Return the share of released records whose own original is among the nearest candidates."""
    names = comparable(original, released, original.quasi_identifiers)
    if not names:
        raise NotApplicable("no quasi-identifier was released on its original scale")
    if pairing is None:
        raise NotApplicable("it needs to know which original each released record came from")
    if not len(released):
        raise NotApplicable("the release has no records")
    released = in_same_categories(original, released, names)
    embedding = Embedding.fit(original, names, also=released)
    linked = own_among_nearest(
        embedding.points(original), embedding.points(released), pairing.origin, candidates, context
    )
    return Score(
        float(linked.mean()),
        per_record=linked,
        detail={"columns": names, "expected by chance": min(1.0, candidates / len(original))},
    )
