"""`discreet protect`: a plan is run, and what is said and written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command_line import PLAN, QUICK, Discreet, names_in

SYNTHETIC = PLAN[: PLAN.index("steps:")] + "steps:\n  - sequential-regression: {}\n"


@pytest.fixture
def synthetic(folder: Path) -> Path:
    (folder / "plan.yaml").write_text(SYNTHETIC, encoding="utf-8")
    (folder / "seed").write_text("7", encoding="utf-8")
    return folder


def test_dry_run_writes_nothing(folder: Path, discreet_command: Discreet) -> None:
    before = names_in(folder)
    outcome = discreet_command("protect", "plan.yaml", "--dry-run")
    assert outcome.code == 0
    assert "nothing was written" in outcome.out
    assert names_in(folder) == before


def test_files_larger_than_memory_are_refused(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.io.memory_guard.available_memory", lambda: 1000)
    outcome = discreet_command("protect", "plan.yaml", "--out", "out")
    assert outcome.code == 1
    assert "memory" in outcome.err
    assert not (folder / "out").exists()


def test_nothing_is_printed_before_the_release_is_written(
    folder: Path, discreet_command: Discreet
) -> None:
    plan = (folder / "plan.yaml").read_text().replace("k-anonymity: 3", "k-anonymity: 30")
    (folder / "strict.yaml").write_text(plan)
    outcome = discreet_command("protect", "strict.yaml", "--out", "out")
    assert outcome.code == 1
    assert "k-anonymity is claimed to be at least 30" in outcome.err
    assert outcome.out == "", "who stops listening after a first line must not lose a release"
    assert discreet_command("protect", "plan.yaml", "--out", "out").out.startswith("delimiter")


def test_a_large_exact_run_is_announced_in_a_log_too(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.microaggregation.grouping.LARGE", 30)
    monkeypatch.setattr("discreet.microaggregation.grouping.SAMPLES", (10, 20, 30))
    outcome = discreet_command("protect", "plan.yaml", "--dry-run")
    assert outcome.code == 0
    assert "grouping 40 records exactly will take about" in outcome.err


def test_a_plan_finds_its_files_from_anywhere(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "towns.csv").write_text("A;*\nB;*\n", encoding="utf-8")
    plan = (folder / "plan.yaml").read_text(encoding="utf-8")
    start, end = plan.index("steps:"), plan.index("claims:")
    steps = "steps:\n  - global-recoding: {k: 3, hierarchies: [town=towns.csv]}\n"
    (folder / "plan.yaml").write_text(plan[:start] + steps + plan[end:], encoding="utf-8")
    here = discreet_command("protect", "plan.yaml", "--dry-run")
    assert here.code == 0, here.err
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    there = discreet_command("protect", "../plan.yaml", "--dry-run")
    assert there.code == 0, there.err
    (folder / "towns.csv").unlink()
    gone = discreet_command("protect", "../plan.yaml", "--dry-run")
    assert gone.code == 2
    assert "relative paths start from the plan's folder" in gone.err


def test_only_what_a_release_writes_is_replaced(folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    (folder / "out" / "archive").mkdir()
    (folder / "out" / "archive" / "release.csv").write_text("kept")
    outcome = discreet_command("protect", "plan.yaml", "--out", "out", "--overwrite")
    assert outcome.code == 1
    assert (folder / "out" / "archive" / "release.csv").read_text() == "kept"


def test_a_reader_who_stops_listening_loses_no_release(folder: Path) -> None:
    (folder / "plan.yaml").write_text(QUICK, encoding="utf-8")
    command = f"{sys.executable} -m discreet.cli.main protect plan.yaml --out out | head -1"
    subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=True)
    assert (folder / "out" / "release.csv").exists()


def test_each_copy_is_a_release_of_its_own(synthetic: Path, discreet_command: Discreet) -> None:
    outcome = discreet_command("protect", "plan.yaml", "--copies", "3", "--out", "many")
    assert outcome.code == 0, outcome.err
    files = [synthetic / "many" / f"copy-{number}" / "release.csv" for number in (1, 2, 3)]
    assert len({file.read_bytes() for file in files}) == 3
    assert all((file.parent / "record.json").exists() for file in files)
    assert "copy-3 of 3" in outcome.out


def test_an_occupied_place_is_seen_before_the_first_copy(
    synthetic: Path, discreet_command: Discreet
) -> None:
    (synthetic / "many" / "copy-2").mkdir(parents=True)
    kept = synthetic / "many" / "copy-2" / "notes.txt"
    kept.write_text("mine", encoding="utf-8")
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2", "--out", "many")
    assert outcome.code == 1
    assert "copy-2" in outcome.err
    assert not (synthetic / "many" / "copy-1").exists()
    assert kept.read_text(encoding="utf-8") == "mine"


def test_a_method_that_draws_nothing_gives_no_copies(
    folder: Path, discreet_command: Discreet
) -> None:
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2")
    assert outcome.code == 2
    assert "microaggregation draws none" in outcome.err
    assert not (folder / "release").exists()


def test_copies_by_a_random_replacement_within_a_method(
    folder: Path, discreet_command: Discreet
) -> None:
    text = PLAN.replace("centroid", "microperturbation").replace(
        "town: {role: quasi-identifier", "town: {role: other"
    )
    (folder / "plan.yaml").write_text(text[: text.index("claims:")], encoding="utf-8")
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2", "--dry-run")
    assert outcome.code == 0, outcome.err
    assert outcome.out.count("Dry run: nothing was written.") == 2


def test_a_plan_of_several_files_is_not_worked_on_the_disk(
    folder: Path, discreet_command: Discreet
) -> None:
    homes = pa.table({"hid": range(1_000), "town": ["a", "b"] * 500})
    (folder / "homes").mkdir()
    for place in ("homes.parquet", "homes/part.parquet"):
        pq.write_table(homes, folder / place)
    pq.write_table(pa.table({"hid": range(1_000), "age": range(1_000)}), folder / "folk.parquet")
    plan = (
        "files:\n"
        "  homes: {file: homes.parquet, columns: {hid: household, town: quasi-identifier}}\n"
        "  folk: {file: folk.parquet, columns: {hid: household, age: quasi-identifier}}\n"
        "steps: [{pram: {columns: [town]}}]\n"
    )
    (folder / "two.yaml").write_text(plan.replace("homes.parquet", "homes"))
    outcome = discreet_command("protect", "two.yaml", "--out", "out", "--memory", "1GB")
    assert outcome.code == 2
    assert "the files of a plan are joined in memory, but 'homes' is a folder or" in outcome.err
    assert not (folder / "out").exists()
    (folder / "two.yaml").write_text(plan)
    fitting = discreet_command("protect", "two.yaml", "--dry-run", "--memory", "1GB")
    assert fitting.code == 0, fitting.err
    assert "the files of the plan are read whole: working in memory" in fitting.err
