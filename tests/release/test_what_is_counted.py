"""Where a key of households is declared, households are counted, unless a plan says records."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.cli.main import run
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.microdata import Microdata
from discreet.microdata.clusters import unit_key
from discreet.microdata.levels import stated_unit
from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.release.what_is_counted import note_on_counting

FAMILY = {"home": [1] * 5 + [2, 3, 4, 5, 6], "town": list("aaaaabbbbb"), "ill": list("xyzxyxyzxy")}
ROLES = {"home": "household", "town": "quasi-identifier", "ill": "confidential"}
BY_UNIT = ["k-anonymity", "sample-uniqueness", "special-uniques", "average-group-size"]
OF_PERSONS = ["individual-risk", "household-risk"]


def family(unit: str | None = None, **more: Any) -> Microdata:
    """Return five members of one household in one town, and five households in another."""
    table = {**FAMILY, **{name: values for name, (values, _) in more.items()}}
    roles = {**ROLES, **{name: role for name, (_, role) in more.items()}}
    return discreet.read(table, roles=roles, unit=unit)


def value(measure: str, data: Microdata) -> float:
    found: Any = build("measure", measure)
    return float(found.score(data, data, Context()).value)


def test_five_members_of_one_household_are_not_five() -> None:
    assert value("k-anonymity", family()) == 1
    assert value("k-anonymity", family("record")) == 5
    assert value("sample-uniqueness", family()) == 0.5
    assert value("sample-uniqueness", family("record")) == 0


@pytest.mark.parametrize("measure", [*BY_UNIT, "l-diversity", "t-closeness"])
def test_the_default_is_what_different_households_asks_for(measure: str) -> None:
    assert value(measure, family()) == value(measure, family("different-households"))


@pytest.mark.parametrize("unit", [None, "different-households", "household", "record"])
@pytest.mark.parametrize("measure", OF_PERSONS)
def test_risks_are_of_persons_whatever_claims_count(measure: str, unit: str | None) -> None:
    weighted = {"w": ([60.0, 50, 8, 9, 7, 8, 9, 10, 11, 12], "weight")}
    for more in ({}, weighted):
        assert value(measure, family(unit, **more)) == value(measure, family("record", **more))
    assert value("individual-risk", family(unit)) == 1 / 5


def test_of_two_keys_households_are_counted_and_risks_are_of_persons() -> None:
    persons: dict[str, Any] = {"who": ([1, 1, 2, 3, 4, 5, 6, 7, 8, 9], "person")}
    data = family(**persons)
    assert unit_key(data) == "home"
    assert unit_key(family("person", **persons)) == "who"
    assert unit_key(family("record", **persons)) is None
    # The two records of the first person count once: 1/4 for five records, 1/5 for five.
    assert value("individual-risk", data) == pytest.approx((5 / 4 + 1) / 10)
    assert value("individual-risk", family("record", **persons)) == 1 / 5


def test_records_may_be_asked_for_where_there_is_no_key() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": "quasi-identifier"}, unit="record")
    assert unit_key(data) is stated_unit(data) is None
    assert list(note_on_counting(data)) == []


def test_what_is_counted_is_said_in_a_note() -> None:
    (note,) = note_on_counting(family())
    assert note.startswith("k, l, t and uniqueness count different households, not records")
    assert "'unit: record' counts records, as sdcMicro does" in note
    for unit in ("record", "different-households", "household"):
        assert list(note_on_counting(family(unit))) == []
    persons = {"who": (list(range(10)), "person")}
    (note,) = note_on_counting(family("record", **persons))
    assert note.startswith("k, l, t and uniqueness count records, as 'unit: record' says: a person")


def survey(folder: Path, unit: str | None = None) -> Path:
    """Write a file of households and a plan for it; return the plan."""
    draw = np.random.default_rng(3)
    home = np.repeat(np.arange(120), draw.integers(1, 6, 120))
    rows = [
        f"{h},{a},{s},{p}"
        for h, a, s, p in zip(
            home,
            draw.choice(list("abcdefghi"), len(home)),
            draw.choice(["f", "m"], len(home)),
            draw.choice(["x", "y"], len(home)),
            strict=True,
        )
    ]
    (folder / "people.csv").write_text("\n".join(["hid,age,sex,ill", *rows]), "utf-8")
    plan = folder / "plan.yaml"
    plan.write_text(
        f"data: people.csv\n{f'unit: {unit}' if unit else ''}\n"
        "columns: {hid: household, age: quasi-identifier, sex: quasi-identifier, ill: confidential}"
        "\nsteps: [{local-suppression: {k: 3}}]\nallow: []\n",
        "utf-8",
    )
    return plan


@pytest.mark.parametrize(("unit", "counts"), [(None, "households"), ("record", "records")])
def test_a_plan_on_the_command_line(
    tmp_path: Path, unit: str | None, counts: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = survey(tmp_path, unit)
    assert run(["protect", str(plan), "--out", str(tmp_path / "out")]) == 0
    told = " ".join(" ".join(capsys.readouterr()).split())
    assert ("'unit: record' counts records, as sdcMicro does" in told) == (unit is None)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    (claim,) = manifest["claims"]
    assert (claim["counts"], "households" in claim) == (counts, unit == "record")
    marks = {c["name"]: c["unit"] for c in manifest["release"]["columns"] if "unit" in c}
    assert marks == {"hid": unit is None}
    assert run(["verify", str(tmp_path / "out")]) == 0
    # Counted on the disk, it is the same.
    on_disk = verify(tmp_path / "out", memory=10_000)
    assert on_disk.holds
    assert {f.counted for f in on_disk.figures if f.measure == "k-anonymity"} == {claim["measured"]}


@pytest.mark.parametrize("unit", [None, "record", "different-households", "household"])
def test_a_plan_and_the_record_of_a_release_keep_the_unit(tmp_path: Path, unit: str | None) -> None:
    plan = Plan.load(survey(tmp_path, unit))
    assert plan.unit == unit
    assert Plan.parse(plan.dump()).unit == unit
    folder = plan.run(seed=1).write(tmp_path / "out")
    record = json.loads((folder / "record.json").read_text("utf-8"))
    assert record["plan"].get("unit") == unit


@pytest.mark.parametrize("unit", ["record", "different-households"])
def test_a_release_of_an_earlier_version_is_counted_as_it_was(tmp_path: Path, unit: str) -> None:
    """Before schema 4 only a household that was asked for was marked, and risks were of it too."""
    plan = replace(Plan.load(survey(tmp_path, unit)), measures=None)
    folder = plan.run(seed=1).write(tmp_path / "out")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["schema"] = 3
    for column in manifest["release"]["columns"]:
        if not column.get("unit", True):
            del column["unit"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    wrong = {figure.measure for figure in verify(folder).figures if figure.fault}
    # What this version measured by persons would have been measured by households then.
    assert wrong == (set() if unit == "record" else {"individual-risk", "household-risk"})
    counted = {f.measure: f.counted for f in verify(folder).figures if f.bound is not None}
    assert counted == {"k-anonymity": manifest["claims"][0]["measured"]}
