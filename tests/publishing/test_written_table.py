"""A release into a table of a database: checked before it is kept, nothing left on failure."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.analysis import verify
from discreet.cli.main import run
from discreet.errors import ClaimError, DataError, UsageError
from discreet.io.formats import format_for
from discreet.io.into.sqlite import SQLiteTarget
from discreet.publishing import directory as publishing
from discreet.release.release import Release


@pytest.fixture(scope="module")
def release() -> Release:
    rng = np.random.default_rng(1)
    data = discreet.read(
        {
            "age": rng.integers(18, 90, 60),
            "region": rng.choice(["north", "south"], 60),
            "income": rng.lognormal(8, 1, 60).round(2),
        },
        roles={"age": "quasi-identifier", "region": "quasi-identifier", "income": "confidential"},
    )
    return discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=3)), seed=1)


@pytest.mark.parametrize("system", ["postgresql", "sqlite", "duckdb"])
def test_a_table_holds_the_release(
    system: str, release: Release, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    into = (
        request.getfixturevalue("postgres")
        if system == "postgresql"
        else tmp_path / f"study.{system}"
    )
    place = release.write(tmp_path / "out", into=into, table="released")
    manifest = json.loads((place / "manifest.json").read_text())
    assert manifest["release"]["table"]["name"] == "released"
    # Where the database is, is for its owner alone.
    assert str(into) not in (place / "manifest.json").read_text()
    assert json.loads((place / "record.json").read_text())["table"]["database"] == str(into)
    stored = discreet.read(into, table="released")
    np.testing.assert_array_equal(np.sort(stored["income"]), np.sort(release.data["income"]))
    assert verify(place, database=into).holds
    assert any("name the database" in note for note in verify(place).notes)
    with pytest.raises(DataError, match="already has 'released'"):
        release.write(tmp_path / "again", into=into, table="released")
    assert not (tmp_path / "again").exists()


def test_a_changed_table_is_found(release: Release, tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    place = release.write(tmp_path / "out", into=file, table="released")
    with sqlite3.connect(file) as database:
        database.execute("update released set age = 1 where rowid = 1")
    database.close()
    found = verify(place, database=file)
    (fault,) = found.faults
    assert fault == "the table 'released' does not hold the 60 records of 'release.parquet'"
    assert not verify(place, database=tmp_path / "other.db").holds


class Losing(SQLiteTarget):
    """A system that loses a record of those it is given."""

    def create(self, session: sqlite3.Connection, table: pa.Table) -> None:
        super().create(session, table.slice(1))


def test_a_table_that_lost_a_record_is_not_kept(release: Release, tmp_path: Path) -> None:
    target = Losing(str(tmp_path / "study.db"), "released")
    parquet = format_for("parquet")
    with pytest.raises(ClaimError, match="nothing was released"):
        publishing.publish(release, tmp_path / "out", parquet, False, None, target)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_take_its_place_takes_the_table_back(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fresh: Path, place: Path) -> None:
        raise DataError("no room")

    monkeypatch.setattr("discreet.io.atomic._take_place", full)
    with pytest.raises(DataError, match="no room"):
        release.write(tmp_path / "out", into=tmp_path / "study.db", table="released")
    assert not (tmp_path / "out").exists()
    with pytest.raises(DataError, match="has no table"):
        SQLiteTarget(str(tmp_path / "study.db"), "released").read()


def test_what_goes_into_no_table(release: Release, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is Parquet"):
        release.write(tmp_path / "out", format="csv", into=tmp_path / "x.db", table="t")
    assert list(tmp_path.iterdir()) == []


def test_the_command(release: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{20 + i % 4},{100 + i}" for i in range(40))
    (tmp_path / "people.csv").write_text(f"age,income\n{rows}\n")
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "data: {file: people.csv}\n"
        "columns: {age: {role: quasi-identifier}, income: {role: confidential}}\n"
        "steps: [{microaggregation: {partition: {mdav: {k: 3}}}}]\nmeasures: [k-anonymity]\n"
    )
    file, out = str(tmp_path / "study.db"), str(tmp_path / "out")
    command = ["protect", str(plan), "--out", out, "--into", file]
    assert run(command) == 2
    assert "are given together" in capsys.readouterr().err
    assert run([*command, "--table", "ages", "--copies", "2"]) == 2
    assert run([*command, "--table", "ages", "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["result"]["releases"]
    assert answer["table"] == {"name": "ages", "system": "SQLite"}
    assert run(["verify", out, "--database", file]) == 0
    assert "holds the same records" in capsys.readouterr().out
    assert run([*command, "--table", "ages", "--overwrite"]) == 1
    assert "already has 'ages'" in capsys.readouterr().err
    assert run([*command, "--table", "later", "--overwrite"]) == 0
    assert "into the table 'later' (SQLite)" in capsys.readouterr().out
