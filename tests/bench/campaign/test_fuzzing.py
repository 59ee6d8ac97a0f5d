"""Mutated inputs: the sound ones are taken, and a quoted record is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.campaign.faults import Fault
from bench.campaign.fuzzing import refuse_quoted_towns, try_input
from bench.campaign.inputs import all_inputs


def test_sound_inputs_are_accepted(tmp_path: Path) -> None:
    inputs = all_inputs(tmp_path / "sound")
    assert len({given.kind for given in inputs}) == len(inputs)
    for given in inputs:
        assert try_input(given, [], tmp_path / "case") == "accepted", given.kind


def test_a_record_in_a_message_is_a_fault() -> None:
    content = b"age,town\n20,Ziegelau\n"
    with pytest.raises(Fault, match="quotes a value"):
        refuse_quoted_towns("Ziegelau is no number", content, "csv described")
    refuse_quoted_towns("no column Ziegelau", b"Ziegelau\n20\n", "csv described")
    refuse_quoted_towns("category 'Ziegelau' adds up to 2", content, "matrix")
