"""`discreet demo`: the whole way on invented patients, and their file alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from tests.command_line import FILES, Discreet, names_in


@pytest.mark.usefixtures("few_neighbourhoods")
def test_the_demo(tmp_path: Path, patients: discreet.Microdata, discreet_command: Discreet) -> None:
    earlier = discreet.protect(patients, {"rounding": {"columns": ["age"]}})
    counted = discreet.assess(patients, earlier, ["k-anonymity"])
    out = earlier.write(tmp_path / "demo", assessment=counted)
    outcome = discreet_command("demo", "--out", str(out))  # replaces the earlier one
    assert outcome.code == 0
    assert "k-anonymity 5" in outcome.out
    assert "The release matches its manifest" in outcome.out
    assert discreet_command("verify", str(out)).code == 0
    assert names_in(out) == FILES
    assert "microaggregation" in (out / "manifest.json").read_text(encoding="utf-8")


def test_the_demo_writes_its_data(tmp_path: Path, discreet_command: Discreet) -> None:
    file = tmp_path / "mine.csv"
    for _ in range(2):  # the same again does no harm
        outcome = discreet_command("demo", "--data", str(file))
        assert outcome.code == 0, outcome.err
        told = f"3,000 invented patients; look at them with 'discreet describe {file}'."
        assert outcome.out == f"Wrote {file}: {told}\n"
        assert file.read_bytes() == discreet.datasets.path("patients").read_bytes()
        assert names_in(tmp_path) == {"mine.csv"}, "and nothing else is done"
    assert discreet_command("describe", str(file)).code == 0


def test_the_demo_puts_its_data_into_a_folder(tmp_path: Path, discreet_command: Discreet) -> None:
    assert discreet_command("demo", "--data", str(tmp_path)).code == 0
    assert names_in(tmp_path) == {"patients.csv"}


def test_the_demo_replaces_no_data_of_others(tmp_path: Path, discreet_command: Discreet) -> None:
    file = tmp_path / "patients.csv"
    file.write_text("age\n31\n")
    outcome = discreet_command("demo", "--data", str(file))
    assert outcome.code == 1
    assert outcome.err == f"discreet: '{file}' exists already; choose another name\n"
    assert file.read_text() == "age\n31\n"
    outcome = discreet_command("demo", "--data", str(tmp_path / "none" / "patients.csv"))
    assert outcome.code == 1
    assert "cannot be written: No such file or directory" in outcome.err
    outcome = discreet_command("demo", "--data", str(file), "--out", str(tmp_path / "demo"))
    assert outcome.code == 2
    assert "--data writes the patients only" in outcome.err


def test_the_demo_replaces_no_other_release(folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    record = (folder / "out" / "record.json").read_bytes()
    assert discreet_command("demo", "--out", "out").code == 1
    assert (folder / "out" / "record.json").read_bytes() == record
