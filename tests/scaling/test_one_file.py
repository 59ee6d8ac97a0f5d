"""A large release as one CSV file has the bytes that it has in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

import discreet
from discreet.errors import UsageError
from discreet.publishing.record import pairing_from
from discreet.publishing.verifying import verify
from discreet.release import shuffling
from discreet.release.plan import Plan
from discreet.scaling import one_file
from discreet.scaling import store as stores
from discreet.scaling.deciding import Size, estimate
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, people, written

STEPS = """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
  - rounding: {base: 1000, columns: [income]}
"""
MORE = "claims: {k-anonymity: 1}\nrelease: {format: csv}"


ROWS = 7000


@pytest.mark.parametrize("more", [MORE, "release: {format: csv.gz}\ncsv: {spreadsheet_safe: true}"])
def test_bytes_are_those_in_memory(
    tmp_path: Path, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rows are dealt into several buckets, and each part of the release is read in several pieces.
    monkeypatch.setattr(shuffling, "BUCKET", 2_500)
    monkeypatch.setattr(stores, "STRETCH", 1024)
    monkeypatch.setattr(one_file, "STRETCH", 1024)
    plan = Plan.load(written(tmp_path, STEPS, more, rows=ROWS))
    # A text that must be quoted, and one that a spreadsheet would run.
    table = people(ROWS)
    texts = {"flu": "=1+1", "cold": 'a "cold", bad', "none": "none"}
    changed = [texts[text] for text in table["ill"].to_pylist()]
    parquet.write_table(table.set_column(5, "ill", [changed]), tmp_path / "people.parquet")
    release = plan.run(seed=7)
    name = f"release.{plan.format}"
    release.write(
        tmp_path / "in-memory",
        assessment=discreet.assess(release.original, release, ["k-anonymity"]),
        format=plan.format,
        spreadsheet_safe=plan.spreadsheet_safe,
    )
    expected = (tmp_path / "in-memory" / name).read_bytes()
    stated = json.loads((tmp_path / "in-memory" / "manifest.json").read_text())["release"]
    for memory in (LITTLE, 1_000_000_000):
        out = tmp_path / f"within-{memory}"
        protect_large(plan, out, seed=7, memory=memory)
        assert (out / name).read_bytes() == expected
        assert json.loads((out / "manifest.json").read_text())["release"] == stated
        pairing = pairing_from(None, out / name, ROWS)
        assert pairing is not None
        assert (pairing.origin == release.origin).all()


def test_it_is_counted_on_the_disk_and_in_memory(tmp_path: Path) -> None:
    plan = Plan.load(written(tmp_path, STEPS, MORE, rows=3000))
    protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    on_disk, in_memory = verify(tmp_path / "out", memory=1_000_000), verify(tmp_path / "out")
    assert on_disk.holds
    assert in_memory.holds
    both = {f.measure: f.counted for f in on_disk.figures if f.counted is not None}
    assert set(both) == {"k-anonymity", "sample-uniqueness", "l-diversity"}
    assert both.items() <= {f.measure: f.counted for f in in_memory.figures}.items()
    assert not list((tmp_path / "out").glob("tmp*"))
    file = tmp_path / "out" / "release.csv"
    file.write_bytes(file.read_bytes().rsplit(b"\n", 2)[0] + b"\n")
    assert "its checksum differs" in verify(tmp_path / "out").faults[0]


def test_numbers_of_a_text_file_are_counted_by_their_meaning(tmp_path: Path) -> None:
    plan = written(tmp_path, "  - rounding: {base: 20000, columns: [income]}", MORE, rows=2000)
    plan.write_text(
        plan.read_text()
        .replace("income: {role: quasi-identifier}", "income: {role: confidential}")
        .replace("age: {role: quasi-identifier}", "age: {role: other}")
        .replace("region: {role: quasi-identifier}", "region: {role: other}")
    )
    protect_large(Plan.load(plan), tmp_path / "out", seed=7, memory=LITTLE)
    on_disk, in_memory = verify(tmp_path / "out", memory=1_000_000), verify(tmp_path / "out")
    assert on_disk.holds
    found = {f.measure: f.counted for f in on_disk.figures}["l-diversity"]
    assert found == {f.measure: f.counted for f in in_memory.figures}["l-diversity"]
    assert found is not None
    assert found >= 2


@pytest.mark.parametrize("format", ["sav", "csv.zip"])
def test_other_formats_are_refused_before_any_work(tmp_path: Path, format: str) -> None:
    plan = Plan.load(written(tmp_path, STEPS, f"release: {{format: {format}}}", rows=10))
    with pytest.raises(UsageError, match="is released as Parquet or CSV"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)
    assert not (tmp_path / "out").exists()


def test_an_estimate_knows_the_file() -> None:
    size = Size(1_000_000, 10, 10**8, False)
    plain, text = estimate(size, [], 10**9), estimate(size, [], 10**9, format="csv")
    assert "writing: one CSV file" in [stage.title for stage in text]
    assert sum(s.disk for s in text) > sum(s.disk for s in plain)
