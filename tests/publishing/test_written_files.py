"""Persons and households, patients and visits: files of one plan, released and verified."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.cli.main import run
from discreet.errors import DataError, UsageError
from discreet.publishing.record import read_record
from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.report import reproducing
from discreet.report.content import Content
from discreet.report.plain import from_json

PLAN = """
files:
  households:
    file: households.csv
    columns:
      hid: household
      town: quasi-identifier
      hsize: quasi-identifier
      rent: confidential
  persons:
    file: persons.csv
    columns:
      hid: household
      name: identifier
      age: quasi-identifier
      sex: quasi-identifier
      pay: confidential
steps:
  - microaggregation: {partition: {mdav: {k: 4}}}
allow: [rent]
measures: [k-anonymity, household-k-anonymity]
"""


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two files and the plan for them."""
    folder, draw = tmp_path_factory.mktemp("survey"), np.random.default_rng(1)
    size = np.append(draw.integers(1, 5, 118), [7, 8])
    home = np.repeat(np.arange(120), size) + 5001
    order = draw.permutation(120)
    households = {
        "hid": (np.arange(120) + 5001)[order],
        "town": draw.choice(["Ayle", "Bron"], 120),
        "hsize": size[order],
        "rent": draw.integers(300, 900, 120),
    }
    persons = {
        "hid": home,
        "name": [f"person {row}" for row in range(len(home))],
        "age": draw.integers(0, 90, len(home)),
        "sex": draw.choice(["f", "m"], len(home)),
        "pay": draw.integers(0, 5000, len(home)),
    }
    for name, columns in (("households", households), ("persons", persons)):
        csv.write_csv(pa.table(columns), folder / f"{name}.csv")
    (folder / "plan.yaml").write_text(PLAN)
    return folder


@pytest.fixture(scope="module")
def out(survey: Path) -> Path:
    """Write the release by the command line."""
    folder = survey / "out"
    assert run(["protect", str(survey / "plan.yaml"), "--out", str(folder)]) == 0
    return folder


def read(path: Path) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = csv.read_csv(path).to_pydict()
    return columns


def test_both_files_are_written_together_and_fit(survey: Path, out: Path) -> None:
    assert sorted(path.name for path in out.iterdir()) == [
        "manifest.json",
        "record.json",
        "release-households.csv",
        "release-persons.csv",
        "report-internal.html",
        "report-public.html",
    ]
    homes, people = (read(out / f"release-{name}.csv") for name in ("households", "persons"))
    before, persons = (read(survey / f"{name}.csv") for name in ("households", "persons"))
    assert list(homes) == ["hid", "town", "hsize", "rent"]
    assert list(people) == ["hid", "age", "sex", "pay"]
    assert len(people["hid"]) == len(persons["hid"])
    assert len(homes["hid"]) == len(set(homes["hid"])) <= len(before["hid"])
    assert set(homes["hid"]) == {key for key in people["hid"] if key is not None}
    assert not set(homes["hid"]) & set(before["hid"])
    # One household, one rent: what is released as it is belongs together as it did.
    once = dict(zip(before["hid"], before["rent"], strict=True))
    was = sorted((once[key], pay) for key, pay in zip(persons["hid"], persons["pay"], strict=True))
    rents = dict(zip(homes["hid"], homes["rent"], strict=True))
    now = [
        (rents[k], p) for k, p in zip(people["hid"], people["pay"], strict=True) if k is not None
    ]
    assert set(now) <= set(was)
    assert len(now) > len(was) / 2


def test_claims_are_counted_over_the_join(out: Path) -> None:
    found = verify(out)
    assert found.holds
    assert [f.counted for f in found.figures if f.measure == "k-anonymity" and f.bound] == [4.0]
    record = read_record(out / "record.json")
    assert [Path(file["path"]).name for file in record["inputs"]] == [
        "households.csv",
        "persons.csv",
    ]
    for text in (
        json.dumps(record["plan"]),
        reproducing.plan(from_json(Content, record["report"])),
    ):
        assert Plan.parse(text).files["persons"].columns[0] == "hid"


def test_two_files_of_an_earlier_version_are_verified(out: Path, tmp_path: Path) -> None:
    folder = tmp_path / "earlier"
    shutil.copytree(out, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    [manifest["release"]["joined"]] = manifest["release"]["joined"]
    (folder / "manifest.json").write_text(json.dumps({**manifest, "schema": 2}))
    found = verify(folder)
    assert found.holds
    assert [f.counted for f in found.figures if f.measure == "k-anonymity" and f.bound] == [4.0]


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        ("drop a household", "has others"),
        ("another key", "does not have"),
        ("twice", "repeated or missing"),
    ],
)
def test_files_that_no_longer_fit_are_found(
    out: Path, tmp_path: Path, spoiled: str, words: str
) -> None:
    from discreet.publishing.checksum import sha256

    folder = tmp_path / "spoiled"
    shutil.copytree(out, folder)
    homes = folder / "release-households.csv"
    lines = homes.read_text().splitlines()
    if spoiled == "drop a household":
        lines.pop()
    elif spoiled == "another key":
        lines[1] = "999999," + lines[1].split(",", 1)[1]
    else:
        lines[1] = lines[2].split(",", 1)[0] + "," + lines[1].split(",", 1)[1]
    homes.write_text("\n".join(lines) + "\n")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert any("checksum differs" in fault for fault in verify(folder).faults)
    manifest["files"][homes.name] = sha256(homes)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert any(words in fault for fault in verify(folder).faults)


def test_visits_of_patients_count_as_patients(tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    visits = draw.integers(1, 4, 90)
    who = np.repeat(np.arange(90), visits)
    patients = {"patient": np.arange(90), "sex": draw.choice(["f", "m"], 90)}
    dates = {"patient": who, "ward": draw.choice(["a", "b"], len(who)), "age": 40 + who % 30}
    csv.write_csv(pa.table(patients), tmp_path / "patients.csv")
    csv.write_csv(pa.table(dates), tmp_path / "visits.csv")
    plan = Plan.parse(
        """
files:
  patients: {file: patients.csv, columns: {patient: person, sex: quasi-identifier}}
  visits:
    file: visits.csv
    columns: {patient: person, ward: quasi-identifier, age: quasi-identifier}
unit: person
steps: [{microaggregation: {partition: {mdav: {k: 3}}}}]
"""
    )
    from dataclasses import replace

    plan = replace(plan, folder=tmp_path)
    assert Plan.parse(plan.dump()).files == plan.files
    release = plan.run(seed=1)
    assert [claim.measure for claim in release.claims] == ["k-anonymity", "trajectory-k-anonymity"]
    folder = release.write(tmp_path / "out")
    found = verify(folder)
    assert found.holds
    assert {f.measure for f in found.figures if f.counted is not None} >= {"trajectory-k-anonymity"}
    homes = read(folder / "release-patients.csv")
    released = read(folder / "release-visits.csv")
    assert len(set(homes["patient"])) == len(homes["patient"])
    assert set(homes["patient"]) == {key for key in released["patient"] if key is not None}


CHAIN = """
files:
  households: {file: homes.parquet, columns: {hid: household, town: quasi-identifier}}
  persons:
    file: people.parquet
    columns: {pid: person, hid: household, sex: quasi-identifier, born: quasi-identifier}
  visits:
    file: visits.parquet
    columns: {pid: person, ward: quasi-identifier, cost: confidential}
steps: [STEP]
allow: [cost]
measures: [k-anonymity, household-k-anonymity, trajectory-k-anonymity]
"""


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write visits of persons in households."""
    folder, draw = tmp_path_factory.mktemp("chain"), np.random.default_rng(3)
    home = np.repeat(np.arange(80), draw.integers(1, 4, 80))
    who = np.repeat(np.arange(len(home)), draw.integers(0, 3, len(home)))
    tables: dict[str, dict[str, Any]] = {
        "homes": {"hid": [f"h{i}" for i in range(80)], "town": draw.choice(["A", "B"], 80)},
        "people": {
            "pid": np.arange(len(home)) + 700,
            "hid": [f"h{i}" for i in home],
            "sex": draw.choice(["f", "m"], len(home)),
            "born": draw.choice(["1950s", "1970s"], len(home)),
        },
        "visits": {
            "pid": who + 700,
            "ward": draw.choice(["x", "y"], len(who)),
            "cost": draw.integers(10, 900, len(who)),
        },
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    return folder


@pytest.mark.parametrize(
    "step",
    ["local-suppression: {k: 2}", "pram: {columns: [sex, town]}", "sampling: {fraction: 0.6}"],
)
def test_visits_of_persons_in_households_are_three_files(
    chain: Path, tmp_path: Path, step: str
) -> None:
    (chain / "plan.yaml").write_text(CHAIN.replace("STEP", f"{{{step}}}"))
    out = tmp_path / "out"
    plan = Plan.load(chain / "plan.yaml")
    assert Plan.parse(plan.dump()).files == plan.files
    plan.run(seed=1).write(out)
    found = verify(out)
    assert found.holds, found.faults
    manifest = json.loads((out / "manifest.json").read_text())
    assert [part["key"] for part in manifest["release"]["joined"]] == ["pid", "hid"]
    names = ("households", "persons", "visits")
    homes, people, visits = (
        pq.read_table(out / f"release-{name}.parquet").to_pydict() for name in names
    )
    assert list(visits) == ["pid", "ward", "cost"]
    assert set(homes["hid"]) == {key for key in people["hid"] if key is not None}
    assert set(people["pid"]) == {key for key in visits["pid"] if key is not None}
    for one in (homes["hid"], people["pid"]):
        assert len(set(one)) == len(one)
    before = pq.read_table(chain / "visits.parquet").to_pydict()
    assert not set(people["pid"]) & set(before["pid"])
    assert sorted(visits["cost"]) == sorted(before["cost"]) or step.startswith("sampling")


def test_a_change_in_the_middle_of_a_chain_is_found(chain: Path, tmp_path: Path) -> None:
    from discreet.publishing.checksum import sha256

    (chain / "plan.yaml").write_text(CHAIN.replace("STEP", "{pram: {columns: [sex]}}"))
    out = tmp_path / "out"
    Plan.load(chain / "plan.yaml").run(seed=1).write(out)
    file = out / "release-persons.parquet"
    people = pq.read_table(file)
    torn = people.set_column(1, "hid", pa.array([None, *people["hid"].to_pylist()[1:-1], "h"]))
    pq.write_table(torn.set_column(0, "pid", people["pid"]), file)
    assert any("checksum differs" in fault for fault in verify(out).faults)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["files"][file.name] = sha256(file)
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("a 'hid' that" in fault for fault in verify(out).faults)


def test_files_that_keys_do_not_join_in_one_way_are_refused() -> None:
    for changed in (
        CHAIN.replace("pid: person, ward", "pid: person, hid: household, ward"),
        CHAIN.replace("pid: person, hid: household, sex", "pid: person, sex"),
    ):
        with pytest.raises(UsageError, match="one column in common with another"):
            Plan.parse(changed.replace("STEP", "rounding"))


def test_a_key_that_a_step_took_away_takes_the_household_with_it(survey: Path) -> None:
    plan = Plan.load(survey / "plan.yaml")
    release = plan.run(seed=1)
    lost = release.data.column("hid").missing
    assert lost.any(), "households of rare sizes lose their number"
    assert release.data.column("town").missing[lost].all()
    assert any("are released without 'hid'" in note for note in release.notes)


def test_what_two_files_cannot_do_is_refused(survey: Path, tmp_path: Path) -> None:
    plan = Plan.load(survey / "plan.yaml")
    with pytest.raises(UsageError, match="reads the files that it names"):
        plan.read(survey / "persons.csv")
    with pytest.raises(UsageError, match="several files"):
        plan.read_release(survey / "persons.csv", plan.read())
    with pytest.raises(UsageError, match="one column in common"):
        Plan.parse(PLAN.replace("hid: household", "hid: quasi-identifier"))
    with pytest.raises(UsageError, match="states this below each of the files"):
        Plan.parse(PLAN + "data: {file: a.csv}\n")
    with pytest.raises(UsageError, match="name two files"):
        Plan.parse("files: {a: {file: a.csv}}\nsteps: [rounding]")
    release = plan.run(seed=1)
    with pytest.raises(DataError, match="never written over its input"):
        release.write(survey)
    table = release.data
    codes, keys = table["town"].copy(), table["hid"]
    shared = np.flatnonzero(np.bincount(keys[keys >= 0]) > 1)[0]
    codes[np.flatnonzero(keys == shared)[0]] += 1
    release.data = table.replace([table.column("town").with_values(codes % 2)])
    with pytest.raises(DataError, match="several values of 'town'"):
        release.write(tmp_path / "torn")
    assert not (tmp_path / "torn").exists()


def test_steps_below_a_file_treat_its_columns_alone(survey: Path) -> None:
    steps = {
        "households": "rounding: {base: 2, columns: [rent]}",
        "persons": "rounding: {base: 10}",
    }
    text = PLAN
    for name, step in steps.items():
        text = text.replace(
            f"    file: {name}.csv\n", f"    file: {name}.csv\n    steps: [{step}]\n"
        )
    text = text.replace("age: quasi-identifier", "age: quasi-identifier\n      sex: other")
    text = text.replace("      sex: quasi-identifier\n", "").partition("steps:\n  - micro")[0]
    (survey / "by_file.yaml").write_text(text + "measures: [k-anonymity]\n")
    plan = Plan.load(survey / "by_file.yaml")
    release = plan.run(seed=1)
    assert [step.values()["columns"] for step in plan.steps] == [("rent",), ("age",)]
    homes = read(survey / "households.csv")
    assert {value % 10 for value in release.data["age"]} == {0}
    assert {value % 2 for value in release.data["rent"]} == {0}
    assert sorted(set(release.data["hsize"])) == sorted(set(homes["hsize"]))


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("rounding: {columns: [age]}", "'age' is not one"),
        ("sampling: {fraction: 0.5}", "treats whole records"),
        ("roundig", "did you mean 'rounding'"),
    ],
)
def test_a_step_below_a_file_that_is_not_about_it(step: str, words: str) -> None:
    file = "    file: households.csv\n"
    with pytest.raises(UsageError, match=words):
        Plan.parse(PLAN.replace(file, f"{file}    steps: [{{{step}}}]\n"))


def test_a_dry_look_at_the_joined_table(survey: Path) -> None:
    data = Plan.load(survey / "plan.yaml").read()
    assert {a.name: a.level for a in data.schema}["town"] == "household"
    assert isinstance(data, discreet.Microdata)
