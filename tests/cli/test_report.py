"""`discreet report`: which pages were drawn, and why none was."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import Discreet


def test_the_pages_that_were_drawn_are_named(folder: Path, discreet_command: Discreet) -> None:
    discreet_command("protect", "plan.yaml", "--out", "out")
    drawn = discreet_command("report", "out")
    assert drawn.code == 0
    public, internal = (Path("out") / f"report-{word}.html" for word in ("public", "internal"))
    assert drawn.out == f"Wrote {public}\nWrote {internal}\n"
    (folder / "out" / "record.json").unlink()
    assert discreet_command("report", "out").out == f"Wrote {public}\n"


def test_what_is_no_release_is_told_in_one_sentence(
    folder: Path, discreet_command: Discreet
) -> None:
    for place in ("nowhere", ".", "people.csv"):
        assert discreet_command("report", place).is_one_sentence()
