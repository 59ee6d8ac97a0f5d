"""Records of a large file are held back as in memory, whole households or none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.errors import DataError
from discreet.io.frames import to_table
from discreet.publishing.parts import HELD_BACK
from discreet.publishing.record import held_back_from, pairing_from
from discreet.release.assessing import assess
from discreet.release.plan import Plan
from discreet.release.release import Release
from discreet.scaling.deciding import Size, estimate
from discreet.scaling.protecting import Protected, protect_large
from tests.scaling.homes import homes, plan_of_homes
from tests.scaling.people import LITTLE, released, written

STEPS = """
  - global-recoding: {k: 3, columns: [age, sex, region], suppression: 0.05}
  - additive-noise: {alpha: 0.1, columns: [income]}
"""


def _same(tmp_path: Path, plan: Plan) -> tuple[Release, Protected]:
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    expected, found = to_table(release.data), released(tmp_path / "out")
    assert found.schema == expected.schema
    for name in expected.column_names:
        assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name
    file = tmp_path / "out" / "release.parquet"
    assert np.array_equal(held_back_from(None, file), release.held_back)
    pairing = pairing_from(None, file, len(release.original))
    assert pairing is not None
    assert np.array_equal(pairing.origin, release.origin)
    assert protected.release.claims == release.claims
    return release, protected


def test_rows_and_control_are_those_in_memory(tmp_path: Path) -> None:
    more = "release: {hold_back: 0.2}\nclaims: {k-anonymity: 1}"
    text = written(tmp_path, STEPS, more, rows=3000).read_text()
    plan = tmp_path / "plan.yaml"
    plan.write_text(text.replace("marginals]", "marginals, inference]"), encoding="utf-8")
    recipe = Plan.load(plan)
    release, protected = _same(tmp_path, recipe)
    assert protected.release.notes == release.notes
    assert protected.release.control is not None
    assert release.control is not None
    control = release.control.drop(["id"])
    for column in protected.release.control:
        assert np.array_equal(
            column.values, control[column.name], equal_nan=column.attribute.continuous
        )
    private = tmp_path / "out" / HELD_BACK
    assert all(path.stat().st_mode & 0o077 == 0 for path in (private, *private.iterdir()))
    assessed = assess(release.original, release, recipe.measures)
    assert set(protected.assessment.risk) == set(assessed.risk)


@pytest.mark.parametrize("texts", [False, True])
def test_households_are_held_back_whole(tmp_path: Path, texts: bool) -> None:
    steps = "  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}"
    table = homes(2500, texts=texts)
    plan = plan_of_homes(tmp_path, steps, "release: {hold_back: 0.1}", table)
    release, protected = _same(tmp_path, Plan.load(plan))
    assert protected.release.notes == release.notes


def test_a_share_must_leave_somebody(tmp_path: Path) -> None:
    plan = Plan.load(written(tmp_path, STEPS, "release: {hold_back: 0.01}", rows=20))
    with pytest.raises(DataError, match="must hold back at least one record"):
        protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)


def test_an_estimate_knows_it() -> None:
    size = Size(1_000_000, 10, 10**8, False)
    stages = [stage.title for stage in estimate(size, [], 10**9, hold_back=0.1)]
    assert "holding records back" in stages
