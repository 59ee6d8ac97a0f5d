"""What is said before a large file is protected, and the command that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from discreet.release.plan import Plan
from discreet.scaling.deciding import Size, disk_at_most, estimate, size_of
from discreet.scaling.engine import Engine
from discreet.scaling.protecting import protect_large
from tests.command_line import Discreet
from tests.scaling.people import LITTLE, ROWS, people, written

STEPS = "  - microaggregation: {partition: {mdav: {k: 5}}}"


def test_size_decides() -> None:
    size = Size(50_000_000, 10, 2 * 10**9, False)
    assert size.exceeds(2 * 10**9)
    assert not size.exceeds(10**11)
    assert "52.0 GB in memory, and 2.0 GB may be used: working on the disk" in size.words(2 * 10**9)
    assert Size(10, 2, 100, True).exceeds(10**12)


def test_the_disk_that_is_estimated_is_about_what_is_used(tmp_path: Path) -> None:
    step = "  - microaggregation: {partition: {mdav: {k: 5, blocks: 500}}, columns: [age, income]}"
    plan = Plan.load(written(tmp_path, step, rows=ROWS))
    size = size_of(tmp_path / "people.parquet")
    assert size is not None
    before, most = _used(tmp_path), 0

    class Watching(Engine):
        def map(self, function: Any, tasks: Any, label: str) -> Any:
            nonlocal most
            outcome = super().map(function, tasks, label)
            most = max(most, _used(tmp_path) - before)
            return outcome

    protect_large(plan, tmp_path / "out", memory=LITTLE, engine=Watching())
    estimated = disk_at_most(estimate(size, plan.steps, LITTLE, plan.roles))
    assert most <= estimated <= 1.5 * most


def _used(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_other_files_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n31\n")
    assert size_of(tmp_path / "people.csv") is None
    assert size_of(tmp_path / "nothing.parquet") is None
    (tmp_path / "broken.parquet").write_text("no parquet")
    broken = size_of(tmp_path / "broken.parquet")
    assert broken is not None
    assert broken.rows == 0


def test_a_folder_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discreet_command: Discreet
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = written(tmp_path, STEPS, "claims: {k-anonymity: 5}", rows=3000)
    text = plan.read_text().replace("people.parquet", "people")
    plan.write_text(text)
    Path("people").mkdir()
    for place, table in enumerate((people(3000).slice(0, 1000), people(3000).slice(1000))):
        parquet.write_table(table, f"people/{place}.parquet")
    estimated = discreet_command("protect", "plan.yaml", "--estimate", "--memory", "1GB")
    assert estimated.code == 0
    assert "passes" in estimated.out
    assert not Path("release").exists()
    done = discreet_command("protect", "plan.yaml", "--memory", "1GB")
    assert done.code == 0
    assert "working on the disk" in done.err
    assert "3,000 records on this machine, in" in done.out
    assert "k-anonymity 5 (claimed: 5)" in done.out
    assert discreet_command("verify", "release").code == 0
    assert discreet_command("report", "release").code == 0
    again = discreet_command("protect", "plan.yaml")
    assert again.code != 0
    assert "already holds files" in again.err
    assert discreet_command("protect", "plan.yaml", "--overwrite").code == 0


def test_a_small_file_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discreet_command: Discreet
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, STEPS, rows=300)
    done = discreet_command("protect", "plan.yaml", "--memory", "1GB")
    assert done.code == 0
    assert "300 records of 8 columns: working in memory" in done.err
    assert parquet.read_table("release/release.parquet").num_rows == 300
    assert isinstance(parquet.read_table("release/release.parquet"), pa.Table)


def test_one_csv_file_that_does_not_fit_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discreet_command: Discreet
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = written(tmp_path, STEPS, rows=300)
    plan.write_text(plan.read_text().replace("people.parquet", "people.csv"))
    csv.write_csv(people(300), "people.csv")
    fitting = discreet_command("protect", "plan.yaml", "--memory", "1GB", "--dry-run")
    assert fitting.code == 0
    assert "this file is read whole: working in memory" in fitting.err

    def unread(*given: Any, **options: Any) -> None:
        raise AssertionError("the file was read")

    monkeypatch.setattr("discreet.io.files.read_table", unread)
    monkeypatch.setattr("discreet.scaling.deciding.PER_CELL", 10**6)
    refused = discreet_command("protect", "plan.yaml", "--memory", "1GB")
    assert refused.code == 1
    assert (
        "'people.csv', of about 300 records and 8 columns, would need about 2.4 GB" in refused.err
    )
    assert "and 1.0 GB may be used; copy it to Parquet or split it into a folder" in refused.err
    assert discreet_command("protect", "plan.yaml", "--memory", "1GB", "--estimate").code == 1
    for place in ("discreet.io.memory_guard", "discreet.scaling.memory"):
        monkeypatch.setattr(f"{place}.available_memory", lambda: 2 * 10**9)
    assert "and 2.0 GB may be used" in discreet_command("protect", "plan.yaml").err
    assert not Path("release").exists()
