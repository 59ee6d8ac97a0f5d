"""`discreet protect --save-model` and `discreet draw`."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

from discreet.io.files import write_table
from discreet.io.formats import FileFormat
from discreet.io.frames import to_table
from tests.command_line import Discreet
from tests.models.sequential.people import people

PLAN = """\
version: 1
data: {file: people.csv}
columns:
  id: {role: identifier}
  age: {role: quasi-identifier}
  sex: {role: quasi-identifier}
  pay: {role: confidential}
  code: {role: confidential}
steps:
  - STEP
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_table(to_table(people()), tmp_path / "people.csv", FileFormat.default())
    plan = PLAN.replace("STEP", "cart-synthesis: {everything: true}")
    (tmp_path / "plan.yaml").write_text(plan)
    return tmp_path


def test_more_copies_and_other_sizes_without_the_data(
    place: Path, discreet_command: Discreet
) -> None:
    said = discreet_command("protect", "plan.yaml", "--save-model", "people.model")
    assert said.code == 0
    assert "as private as the data" in said.out
    (place / "people.csv").unlink()
    said = discreet_command("draw", "people.model", "--records", "1000", "--out", "more.csv")
    assert said.code == 0, said.err
    assert "Nothing was measured" in said.out
    more = pyarrow.csv.read_csv(place / "more.csv")
    assert (more.num_rows, more.column_names) == (1000, ["age", "sex", "pay", "code"])
    assert (place / "more.csv.seed").stat().st_mode & 0o077 == 0
    again = ("draw", "people.model", "--records", "1000", "--seed-file", "more.csv.seed")
    assert discreet_command(*again, "--out", "again.csv").code == 0
    assert (place / "again.csv").read_bytes() == (place / "more.csv").read_bytes()
    said = discreet_command("draw", "people.model", "--copies", "2", "--out", "c.parquet", "--json")
    result = json.loads(said.out)["result"]
    assert [Path(file).name for file in result["files"]] == ["c-1.parquet", "c-2.parquet"]
    one, two = (pyarrow.parquet.read_table(place / f"c-{n}.parquet") for n in (1, 2))
    assert one.num_rows == two.num_rows == 300
    assert not one.equals(two)


def test_files_that_are_there_stay(place: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--save-model", "people.model").code == 0
    (place / "drawn.csv").write_text("mine")
    said = discreet_command("draw", "people.model")
    assert said.code == 1
    assert "'drawn.csv' exists already" in said.err
    assert (place / "drawn.csv").read_text() == "mine"
    said = discreet_command("draw", "plan.yaml", "--out", "other.csv")
    assert said.code == 1
    assert "is not a model" in said.err


def test_a_plan_without_a_model_is_refused_before_any_work(
    place: Path, discreet_command: Discreet
) -> None:
    (place / "plan.yaml").write_text(PLAN.replace("STEP", "rank-swapping: {p: 15}"))
    said = discreet_command("protect", "plan.yaml", "--save-model", "people.model")
    assert said.code == 2
    assert "single step that draws all columns in sequence" in said.err
    assert not (place / "release").exists()
