from __future__ import annotations

import io
from pathlib import Path

import discreet
from discreet.studio.steps_seen import Watching, keep_steps, kept_steps
from discreet.studio.telling import Telling


def test_what_each_step_did_is_seen_and_kept_for_the_owner_alone(tmp_path: Path) -> None:
    watching = Watching(Telling(io.StringIO()))
    discreet.protect(
        {"age": [21, 22, 40, 41], "pay": [1, 2, 3, 4]},
        [{"rounding": {"base": 10, "columns": ["age"]}}, {"rounding": {"columns": ["pay"]}}],
        roles={"age": "quasi-identifier", "pay": "confidential"},
        progress=watching,
    )
    assert [step.columns[0].name for step in watching.steps] == ["age", "pay"]
    file = tmp_path / "steps.json"
    keep_steps(file, watching.steps)
    assert file.stat().st_mode & 0o077 == 0
    seen = kept_steps(file)
    assert seen is not None
    assert seen.whole
    assert seen.of(2) == watching.steps[1]
    assert seen.of(3) is None


def test_what_cannot_be_read_is_not_known(tmp_path: Path) -> None:
    file = tmp_path / "steps.json"
    assert kept_steps(file) is None
    file.write_text('[{"number": 1}]')
    assert kept_steps(file) is None
