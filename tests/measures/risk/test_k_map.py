"""k-map: the minimum number of people that a record could be."""

from __future__ import annotations

from typing import Any

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build

QI = "quasi-identifier"
K_MAP: Any = build("measure", "k-map")


def test_a_unique_with_doubles_outside_of_the_file() -> None:
    data = discreet.read({"zip": ["a", "b"], "sex": ["f", "m"]}, roles={"zip": QI, "sex": QI})
    everybody = {"zip": list("aaabb"), "sex": list("fffmm")}
    score = K_MAP.from_population(everybody).score(data, data, Context())
    assert score.value == 2
    assert score.per_record.tolist() == [3, 2]
    assert score.detail["k-anonymity"] == 1


def test_a_suppressed_cell_could_be_anybodys() -> None:
    data = discreet.read({"zip": ["a", "b"], "sex": ["f", "m"]}, roles={"zip": QI, "sex": QI})
    hidden = discreet.read({"zip": [None, "b"], "sex": ["f", "m"]}, roles={"zip": QI, "sex": QI})
    everybody = {"zip": list("aabcb"), "sex": list("fffmm")}
    score = K_MAP.from_population(everybody).score(data, hidden, Context())
    assert score.per_record.tolist() == [3, 1]


def test_a_register_without_a_column_compares_the_others() -> None:
    data = discreet.read({"zip": ["a", "b"], "sex": ["f", "m"]}, roles={"zip": QI, "sex": QI})
    score = K_MAP.from_population({"sex": list("fffmm")}).score(data, data, Context())
    assert score.per_record.tolist() == [3, 2]
