from __future__ import annotations

import io
from pathlib import Path

import pytest

from discreet.errors import UsageError
from discreet.studio.lattices import FILE, kept_lattice, looked_at_levels
from discreet.studio.telling import Telling
from tests.studio.client import people

PLAN = "data: people.csv\ncolumns: {name: identifier, sex: key, region: key}\nsteps: "


def test_the_lattice_is_kept_for_the_owner_alone(tmp_path: Path) -> None:
    people(tmp_path)
    plan = tmp_path / "plan.yaml"
    plan.write_text(PLAN + "[{global-recoding: {k: 3}}]")
    lattice = looked_at_levels(Telling(io.StringIO()), plan)
    assert lattice.columns == ("sex", "region")
    assert kept_lattice(tmp_path) == (plan.read_text(), lattice)
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    (tmp_path / FILE).write_text("{}")
    assert kept_lattice(tmp_path) is None


def test_a_plan_without_a_recoding_has_none(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(PLAN + "[rounding]")
    with pytest.raises(UsageError, match="no global recoding"):
        looked_at_levels(Telling(io.StringIO()), plan)
