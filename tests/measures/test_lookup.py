"""How persons are looked up in a recoded column."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.measures.lookup import asked_about, learned_from
from discreet.microdata import Microdata
from discreet.microdata.decoded import Decoded

ORIGINAL = discreet.read(
    {"age": [21, 33, 47, None], "town": ["a", "b", "c", "d"], "pay": [1.0, 2.0, 3.0, 4.0]}
)


def view(**columns: list[object]) -> Decoded:
    released = discreet.read({"pay": [1.0, 2.0, 3.0, 4.0], **columns})
    return Decoded(ORIGINAL, released, ["age", "town", "pay"])


def tables(seen: Decoded, quasi: list[str]) -> tuple[list[Microdata], Microdata]:
    learned = list(learned_from(seen, quasi, "pay", np.random.default_rng(1)))
    return learned, asked_about(seen, quasi, np.arange(4))


def test_values_of_a_recoding_have_one_label_each() -> None:
    seen = view(age=["20–39", "20–39", "40–49", None], town=["{a, b}", "{a, b}", "c", "c"])
    [learned], asked = tables(seen, ["age", "town"])
    assert learned["age"][:3].tolist() == [29.5, 29.5, 44.5]
    assert asked["age"][:3].tolist() == [29.5, 29.5, 44.5]
    assert np.isnan(asked["age"][3])
    assert asked["town"][0] == asked["town"][1] == learned["town"][0]
    # The town "d" has no label: it is like none that was seen.
    assert asked["town"][3] not in learned["town"]


def test_labels_that_overlap_are_drawn_from() -> None:
    seen = view(age=["20–39", "30–49", "30–49", "33"], town=["a", "b", "c", "d"])
    learned, asked = tables(seen, ["age", "town"])
    assert len(learned) == 5
    assert len({tuple(table["age"].tolist()) for table in learned}) > 1
    assert asked["age"][:3].tolist() == [21, 33, 47]


def test_a_suppressed_cell_is_a_value_of_its_own() -> None:
    seen = view(age=[21, 33, None, None], town=["a", None, "c", "d"])
    [learned], asked = tables(seen, ["age", "town"])
    assert np.isnan(learned["age"]).tolist() == [False, False, True, True]
    assert learned["town"][1] == -1
    assert asked["town"].tolist() == [0, 1, 2, 3]
