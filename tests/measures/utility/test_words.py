"""The sentence about lost columns."""

from __future__ import annotations

import discreet
from discreet.measures.utility.words import lost
from discreet.microdata.decoded import Decoded


def test_columns_that_are_lost_are_named() -> None:
    data = discreet.read({"age": [20, 40], "sex": ["f", "m"]})
    assert lost(Decoded(data, data, ["age", "sex"])) == ""
    stars = discreet.read({"age": ["*", "*"]})
    assert lost(Decoded(data, stars, ["age", "sex"])).endswith("age, sex, which count as lost")
