"""What a search recommends for a real file keeps half of the association, and every column."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.explored_files import FILES, Outcome, searched
from discreet.exploring.exploration import Exploration


@pytest.mark.usefixtures("trials_in_process")
def test_a_search_in_the_diabetes_file(reference_data: Path) -> None:
    data = FILES["pima"](reference_data)
    candidates = [{"rank-swapping": {"p": {"try": [40, 60, 80]}}}]
    # The time is more than enough: how fast the machine is must not matter.
    outcome = searched(data, "20m", candidates)
    assert outcome.exploration.recommended is not None
    assert outcome.passes, (outcome.kept, outcome.lost)


@pytest.mark.parametrize(
    ("kept", "lost", "passes"), [(0.5, (), True), (0.49, (), False), (0.9, ("age",), False)]
)
def test_what_passes(kept: float, lost: tuple[str, ...], passes: bool) -> None:
    assert Outcome(Exploration((), (), ()), kept, 1 - kept, lost).passes is passes
