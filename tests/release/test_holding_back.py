"""Records held back: no step sees them, nobody receives them, and the owner finds them again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Masked, Method, Spec
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata
from discreet.publishing.record import held_back_from
from discreet.release.copies import copies
from discreet.release.holding_back import parted, rows_held_back
from tests.command_line import Discreet

ROLES = {"age": "quasi-identifier", "pay": "confidential"}


class Watching(Method):
    """Notes what it was given."""

    spec = Spec(name="watching", title="Watching", citation="", missing="kept")
    seen: list[Microdata] = []  # noqa: RUF012

    def protect(self, data: Microdata, context: Context) -> Masked:
        self.seen.append(data)
        return Masked(data)


def people(rows: int = 200) -> Microdata:
    draw = np.random.default_rng(3)
    pay = draw.permutation(rows) + 1000.0
    return discreet.read({"age": draw.normal(50, 9, rows), "pay": pay}, roles=ROLES)


def test_no_step_sees_them_and_nobody_receives_them() -> None:
    data = people()
    release = discreet.protect(data, Watching(), seed=1, hold_back=0.1, allow=None)
    held = set(data["pay"][release.held_back].tolist())
    assert len(held) == 20
    assert release.control is not None
    assert set(release.control["pay"].tolist()) == held
    for table in (*Watching.seen, release.data, release.original):
        assert len(table) == 180
        assert held.isdisjoint(table["pay"].tolist())
    assert np.array_equal(release.data["age"], release.original["age"][release.origin])
    assert any("20 of 200 records were held back" in note for note in release.notes)


def test_the_whole_file_may_be_given_to_assess() -> None:
    data = people()
    noise = discreet.AdditiveNoise(alpha=0.001)
    release = discreet.protect(data, noise, seed=1, hold_back=0.25)
    risk = discreet.assess(data, release, ["distance-linkage"]).risk
    assert risk["distance-linkage"].value > 0.1


def test_members_of_a_household_are_held_back_together() -> None:
    home = np.repeat(np.arange(30), 3)
    data = discreet.read({"home": home, "age": np.arange(90)}, roles={"home": "household"})
    rows = rows_held_back(data, 0.2, np.random.default_rng(1))
    assert len(rows) == 18
    assert set(home[rows].tolist()).isdisjoint(np.delete(home, rows).tolist())


def test_shares_out_of_range_are_refused() -> None:
    for share in (0, 1, 0.6, True, "some"):
        with pytest.raises(UsageError, match="above 0 and at most"):
            rows_held_back(people(), share, np.random.default_rng(1))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="choose another share"):
        rows_held_back(people(3), 0.1, np.random.default_rng(1))
    with pytest.raises(DataError, match="right original"):
        parted(people(3), np.array([7]))


def test_copies_would_hold_back_different_people() -> None:
    with pytest.raises(UsageError, match="hold back different records"):
        copies(people(), "additive-noise", 2, hold_back=0.1)


def test_a_plan_holds_back_and_its_record_knows_whom(
    folder: Path, discreet_command: Discreet
) -> None:
    plan = (folder / "plan.yaml").read_text(encoding="utf-8")
    (folder / "plan.yaml").write_text(plan + "release: {hold_back: 0.1}\n", encoding="utf-8")
    assert "hold_back: 0.1" in discreet.Plan.load("plan.yaml").dump()
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    released = folder / "out" / "release.csv"
    assert len(held_back_from(None, released)) == 4
    record = json.loads((folder / "out" / "record.json").read_text(encoding="utf-8"))
    assert record["plan"]["release"]["hold_back"] == 0.1
    internal, public = (
        (folder / "out" / f"report-{which}.html").read_text(encoding="utf-8")
        for which in ("internal", "public")
    )
    assert "hold_back: 0.1" in internal
    assert "hold_back" not in public
    files = ["--plan", "plan.yaml", "--original", "people.csv", "--released", "out/release.csv"]
    shown = discreet_command("assess", *files, "--measure", "distance-linkage")
    assert shown.code == 0
    (folder / "plan.yaml").write_text(plan + "release: {hold_back: 2}\n", encoding="utf-8")
    assert "at most 0.5" in discreet_command("protect", "plan.yaml", "--out", "again").err
