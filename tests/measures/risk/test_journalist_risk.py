"""Journalist risk: one over the people that a record could be."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build

QI = "quasi-identifier"
PEOPLE = {"age": [21, 24, 28, 33, 35, 35], "sex": list("ffmfmm")}


def journalist(**parameters: Any) -> Any:
    return build("measure", {"journalist-risk": parameters})


@pytest.mark.parametrize(
    ("summary", "value"), [("highest", 1.0), ("average", (1 / 2 + 1 / 2 + 1) / 3), ("above", 1 / 3)]
)
def test_recoded_ages_in_a_register(summary: str, value: float) -> None:
    data = discreet.read({"age": [21, 35, 33], "sex": list("fmf")}, roles={"age": QI, "sex": QI})
    bands = {"age": ["20–29", "30–39", "30–39"], "sex": list("fmf")}
    released = discreet.read(bands, roles={"age": QI, "sex": QI})
    measure = journalist(summary=summary, threshold=0.5).from_population(PEOPLE)
    score = measure.score(data, released, Context())
    # Two women in their twenties, two men and one woman in their thirties.
    assert score.per_record.tolist() == pytest.approx([1 / 2, 1 / 2, 1])
    assert score.value == pytest.approx(value)
    assert score.interval is None


def test_it_is_never_above_the_prosecutors() -> None:
    data = discreet.read({"sex": list("ffmmm")}, roles={"sex": QI})
    mine = journalist().from_population(PEOPLE).score(data, data, Context())
    other: Any = build("measure", "prosecutor-risk")
    assert (mine.per_record <= other.score(data, data, Context()).per_record).all()


def test_an_estimate_has_the_mean_of_one_over_the_population() -> None:
    data = discreet.read({"age": [30, 30, 41], "w": [60, 50, 8]}, roles={"age": QI, "w": "weight"})
    score = journalist().score(data, data, Context())
    assert score.per_record.tolist() == pytest.approx([0.017144262, 0.017144262, 0.297063077])
    low, high = score.interval
    assert low < score.value < high == 1.0
