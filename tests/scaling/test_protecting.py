"""A release made on the disk is the release made in memory."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.contracts import Progress
from discreet.errors import ClaimError, DataError, UsageError
from discreet.io.frames import to_table
from discreet.publishing.checksum import sha256
from discreet.publishing.parts import ORIGIN
from discreet.publishing.record import pairing_from
from discreet.publishing.verifying import verify
from discreet.release import shuffling
from discreet.release.plan import Plan
from discreet.release.release import Release
from discreet.scaling import store
from discreet.scaling.engine import Engine
from discreet.scaling.microaggregating import part_rows
from discreet.scaling.protecting import Protected, protect_large
from discreet.scaling.publishing import RELEASE
from discreet.scaling.writing_parts import ROW
from tests.scaling.people import LITTLE, ROWS, people, released, written

STEPS = """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
  - microaggregation: {partition: {mdav: {k: 5, blocks: 4000}}}
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Release, Protected, Path]]:
    """One plan, in memory and on the disk, with rows dealt into several buckets."""
    folder = tmp_path_factory.mktemp("both")
    plan = Plan.load(written(folder, STEPS, "claims: {k-anonymity: 5, sample-uniqueness: 0}"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffling, "BUCKET", 25_000)
        release = plan.run(seed=7)
        yield release, protect_large(plan, folder / "out", seed=7, memory=LITTLE), folder


def test_values_rows_and_types_are_those_in_memory(both: tuple[Release, Protected, Path]) -> None:
    release, _, folder = both
    assert len(list((folder / "out" / "release.parquet").iterdir())) == 3
    expected = to_table(release.data)
    found = released(folder / "out")
    assert found.schema == expected.schema
    for name in expected.column_names:
        assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name


def test_claims_notes_and_groups_are_those_in_memory(both: tuple[Release, Protected, Path]) -> None:
    release, protected, folder = both
    assert protected.release.claims == release.claims
    assert protected.release.notes == release.notes
    pairing = pairing_from(None, folder / "out" / "release.parquet", ROWS)
    assert pairing is not None
    assert pairing.groups is not None
    assert release.groups is not None
    assert np.array_equal(pairing.origin, release.origin)
    assert np.array_equal(pairing.groups.labels, release.groups.labels)
    assert protected.release.groups is not None
    assert protected.release.groups.detail["blocks"] == release.groups.detail["blocks"]
    share = release.groups.detail["SSE/SST"]
    assert protected.release.groups.detail["SSE/SST"] == pytest.approx(share)


def test_what_may_be_passed_on_verifies(both: tuple[Release, Protected, Path]) -> None:
    found = verify(both[2] / "out")
    assert found.holds
    assert {figure.measure for figure in found.figures if figure.counted is not None} == {
        "k-anonymity", "sample-uniqueness", "l-diversity",
    }  # fmt: skip
    manifest = json.loads((both[2] / "out" / "manifest.json").read_text())
    assert manifest["release"]["records"] == ROWS
    assert sum(part["records"] for part in manifest["release"]["parts"]) == ROWS


def test_the_parts_say_privately_where_rows_came_from(
    both: tuple[Release, Protected, Path],
) -> None:
    release, _, folder = both
    private = sorted((folder / "out" / ORIGIN).iterdir())
    assert [p.name for p in private] == sorted(p.name for p in (folder / "out" / RELEASE).iterdir())
    rows = np.concatenate([parquet.read_table(p).column(ROW).to_numpy() for p in private])
    assert np.array_equal(rows, release.origin)


def test_parts_are_cut_to_the_memory() -> None:
    assert part_rows(10**9, 5, 1000) == 5_000_000
    assert part_rows(10, 5, 1000) == 1000


def test_private_files_are_private(both: tuple[Release, Protected, Path]) -> None:
    out = both[2] / "out"
    for private in (out / "record.json", *(out / "origin").iterdir()):
        assert private.stat().st_mode & 0o077 == 0
    assert not list(both[2].glob(".out*"))
    assert not (out / ".work").exists()


def test_verdict_says_what_was_sampled(both: tuple[Release, Protected, Path]) -> None:
    sentences = " ".join(both[1].assessment.verdict.sentences)
    assert "random sample of" in sentences
    assert "whole classes" in sentences
    rows = {row.spec.name: row for row in both[1].assessment.rows}
    assert rows["k-anonymity"].after is not None
    assert rows["k-anonymity"].after.note == "counted on all records"
    marginals = rows["marginals"].after
    assert marginals is not None
    assert "random sample" in marginals.note


def test_memory_changes_no_byte(both: tuple[Release, Protected, Path], tmp_path: Path) -> None:
    plan = Plan.load(both[2] / "plan.yaml")
    protect_large(plan, tmp_path / "out", seed=7, memory=2_000_000_000)
    assert sha256(tmp_path / "out" / "release.parquet") == sha256(
        both[2] / "out" / "release.parquet"
    )


def test_a_changed_part_is_noticed(tmp_path: Path) -> None:
    steps = "  - global-recoding: {k: 3, columns: [age, sex, region]}"
    plan = written(tmp_path, steps, "release: {shuffle: false}", rows=3000)
    protect_large(Plan.load(plan), tmp_path / "out", memory=LITTLE)
    part = tmp_path / "out" / "release.parquet" / "part-00000.parquet"
    parquet.write_table(parquet.read_table(part).slice(1), part)
    assert "its checksum differs" in verify(tmp_path / "out").faults[0]


def test_order_is_kept_where_nothing_is_shuffled(tmp_path: Path) -> None:
    steps = "  - global-recoding: {k: 3, columns: [age, sex, region]}"
    plan = written(tmp_path, steps, "release: {shuffle: false}", rows=3000)
    protect_large(Plan.load(plan), tmp_path / "out", memory=LITTLE)
    hours = people(3000).column("hours")
    assert released(tmp_path / "out").column("hours").to_pylist() == hours.to_pylist()


def test_a_false_claim_releases_nothing(tmp_path: Path) -> None:
    steps = "  - global-recoding: {k: 3, columns: [age, sex, region]}"
    plan = Plan.load(written(tmp_path, steps, "claims: {k-anonymity: 3}", rows=3000))
    with pytest.raises(ClaimError, match="k-anonymity is claimed to be at least 3"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.parquet", "plan.yaml"]


def test_sampled_claims_are_held_to_the_worse_end(tmp_path: Path) -> None:
    steps = "  - microaggregation: {partition: {mdav: {k: 5, blocks: 2000}}}"
    plan = Plan.load(written(tmp_path, steps, "claims: {marginals: 0.9}", rows=3000))
    claim = protect_large(plan, tmp_path / "out", memory=LITTLE).release.claims[-1]
    plain = protect_large(Plan.load(written(tmp_path, steps, rows=3000)), tmp_path / "again",
                          seed=1, memory=LITTLE)  # fmt: skip
    row = plain.assessment.utility["marginals"]
    assert claim.measured is not None
    assert claim.measured > row.value


@pytest.mark.parametrize(
    ("steps", "more", "words"),
    [
        ("  - fully-synthetic", "", "step 1 \\(fully-synthetic\\) needs the whole file"),
        ("  - data-swapping", "", "needs the whole file at once, since "),
    ],
)
def test_what_needs_memory_is_refused_before_any_work(
    tmp_path: Path, steps: str, more: str, words: str
) -> None:
    plan = Plan.load(written(tmp_path, steps, more, rows=10))
    with pytest.raises(UsageError, match=words):
        protect_large(plan, tmp_path / "out", memory=LITTLE)


def test_a_constant_quasi_identifier_is_refused(tmp_path: Path) -> None:
    plan = Plan.load(written(tmp_path, "  - global-recoding", rows=10))
    table = people(10).set_column(2, "sex", pa.array(["f"] * 10))
    parquet.write_table(table, tmp_path / "people.parquet")
    with pytest.raises(DataError, match="'sex' has the same value in all records"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)
    parquet.write_table(
        table.set_column(1, "age", pa.nulls(10, pa.int64())), tmp_path / "people.parquet"
    )
    with pytest.raises(DataError, match="'age' has no values at all"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)


def test_a_full_disk_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan.load(written(tmp_path, "  - global-recoding", rows=100))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store, "reserve", full)
    with pytest.raises(DataError, match="the disk is full"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.parquet", "plan.yaml"]


def _killed(plan: Path, out: Path) -> None:
    """Protect a file in a process that is killed once the parts are being written."""

    class Killed(Engine):
        def map(self, function: Any, tasks: Any, label: str) -> Any:
            if label == "writing parts":
                function(tasks[0])
                os.kill(os.getpid(), signal.SIGKILL)
            return super().map(function, tasks, label)

    protect_large(Plan.load(plan), out, seed=3, memory=LITTLE, engine=Killed())


def test_a_killed_process_leaves_no_release_and_is_cleared_away(tmp_path: Path) -> None:
    steps = "  - global-recoding: {k: 3, columns: [age, sex, region]}"
    plan, out = written(tmp_path, steps, rows=1000), tmp_path / "out"
    process = multiprocessing.get_context("spawn").Process(target=_killed, args=(plan, out))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not out.exists()
    [left] = tmp_path.glob(".out*")
    assert list(left.rglob("part-*.parquet"))
    protect_large(Plan.load(plan), out, seed=3, memory=LITTLE)
    assert not list(tmp_path.glob(".out*"))


def test_stages_say_how_much_time_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Progress, "say", lambda self, message: said.append(message))
    monkeypatch.setattr("discreet.scaling.engine.WORTH_SAYING", 0.0)
    plan = Plan.load(written(tmp_path, "  - rounding: {columns: [income]}", rows=100))
    protect_large(plan, tmp_path / "out", seed=3, memory=LITTLE)
    stages = [line for line in said if line.startswith("stage ")]
    assert [line.split(" (")[0] for line in stages] == [f"stage {n} of 4" for n in range(1, 5)]
    assert all(line.endswith(" left") for line in stages)


def test_recoding_with_diversity_is_that_in_memory(tmp_path: Path) -> None:
    steps = """
  - global-recoding: {k: 2, t: 0.9, columns: [age, sex, region]}
  - local-recoding: {k: 3, l: 2, columns: [age, sex, region, income], widths: {income: 10000}}
"""
    plan = Plan.load(written(tmp_path, steps, rows=3000))
    release = plan.run(seed=3)
    protected = protect_large(plan, tmp_path / "out", seed=3, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.release.notes == release.notes
    assert protected.release.claims == release.claims
    assert {claim.measure for claim in release.claims} == {"k-anonymity", "l-diversity"}


def test_single_cells_are_suppressed_as_in_memory(tmp_path: Path) -> None:
    steps = """
  - global-recoding: {levels: {age: 3}, widths: {age: 5}, columns: [age]}
  - local-suppression: {k: 4, columns: [age, sex, region]}
"""
    # Whole ages of 40 and the region r00 are codes of missing values here.
    codes = "missing: {age: [40], region: [r00]}"
    plan = Plan.load(written(tmp_path, steps, codes, rows=3000))
    release = plan.run(seed=3)
    protected = protect_large(plan, tmp_path / "out", seed=3, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.release.notes == release.notes
    assert release.original.column("region").missing.sum() > 1000
    assert any("cells suppressed" in note for note in release.notes)


def test_rows_are_treated_as_in_memory(tmp_path: Path) -> None:
    steps = """
  - pram: {stay: 0.7, columns: [sex, region]}
  - additive-noise: {alpha: 0.1, columns: [income, age]}
  - random-rounding: {base: 100, columns: [income]}
  - rounding: {base: 5, columns: [age]}
  - top-bottom-coding: {columns: [hours]}
  - moment-preserving-noise: {columns: [hours]}
"""
    plan = Plan.load(written(tmp_path, steps, rows=70_000))
    release = plan.run(seed=3)
    protect_large(plan, tmp_path / "out", seed=3, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
