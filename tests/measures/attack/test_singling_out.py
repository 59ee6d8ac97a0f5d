"""Singling out, worked by hand."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context, Randomness, Target
from discreet.measures.attack.singling_out import SinglingOut

QI = "quasi-identifier"


def table(values: list[float]) -> discreet.Microdata:
    return discreet.read({"age": values}, roles={"age": QI})


def test_a_description_must_fit_one_person_of_the_file_and_nobody_else() -> None:
    """Of four released ages 20 fits one person in the file, 30 two, 40 another one, 50 nobody."""
    outcome = SinglingOut().attempt(
        Target(table([20, 30, 30, 45]), table([20, 30, 40, 50]), None, table([40, 70, 80, 90])),
        Context(Randomness(1)),
    )
    assert outcome.detail["described by"].startswith(("the released values", "upper"))
    # By limits: at most 20 and at least 50 (three held back) and at most 30 (three): 20 alone.
    assert abs(outcome.success - 0.25) < 0.05
    assert outcome.control is not None


def test_labels_describe_all_values_that_they_stand_for() -> None:
    data = table([21, 35, 38, 52])
    released = discreet.read({"age": ["20–29", "30–39", "30–39", "50–59"]}, roles={"age": QI})
    outcome = SinglingOut().attempt(Target(data, released), Context(Randomness(1)))
    assert abs(outcome.success - 0.5) < 0.06
    assert outcome.control is None


def test_people_held_back_count_by_their_number() -> None:
    """A release of the people held back singles them out; the control says how often."""
    draw = np.random.default_rng(1)
    used, control = table(draw.normal(size=200).tolist()), table(draw.normal(size=100).tolist())
    outcome = SinglingOut().attempt(Target(used, control, None, control), Context(Randomness(1)))
    assert outcome.success < 0.2
    assert outcome.control is not None
    assert outcome.excess == 0.0
