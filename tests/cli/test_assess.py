"""`discreet assess`: a released file beside its original."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import Discreet


def test_assessing_without_the_record_says_what_is_left_out(
    folder: Path, discreet_command: Discreet
) -> None:
    discreet_command("protect", "plan.yaml", "--out", "out")
    (folder / "out" / "record.json").unlink()
    arguments = ["--plan", "plan.yaml", "--original", "people.csv", "--released", "out/release.csv"]
    outcome = discreet_command("assess", *arguments)
    assert outcome.code == 0
    assert "left out: distance-linkage" in outcome.out
    chosen = discreet_command("assess", *arguments, "--measure", "k-anonymity")
    assert "ABIM" not in chosen.out
    public = discreet_command("report", "out")
    assert public.code == 0
    assert "internal" not in public.out


def test_assessing_a_file_that_lacks_columns_says_so(
    folder: Path, discreet_command: Discreet
) -> None:
    rows = (folder / "people.csv").read_text(encoding="utf-8").splitlines()
    shorter = [row.rsplit(",", 1)[0] for row in rows]
    (folder / "shorter.csv").write_text("\n".join(shorter) + "\n", encoding="utf-8")
    arguments = ["--plan", "plan.yaml", "--original", "people.csv", "--released", "shorter.csv"]
    outcome = discreet_command("assess", *arguments, "--measure", "k-anonymity")
    assert outcome.code == 0, outcome.err
    assert "lacks 'income' of the original" in outcome.err


def test_the_intruder_of_a_recorded_release_knows_the_plan(
    folder: Path, discreet_command: Discreet
) -> None:
    discreet_command("protect", "plan.yaml", "--out", "out")
    arguments = ["--plan", "plan.yaml", "--original", "people.csv", "--released", "out"]
    outcome = discreet_command("assess", *arguments, "--measure", "strongest-linkage")
    assert outcome.code == 0, outcome.err
    assert "strongest-linkage: by " in outcome.out
    assert "no attack that knows the method was tried" not in outcome.out
