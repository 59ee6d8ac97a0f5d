"""`discreet hierarchy`: from the proposal to the edited file in a plan."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import Discreet, write_rows


def test_proposed_written_and_checked(folder: Path, discreet_command: Discreet) -> None:
    write_rows(
        folder, "age,country", [f"{20 + i % 30},{'DE' if i % 3 else 'NZ'}" for i in range(60)]
    )
    shown = discreet_command("hierarchy", "file.csv", "country", "--out", "countries.csv")
    assert shown.code == 0, shown.err
    assert "the known tree 'countries'" in shown.out
    assert "  Oceania  20\n" in shown.out
    written = (folder / "countries.csv").read_text(encoding="utf-8").splitlines()
    assert written[:2] == ["level_0;level_1;level_2;level_3", "DE;Western Europe;Europe;*"]
    assert (
        discreet_command("hierarchy", "file.csv", "country", "--check", "countries.csv").code == 0
    )
    again = discreet_command("hierarchy", "file.csv", "country", "--out", "countries.csv")
    assert again.code == 1
    assert "--overwrite" in again.err


def test_numbers(folder: Path, discreet_command: Discreet) -> None:
    write_rows(folder, "age,b", [f"{20 + i % 30},1" for i in range(60)])
    shown = discreet_command("hierarchy", "file.csv", "age", "--width", "10")
    assert "20–29  20\n" in shown.out
    assert (
        "about equal counts"
        in discreet_command("hierarchy", "file.csv", "age", "--groups", "3").out
    )


def test_what_does_not_fit_is_refused(folder: Path, discreet_command: Discreet) -> None:
    write_rows(folder, "age,b", [f"{20 + i % 30},1" for i in range(60)])
    assert discreet_command("hierarchy", "file.csv", "aeg").code == 2
    (folder / "h.csv").write_text("20;young\n21;young\n")
    checked = discreet_command("hierarchy", "file.csv", "age", "--check", "h.csv")
    assert checked.code == 1
    assert "28 are not among its 2 categories" in checked.err
    both = discreet_command("hierarchy", "file.csv", "age", "--check", "h.csv", "--width", "5")
    assert both.code == 2
