"""The three summaries of chances, by their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.reidentification import SUMMARIES, summarised


def test_each_summary_by_hand() -> None:
    risks = np.array([1.0, 0.5, 0.5, 0.25])
    values = [summarised(risks, summary, 0.25).value for summary in SUMMARIES]
    assert values == pytest.approx([1.0, 2.25 / 4, 3 / 4])
    assert summarised(risks, "average", 0.25).detail["records with it"] == 1


def test_only_the_highest_chance_has_an_interval() -> None:
    risks = np.array([0.5, 0.1])
    assert summarised(risks, "highest", 0.2, highest=(0.4, 0.7)).interval == (0.4, 0.7)
    assert summarised(risks, "average", 0.2, highest=(0.4, 0.7)).interval is None
