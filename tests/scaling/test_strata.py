"""Strata of a large file are treated as in memory, those that fit there and those that do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.frames import to_table
from discreet.publishing.record import pairing_from
from discreet.release.plan import Plan
from discreet.scaling import store as stores
from discreet.scaling import strata
from discreet.scaling.deciding import Size, estimate
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, released, written

CASES = {
    "rows": """
  - additive-noise: {alpha: 0.1, columns: [income, hours], by: [sex, region]}
  - pram: {stay: 0.7, columns: [region], by: [sex]}
""",
    "counts": """
  - global-recoding: {k: 3, columns: [age, region], suppression: 0.05, by: [sex]}
""",
    "order": """
  - rank-swapping: {columns: [income, hours], by: [region]}
""",
    "groups": """
  - microaggregation:
      {by: [sex, ill], columns: [age, income], partition: {mdav: {k: 3, blocks: 300}}}
""",
    "blocks": """
  - mart: {k: 3, by: [sex], columns: [age, income], in_blocks: 500}
""",
}
NONE_FITS, SOME_FIT = 10**9, 450
"""Bytes for a value that let no stratum of 5,000 records fit in ten megabytes, or only some."""


@pytest.mark.parametrize("case", CASES)
def test_strata_are_those_in_memory(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rows are dealt and put back in several tasks.
    monkeypatch.setattr(stores, "STRETCH", 1024)
    plan = Plan.load(written(tmp_path, CASES[case], rows=5000))
    release = plan.run(seed=7)
    expected = to_table(release.data)
    for per_cell in (strata.PER_CELL, SOME_FIT, NONE_FITS):
        monkeypatch.setattr(strata, "PER_CELL", per_cell)
        out = tmp_path / f"cells-of-{per_cell}"
        protected = protect_large(plan, out, seed=7, memory=LITTLE)
        found = released(out)
        assert found.schema == expected.schema
        for name in expected.column_names:
            assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name
        assert protected.release.claims == release.claims
        assert protected.release.notes == release.notes
        if release.groups is not None:
            pairing = pairing_from(None, out / "release.parquet", 5000)
            assert pairing is not None
            assert pairing.groups is not None
            ours, theirs = pairing.groups.labels, release.groups.labels
            pairs = len(np.unique(np.column_stack([ours, theirs]), axis=0))
            assert pairs == len(np.unique(ours)) == len(np.unique(theirs))


def test_strata_allow_what_needs_the_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = "  - data-swapping: {columns: [ill], by: [sex]}"
    plan = Plan.load(written(tmp_path, steps, rows=3000))
    protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(plan.run(seed=7).data).to_pylist()
    monkeypatch.setattr(strata, "PER_CELL", NONE_FITS)
    with pytest.raises(UsageError, match=r"needs each stratum as a whole, since .* use smaller"):
        protect_large(plan, tmp_path / "again", seed=7, memory=LITTLE)
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("per_cell", [strata.PER_CELL, NONE_FITS])
def test_an_error_says_which_stratum(
    tmp_path: Path, per_cell: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strata, "PER_CELL", per_cell)
    steps = "  - microaggregation: {by: [hours], columns: [age], partition: {mdav: {blocks: 100}}}"
    plan = Plan.load(written(tmp_path, steps, rows=500))
    with pytest.raises(DataError, match=r"in a stratum of . of the 500 records by 'hours'"):
        protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("sampling: {fraction: 0.5, by: [sex]}", "which strata \\('by'\\) of a file larger"),
        ("rounding: {columns: [income], by: [sx]}", "'by' of the step rounding"),
    ],
)
def test_other_strata_are_refused(tmp_path: Path, step: str, words: str) -> None:
    plan = Plan.load(written(tmp_path, f"  - {step}", rows=50))
    with pytest.raises(UsageError, match=words):
        protect_large(plan, tmp_path / "out", memory=LITTLE)


def test_an_estimate_knows_strata() -> None:
    from discreet import Rounding

    size = Size(1_000_000, 10, 10**8, False)
    plain, by = (estimate(size, [Rounding(by=by)], 10**9) for by in (None, ["sex"]))
    assert sum(s.passes for s in by) > sum(s.passes for s in plain)
    assert max(s.passing for s in by) >= 8 * 10 * 1_000_000
