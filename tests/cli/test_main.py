"""The command line: commands, their help, and errors in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Discreet


def test_every_command_has_help(discreet_command: Discreet) -> None:
    overview = discreet_command("--help")
    for name in ("describe", "protect", "assess", "report", "methods", "demo"):
        assert name in overview.out
        assert "Usage" in discreet_command(name, "--help").out
    assert discreet_command().code == 2
    assert "mdav" in discreet_command("methods").out


def test_an_unforeseen_error_shows_nothing_of_the_data(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("could not convert 'Smith'")

    monkeypatch.setattr("discreet.release.assessing.assess", broken)
    outcome = discreet_command("protect", "plan.yaml", "--out", "out")
    assert outcome.code == 1
    assert "Smith" not in outcome.err
    assert "ValueError" in outcome.err


@pytest.mark.parametrize(
    "text", [b"age,sex\n1,f\n2\n", "age,sex\n1,f\n2,ß\n".encode("latin-1") + b"\x81\n"]
)
def test_messages_start_with_a_small_letter(
    folder: Path, discreet_command: Discreet, text: bytes
) -> None:
    (folder / "bad.csv").write_bytes(text)
    said = discreet_command("describe", "bad.csv", "--encoding", "utf-8")
    assert said.code == 1
    assert said.err.removeprefix("discreet: ")[0].islower()
