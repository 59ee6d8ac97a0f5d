"""Synthetic records in place of a large file are those that are drawn in memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet.contracts import Side
from discreet.errors import UsageError
from discreet.io.frames import to_table
from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.release.second_synthesis import SECOND
from discreet.scaling.gating import UNDERSTATED
from discreet.scaling.protecting import protect_large
from tests.scaling.people import COLUMNS, released, written

MEMORY = 700_000_000
STEPS = [
    "cart-synthesis: {everything: true, leaf: 50, records: 66000}",
    "gaussian-copula",
    "sequential-regression",
]


@pytest.mark.parametrize("step", STEPS)
def test_on_the_disk_as_in_memory(step: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"  - {step}")
    text = path.read_text()
    for name in ("income", "since", "region"):  # three columns fewer to fit
        text = text.replace(
            f"  {name}: {{role: {COLUMNS[name]}}}", f"  {name}: {{role: identifier}}"
        )
    measures = "measures: [k-anonymity, marginals, replicated-uniques]"
    path.write_text(re.sub("measures: .*", measures, text))
    plan = Plan.load(path)
    release = plan.run(seed=5)
    protected = protect_large(plan, tmp_path / "out", seed=5, memory=MEMORY)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.records == len(release.data)
    assert (protected.release.origin < 0).all()
    assert verify(tmp_path / "out").holds
    rows = {row.spec.name: row for row in protected.assessment.rows}
    assert rows["replicated-uniques"].left_out == UNDERSTATED


def test_what_is_measured_by_default_rests_on_a_second_synthesis(tmp_path: Path) -> None:
    path = written(tmp_path, "  - gaussian-copula", rows=20_500)
    text = re.sub("measures: .*", "", path.read_text())
    for name in ("income", "since", "region", "hours"):
        text = text.replace(
            f"  {name}: {{role: {COLUMNS[name]}}}", f"  {name}: {{role: identifier}}"
        )
    path.write_text(text)
    protected = protect_large(Plan.load(path), tmp_path / "out", seed=5, memory=MEMORY)
    risks = [row.after for row in protected.assessment.rows if row.spec.side is Side.RISK]
    notes = [score.note for score in risks if score is not None]
    assert any(SECOND in note for note in notes)
    assert all(SECOND in note or note == "counted on all records" for note in notes)


def test_kept_replicas_and_models_are_refused(tmp_path: Path) -> None:
    for options in ("replicas: false", "model: [model=people.model]"):
        steps = f"  - cart-synthesis: {{everything: true, {options}}}"
        plan = Plan.load(written(tmp_path, steps, rows=100))
        with pytest.raises(UsageError, match="needs the whole file at once, since"):
            protect_large(plan, tmp_path / "out", memory=MEMORY)
