"""Which column is given away most, and the chance of a guess."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from discreet.contracts import Outcome
from discreet.errors import NotApplicable
from discreet.measures.secrets import chance_of, worst_of


def test_a_column_counts_by_what_the_release_adds() -> None:
    outcomes = {"pay": Outcome(0.9, 0.1, control=0.85), "ill": Outcome(0.4, 0.2)}
    worst = worst_of(outcomes)
    assert worst.detail["column"] == "ill"
    assert worst.by == {"pay": 0.9, "ill": 0.4}
    with pytest.raises(NotApplicable):
        worst_of({})


def test_luck_makes_no_column_the_worst() -> None:
    """Of two columns that chance may explain, the one counts that anybody guesses more often."""
    lucky = Outcome(0.2, 0.1, interval=(0.08, 0.4))
    usual = Outcome(0.5, 0.52, interval=(0.4, 0.6))
    assert worst_of({"lucky": lucky, "usual": usual}).detail["column"] == "usual"
    sure = replace(lucky, interval=(0.15, 0.4))
    assert worst_of({"sure": sure, "usual": usual}).detail["column"] == "sure"


@pytest.mark.parametrize(
    ("truth", "ruled_out", "chance"),
    [(0, 0, 1.0), (1, 0, 0.0), (1, 1, 0.5), (1, 2, 1.0), (3, 0, 0.0), (3, 9, 0.0)],
)
def test_chances_by_hand(truth: int, ruled_out: int, chance: float) -> None:
    """Five, three and three; the last value does not occur."""
    assert chance_of(np.arange(4), np.array([5, 3, 3, 0]), truth, ruled_out) == chance
