"""One decoded view for all measures of an assessment."""

from __future__ import annotations

import discreet
from discreet.contracts import Context, Pairing
from discreet.measures.view import alike, decoded, sizes_alike
from discreet.microdata.decoded import Decoded


def test_a_shared_view_is_that_of_each_measure() -> None:
    data = discreet.read({"age": [20, 40], "sex": ["f", "m"], "town": ["a", "b"]})
    released = discreet.read({"age": [20, None], "sex": ["f", None]})
    context, pairing = Context().sharing(), Pairing.same_order(2)
    one = decoded(data, released, ["age", "sex"], pairing, context)
    other = decoded(data, released, ["sex", "town"], pairing, context)
    alone = Decoded(data, released, ["sex", "town"], pairing.origin)
    assert one["sex"] is other["sex"]
    assert (one.names, one.lost) == (["age", "sex"], [])
    assert (other.names, other.lost) == (alone.names, alone.lost) == (["sex", "town"], ["town"])
    unpaired = decoded(data, released, ["sex"], None, context)
    assert unpaired["sex"] is not one["sex"], "what is missing depends on whose record it is"


def test_classes_are_counted_once_and_stay_as_they_are() -> None:
    data = discreet.read({"sex": ["f", "f", "m"], "town": ["a", "b", "b"]})
    shared = Context().sharing()
    for names, sizes in ((["sex"], [2, 2, 1]), (["town"], [1, 2, 2]), (["sex", "town"], [1] * 3)):
        labels = alike(data, names, shared)
        assert alike(data, names, shared.within("other")) is labels
        assert not labels.flags.writeable
        for context in (Context(), shared):
            assert sizes_alike(data, names, context).tolist() == sizes
