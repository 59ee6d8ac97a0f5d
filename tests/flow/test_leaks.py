"""What must not get out, must not be claimed and must not be lost: each once went wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from tests.command_line import PLAN, Discreet, Outcome

QI = "quasi-identifier"


def _visits(folder: Path) -> Path:
    """Two hundred patients with three visits each: no identifier is unique to a record."""
    rows = ["patient_id,surname,ssn,age,sex,diagnosis"]
    for visit in range(600):
        i = visit % 200
        rows.append(f"P{i:05d},Sur{i % 90},756-{i:04d},{20 + i % 60},{'FM'[i % 2]},d{visit % 5}")
    file = folder / "visits.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_identifiers_that_repeat_are_identifiers(tmp_path: Path) -> None:
    file = _visits(tmp_path)
    roles = {column.name: column.role.value for column in discreet.describe(file).columns}
    assert [n for n, role in roles.items() if role == "identifier"] == [
        "patient_id",
        "surname",
        "ssn",
    ]
    with pytest.raises(discreet.DataError, match="looks like a direct identifier"):
        discreet.protect(file, "microaggregation", roles={"age": QI, "sex": QI})


def test_a_name_of_something_else_is_no_identifier(tmp_path: Path) -> None:
    data = {"county_name": ["Ayle", "Bron"] * 50, "insurance": ["yes", "no"] * 50}
    roles = {column.name: column.role.value for column in discreet.describe(data).columns}
    assert "identifier" not in roles.values()


def test_nothing_is_written_over_an_input(folder: Path, discreet_command: Discreet) -> None:
    (folder / "inp").mkdir()
    data = folder / "inp" / "release.csv"
    data.write_bytes((folder / "people.csv").read_bytes())
    (folder / "plan.yaml").write_text(PLAN.replace("people.csv", "inp/release.csv"))
    outcome = discreet_command("protect", "plan.yaml", "--out", "inp", "--overwrite")
    assert outcome.code == 1
    assert "never written over its input" in outcome.err
    assert data.read_bytes() == (folder / "people.csv").read_bytes()


def test_null_and_nan_are_released_as_one_value(tmp_path: Path) -> None:
    values = [None] + [float("nan")] * 19 + [5.0] * 20
    table = pa.table({"x": pa.array(values, from_pandas=False)})
    pq.write_table(table, tmp_path / "x.parquet")
    data = discreet.read(tmp_path / "x.parquet", roles={"x": QI})
    release = discreet.protect(data, "microaggregation", claims={"k-anonymity": 20})
    release.write(tmp_path / "out")
    written = pq.read_table(tmp_path / "out" / "release.parquet")["x"]
    assert written.null_count == 20
    assert written.drop_null().to_pylist() == [5.0] * 20


@pytest.mark.parametrize("kind", ["continuous", "nominal"])
def test_zero_is_released_as_one_value(tmp_path: Path, kind: str) -> None:
    (tmp_path / "z.csv").write_text("z\n" + "0.0\n" * 19 + "-0.0\n")
    data = discreet.read(tmp_path / "z.csv", roles={"z": QI}, kinds={"z": kind})
    discreet.protect(data, "microaggregation", claims={"k-anonymity": 20}).write(tmp_path / "out")
    lines = (tmp_path / "out" / "release.csv").read_text().splitlines()[1:]
    assert len(set(lines)) == 1


def test_values_that_read_the_same_make_no_diversity() -> None:
    table = {"age": [1.0] * 10, "d": ["flu"] * 5 + ["Flu "] * 5}
    data = discreet.read(table, roles={"age": QI, "d": "confidential"})
    assert discreet.assess(data, data, ["l-diversity"]).risk["l-diversity"].value == 1


def test_what_a_plan_left_open_is_noted() -> None:
    rng = np.random.default_rng(1)
    table = {
        "age": rng.integers(20, 60, 60),
        "sex": ["f", "m"] * 30,
        "hiv": ["y", "n", "n"] * 20,
        "w": rng.uniform(1, 2, 60),
    }
    roles = {"age": QI, "sex": QI, "w": "weight"}
    method = discreet.Microaggregation(discreet.partition.MDAV(k=3), columns=["age"])
    notes = " / ".join(discreet.protect(table, method, roles=roles).notes)
    assert "without a role: hiv" in notes
    assert "no step changed: sex" in notes
    assert "who also knows w finds 100.0% of the records alone" in notes


def test_a_missing_header_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Anna K,34,8001\nBo L,51,8002\nCy M,29,8003\n")
    data = discreet.read(tmp_path / "a.csv")
    assert data.source is not None
    assert any("header" in note for note in data.source.notes)


BROKEN_RECORDS = [
    {"seed": None, "origin": [], "release": {"sha256": ""}, "report": {}},
    {"seed": 1, "origin": [], "release": {}, "report": {}},
    {"seed": 1, "origin": [], "release": [], "report": {}},
    {"seed": 1, "origin": [], "release": {"sha256": ""}},
    [],
]


def _one_sentence(outcome: Outcome) -> None:
    assert outcome.code in (1, 2)
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    assert "should not have happened" not in outcome.err


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
        _one_sentence(discreet_command(*command))


@pytest.mark.parametrize(
    "change", [{"release": {}}, {"steps": [1]}, {"release": {"file": "release.csv", "sha256": 1}}]
)
def test_broken_manifests(
    change: dict[str, object], folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    path = folder / "out" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    _one_sentence(discreet_command("report", "out"))


def test_other_broken_input(folder: Path, discreet_command: Discreet) -> None:
    (folder / "long").write_text("9" * 5000)
    _one_sentence(discreet_command("protect", "plan.yaml", "--dry-run", "--seed-file", "long"))
    (folder / "deep.yaml").write_text("[" * 3000)
    _one_sentence(discreet_command("protect", "deep.yaml", "--dry-run"))
