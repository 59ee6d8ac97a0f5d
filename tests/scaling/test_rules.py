"""Rules of a large file are kept as in memory, where records are repaired by their own values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.errors import UsageError
from discreet.io.frames import to_table
from discreet.release.assessing import assess
from discreet.release.plan import Plan
from discreet.scaling import store as stores
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, released

ROLES = {
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "rent": "other",
    "heat": "other",
    "total": "other",
    "low": "other",
    "high": "other",
}
STEPS = """
  - rounding: {base: 20, columns: [age]}
  - additive-noise: {alpha: 0.3, columns: [rent, heat, total, low, high]}
"""


def _plan(folder: Path, rules: list[str], steps: str = STEPS, more: str = "") -> Plan:
    rng = np.random.default_rng(4)
    rows = 4000
    rent, heat = rng.integers(300, 900, rows), rng.integers(20, 90, rows)
    low = rng.integers(0, 50, rows)
    total = rent + heat
    total[:3] += 1  # some records break a rule from the beginning
    table = pa.table(
        {
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["f", "m"], rows),
            "rent": rent,
            "heat": heat,
            "total": total,
            "low": low,
            "high": low + rng.integers(0, 9, rows),
        }
    )
    parquet.write_table(table, folder / "people.parquet")
    columns = "\n".join(f"  {name}: {{role: {role}}}" for name, role in ROLES.items())
    listed = "\n".join(f"  - {rule}" for rule in rules)
    plan = folder / "plan.yaml"
    plan.write_text(
        f"data: {{file: people.parquet}}\ncolumns:\n{columns}\nsteps:\n{steps}\n"
        f"rules:\n{listed}\nmeasures: [k-anonymity]\n{more}\n",
        encoding="utf-8",
    )
    return Plan.load(plan)


@pytest.mark.parametrize(
    "rules",
    [
        ["always total = rent + heat"],
        ["always low <= high", "always low >= 0", "if low >= 20 then high <= 55"],
        ["if age >= 65 then high >= 10", "always total = rent + heat", "always heat <= rent"],
        ["if sex = f then total >= 350"],
    ],
)
def test_rules_are_kept_as_in_memory(
    tmp_path: Path, rules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rows are written in several tasks.
    monkeypatch.setattr(stores, "STRETCH", 1024)
    plan = _plan(tmp_path, rules)
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    expected, found = to_table(release.data), released(tmp_path / "out")
    assert found.schema == expected.schema
    for name in expected.column_names:
        assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name
    assert any("repaired" in note for note in release.notes)
    assert sorted(protected.release.notes) == sorted(release.notes)
    assert protected.release.rules == release.rules
    assessed = assess(release.original, release, plan.measures)
    ours, theirs = (
        {r.words for r in a.verdict.reasons if "rule" in r.words}
        for a in (protected.assessment, assessed)
    )
    assert ours == theirs


def test_rules_that_would_break_a_claim_are_not_kept(tmp_path: Path) -> None:
    steps, more = "  - rounding: {base: 50, columns: [age]}", "claims: {k-anonymity: 50}"
    _plan(tmp_path, ["always low <= high"])
    totals = sorted(parquet.read_table(tmp_path / "people.parquet").column("total").to_pylist())
    # Repaired, the twenty records with the largest totals would be the only ones of their age.
    plan = _plan(tmp_path, [f"if total >= {totals[-20]} then age <= 17"], steps, more)
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert sorted(protected.release.notes) == sorted(release.notes)
    assert any("the rules were not enforced" in note for note in release.notes)


@pytest.mark.parametrize(
    ("rule", "steps", "words"),
    [
        ("always low < 40", STEPS, "are given values of other records"),
        ("if age >= 65 then sex = f", STEPS, "are given values of other records"),
        ("always low <= high", "  - sampling: {fraction: 0.5}", "releases records other"),
        ("always lw <= high", STEPS, "there is no column 'lw'|'lw'"),
    ],
)
def test_other_rules_are_refused(tmp_path: Path, rule: str, steps: str, words: str) -> None:
    plan = _plan(tmp_path, [rule], steps)
    with pytest.raises(UsageError, match=words):
        protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    assert not (tmp_path / "out").exists()


def test_a_rule_about_columns_that_no_step_treats_is_counted(tmp_path: Path) -> None:
    plan = _plan(tmp_path, ["always total = rent + heat", "if sex = f then age < 50"],
                 "  - additive-noise: {columns: [low]}")  # fmt: skip
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    told = [note for note in protected.release.notes if "break the rule" in note]
    assert told == [note for note in release.notes if "break the rule" in note]
    assert "3 of 4,000 released records break the rule 'always total = rent + heat'" in told[0]
