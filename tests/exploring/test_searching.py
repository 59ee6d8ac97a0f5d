"""A search that cannot begin leaves nothing open; what it may take is checked first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet import UsageError
from discreet.contracts import Progress
from discreet.errors import DataError
from discreet.exploring.candidates import from_registry
from discreet.exploring.searching import Effort, Search


@pytest.mark.parametrize(
    "wrong", [{"repeats": 0}, {"repeats": True}, {"cores": 0}, {"trial_megabytes": 0}]
)
def test_an_effort_that_leaves_nothing_to_run_is_told(wrong: dict[str, Any]) -> None:
    usual: dict[str, Any] = {
        "repeats": 1, "cores": None, "trial_budget": "1m", "trial_megabytes": 100,
    }  # fmt: skip
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Effort(**{**usual, **wrong})


def test_a_store_of_other_data_is_refused_and_can_be_removed(tmp_path: Path) -> None:
    candidates, effort = from_registry(["rounding"]), Effort(1, 1, "1m", 100)
    for ages, refused in (([21, 22], False), ([21, 23], True)):
        data = discreet.read({"age": ages}, roles={"age": "quasi-identifier"})

        def make(data: discreet.Microdata = data) -> Search:
            return Search(data, candidates, (), (), effort, tmp_path / "kept.sqlite", 1, Progress())

        if refused:
            with pytest.raises(DataError, match="belongs to a search on other data"):
                make()
        else:
            with make():
                pass
    (tmp_path / "kept.sqlite").unlink()
