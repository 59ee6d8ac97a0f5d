"""`discreet verify` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import Discreet


@pytest.fixture
def answer(folder: Path, discreet_command: Discreet) -> Path:
    """The document of `protect --json` about a release in `out`."""
    said = discreet_command("protect", "plan.yaml", "--out", "out", "--json")
    assert said.code == 0
    (folder / "answer.json").write_text(said.out)
    return folder / "answer.json"


def test_a_release_is_verified_and_a_changed_one_is_not(
    answer: Path, discreet_command: Discreet
) -> None:
    for named in ("out", "answer.json"):
        found = discreet_command("verify", named)
        assert found.code == 0
        assert "k-anonymity" in found.out
        assert "The release matches its manifest" in found.out
    file = answer.parent / "out" / "release.csv"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    for named in ("out", "answer.json"):
        found = discreet_command("verify", named)
        assert found.code == 1
        assert "The release does not match its manifest." in found.out


def test_another_release_in_the_same_place_is_not_the_one_of_the_answer(
    answer: Path, discreet_command: Discreet
) -> None:
    discreet_command("protect", "plan.yaml", "--out", "out", "--overwrite")
    assert discreet_command("verify", "out").code == 0
    found = discreet_command("verify", "answer.json")
    assert found.code == 1
    assert "'manifest.json' is not the one that was published: its checksum differs" in found.out


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"result": null}', '{"result": {"releases": []}}',
     '{"result": {"releases": [{"directory": null, "files": []}]}}'],
)  # fmt: skip
def test_an_answer_without_a_release_is_told_in_one_sentence(
    folder: Path, discreet_command: Discreet, content: str
) -> None:
    (folder / "answer.json").write_text(content)
    found = discreet_command("verify", "answer.json")
    assert found.is_one_sentence()
    assert "does not name a release that was written" in found.err


def test_the_answer_says_what_does_not_hold(answer: Path, discreet_command: Discreet) -> None:
    (answer.parent / "out" / "release.csv").unlink()
    found = discreet_command("verify", "answer.json", "--json")
    [release] = json.loads(found.out)["result"]["releases"]
    assert found.code == 1
    assert release["faults"] == ["'release.csv' is missing"]


def test_what_is_no_release_is_told_in_one_line(folder: Path, discreet_command: Discreet) -> None:
    found = discreet_command("verify", ".")
    assert found.is_one_sentence()
    assert "holds no manifest.json" in found.err
