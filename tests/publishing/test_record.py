"""The private record: what is read back, and what is no record."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import discreet
from discreet.errors import DataError
from discreet.publishing.record import pairing_from, read_record, seed_from, states_synthetic
from discreet.release.plan import Plan
from tests.command_line import Discreet, write_people

ROLES = {
    "name": "identifier",
    **dict.fromkeys(("age", "height", "town"), "quasi-identifier"),
    "income": "confidential",
}

BROKEN_RECORDS = [
    {"seed": None, "origin": [], "release": {"sha256": ""}, "report": {}},
    {"seed": 1, "origin": [], "release": {}, "report": {}},
    {"seed": 1, "origin": [], "release": [], "report": {}},
    {"seed": 1, "origin": [], "release": {"sha256": ""}},
    [],
]


@pytest.mark.parametrize("broken", BROKEN_RECORDS)
def test_broken_records(broken: object, folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    (folder / "out" / "record.json").write_text(json.dumps(broken))
    files = ["--original", "people.csv", "--released", "out/release.csv"]
    for command in (
        ["protect", "plan.yaml", "--out", "b", "--seed-file", "out/record.json"],
        ["assess", "--plan", "plan.yaml", *files],
        ["report", "out"],
    ):
        assert discreet_command(*command).is_one_sentence()


RECORD = json.dumps({"seed": 12345, "origin": [], "release": {"sha256": ""}, "report": {}})


@pytest.mark.parametrize("text", ["12345", " 12345\n", RECORD])
def test_a_seed_file_holds_a_number_or_is_a_record(text: str, tmp_path: Path) -> None:
    file = tmp_path / "seed"
    file.write_text(text, encoding="utf-8")
    assert seed_from(file).reveal() == 12345


@pytest.mark.parametrize("text", ["", "-1", "1.5", "0x1F", "１２", "9" * 1001, "{}", "\x00"])
def test_what_is_no_seed_is_not_quoted(text: str, tmp_path: Path) -> None:
    file = tmp_path / "seed"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="a whole number and nothing else") as caught:
        seed_from(file)
    assert not text or text not in str(caught.value).replace(str(file), "")


def test_a_pairing_is_that_of_the_file_beside_the_record(folder: Path) -> None:
    data = discreet.read("people.csv", roles=ROLES)
    release = discreet.protect(data, "microaggregation", seed=1)
    file = release.write("out") / "release.csv"
    pairing = pairing_from(None, file, len(data))
    assert pairing is not None
    assert pairing.origin.tolist() == release.origin.tolist()
    assert pairing.groups is not None
    assert release.groups is not None
    assert pairing.groups.labels.tolist() == release.groups.labels.tolist()
    assert not states_synthetic(None, file)
    with pytest.raises(DataError, match="more original records than the 30 given"):
        pairing_from(None, file, 30)
    record = file.parent / "record.json"
    content = json.loads(record.read_text("utf-8"))
    content["groups"][0] = 10**30
    record.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match="it states a group with a number larger than"):
        pairing_from(None, file, len(data))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small file, its plan and its release."""
    place = write_people(tmp_path_factory.mktemp("recorded"))
    Plan.load(place / "plan.yaml").run().write(place / "out")
    return place


@pytest.mark.parametrize(
    ("key", "stated"),
    [
        ("groups", [None]), ("groups", ["1"]), ("groups", [1.5]), ("groups", "1"),
        ("groups", [[1], [2, 3]]), ("origin", [None, 1]), ("origin", ["a"]), ("origin", [True]),
        ("held back", [None]), ("held back", {}), ("held back", 3), ("plan", []),
        ("plan", {"release": []}), ("columns drawn within groups", [[]]),
    ],
)  # fmt: skip
def test_a_damaged_record_is_told_in_a_sentence(
    key: str,
    stated: object,
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    discreet_command: Discreet,
) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    record = tmp_path / "out" / "record.json"
    content = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**content, key: stated}), encoding="utf-8")
    files = ["--original", "people.csv", "--released", "out/release.csv"]
    assert discreet_command("assess", "--plan", "plan.yaml", *files).is_one_sentence()


def test_a_record_of_brackets_is_none(tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(DataError, match="is not a record of a release"):
        read_record(tmp_path / "record.json")


def test_a_record_of_another_file_is_passed_over_unless_it_was_named(folder: Path) -> None:
    data = discreet.read("people.csv", roles=ROLES)
    place = discreet.protect(data, "microaggregation", seed=1).write("out")
    other = place / "other.csv"
    other.write_text("age\n31\n", encoding="utf-8")
    assert pairing_from(None, other, len(data)) is None
    with pytest.raises(DataError, match="does not belong to"):
        pairing_from(place / "record.json", other, len(data))


def test_without_a_record_nothing_is_known(folder: Path) -> None:
    assert pairing_from(None, folder / "people.csv", 40) is None
    assert not states_synthetic(None, folder / "people.csv")
    with pytest.raises(DataError, match="does not exist"):
        pairing_from(folder / "none.json", folder / "people.csv", 40)


def test_synthetic_records_are_known_to_have_no_original(folder: Path) -> None:
    data = discreet.read("people.csv", roles=ROLES)
    file = discreet.protect(data, "sequential-regression", seed=1).write("out") / "release.csv"
    assert states_synthetic(None, file)
    assert pairing_from(None, file, len(data)) is None


def test_damaged_files_beside_a_record_are_told(folder: Path) -> None:
    data = discreet.read("people.csv", roles=ROLES)
    file = discreet.protect(data, "microaggregation", seed=1).write("out") / "release.csv"
    record = file.parent / "record.json"
    content = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**content, "origin": {"parts": "origin"}}), encoding="utf-8")
    (file.parent / "origin").mkdir()
    (file.parent / "origin" / "part-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataError, match="private folder 'origin' is damaged"):
        pairing_from(None, file, len(data))
    record.write_text(json.dumps({**content, "origin": {"parts": "/elsewhere"}}), encoding="utf-8")
    with pytest.raises(DataError, match="is not a record of a release"):
        pairing_from(None, file, len(data))
