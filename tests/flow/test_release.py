"""Whole flows: a raw file becomes a checked release, by library and command line alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet
from discreet import datasets
from discreet.publishing.checksum import sha256
from tests.command_line import FILES, Discreet, names_in

ROLES = {
    "name": "identifier",
    "age": "quasi-identifier",
    "height": "quasi-identifier",
    "town": "quasi-identifier",
    "income": "confidential",
}


def test_describe_protect_assess_report(folder: Path, discreet_command: Discreet) -> None:
    described = discreet_command("describe", "people.csv", "--out", "start.yaml")
    assert described.code == 0
    assert "identifier" in described.out
    assert discreet_command("protect", "start.yaml", "--out", "out").code == 0
    assert names_in(folder / "out") == FILES
    files = ["--original", "people.csv", "--released", "out/release.csv"]
    assessed = discreet_command("assess", "--plan", "start.yaml", *files)
    assert assessed.code == 0
    assert "k-anonymity" in assessed.out
    assert "Distance linkage" in assessed.out
    assert "left out: distance-linkage" not in assessed.out, "the record knows the pairing"
    not_taken = assessed.out.partition("not measured unless asked for (--measure, --all): ")[2]
    assert "class-divergence" in not_taken
    every = discreet_command("assess", "--plan", "start.yaml", *files, "--all")
    assert every.code == 0
    assert "trade-off-score" in every.out
    assert "not taken" not in every.out
    before = (folder / "out" / "report-internal.html").read_bytes()
    (folder / "out" / "report-internal.html").unlink()
    assert discreet_command("report", "out").code == 0
    assert (folder / "out" / "report-internal.html").read_bytes() == before
    assert (folder / "out" / "report-internal.html").stat().st_mode & 0o777 == 0o600


def test_library_and_command_line_give_the_same_bytes(
    folder: Path, discreet_command: Discreet
) -> None:
    (folder / "seed").write_text("20261115")
    assert discreet_command("protect", "plan.yaml", "--out", "a", "--seed-file", "seed").code == 0
    data = discreet.read("people.csv", roles=ROLES)
    method = discreet.Microaggregation(
        discreet.partition.MDAV(k=3), discreet.replacement.Centroid()
    )
    release = discreet.protect(
        data, method, seed=20261115, claims={"k-anonymity": 3}, keep_decimals=True
    )
    release.write("b")
    for name in ("release.csv", "manifest.json", "report-public.html", "report-internal.html"):
        assert (folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes(), name
    again = discreet_command("protect", "plan.yaml", "--out", "c", "--seed-file", "a/record.json")
    assert again.code == 0
    assert sha256(folder / "c" / "release.csv") == sha256(folder / "a" / "release.csv")


def test_rows_are_shuffled_unless_asked_otherwise(folder: Path) -> None:
    data = discreet.read("people.csv", roles=ROLES)
    kept = discreet.protect(data, "microaggregation", shuffle=False)
    assert kept.data["income"].tolist() == data["income"].tolist()
    mixed = discreet.protect(data, "microaggregation")
    assert mixed.data["income"].tolist() != data["income"].tolist()
    assert sorted(mixed.data["income"]) == sorted(data["income"])
    assert mixed.data["income"].tolist() == data["income"][mixed.origin].tolist()


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_go_in_and_the_same_kind_comes_back(library: type) -> None:
    frame = library({"age": [21, 22, 23, 40, 41, 42], "note": ["a", "b", "c", "d", "e", "f"]})
    release = discreet.protect(
        frame,
        discreet.Microaggregation(discreet.partition.MDAV(k=3)),
        roles={"age": "quasi-identifier", "note": "other"},
    )
    out = release.frame()
    assert type(out) is type(frame)
    assert sorted(discreet.read(out)["age"]) == [22, 22, 22, 41, 41, 41]
    assert type(discreet.assess(release.original, release).to_frame()) is type(frame)


def test_wide_ids_and_leading_zeros_survive(tmp_path: Path) -> None:
    wide = [2**62 + 3 * i for i in range(20)]
    rows = ["unit,postcode,age"] + [f"{w},0{1200 + i},{20 + i}" for i, w in enumerate(wide)]
    file = tmp_path / "units.csv"
    file.write_text("\n".join(rows) + "\n")
    roles = {"unit": "other", "postcode": "other", "age": "quasi-identifier"}
    release = discreet.protect(discreet.read(file, roles=roles), "microaggregation")
    release.write(tmp_path / "out")
    lines = (tmp_path / "out" / "release.csv").read_text().splitlines()[1:]
    assert {line.split(",")[0] for line in lines} == {str(w) for w in wide}
    assert {line.split(",")[1] for line in lines} == {f"0{1200 + i}" for i in range(20)}


def test_spss_labels_survive_the_release(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="needs the extra 'stat'")
    frame = pd.DataFrame(
        {"sex": [1.0, 2.0] * 20, "age": [float(20 + i) for i in range(40)], "id": range(40)}
    )
    pyreadstat.write_sav(
        frame,
        str(tmp_path / "people.sav"),
        column_labels={"sex": "Sex of the person", "age": "Age in years"},
        variable_value_labels={"sex": {1: "male", 2: "female"}},
        variable_measure={"sex": "nominal", "age": "scale"},
    )
    roles = {"sex": "quasi-identifier", "age": "quasi-identifier", "id": "identifier"}
    data = discreet.read(tmp_path / "people.sav", roles=roles)
    assert data.schema["sex"].kind == "nominal"
    discreet.protect(data, "microaggregation").write(tmp_path / "out")
    released, meta = pyreadstat.read_sav(str(tmp_path / "out" / "release.sav"))
    assert list(released.columns) == ["sex", "age"]
    assert meta.variable_value_labels["sex"] == {1.0: "male", 2.0: "female"}
    assert meta.column_names_to_labels["age"] == "Age in years"


def test_a_limit_on_linkage_can_be_claimed(patients: discreet.Microdata) -> None:
    method = discreet.Microaggregation(discreet.partition.MDAV(k=20))
    release = discreet.protect(patients, method, claims={"distance-linkage": 0.10})
    assert release.claims[-1].measured is not None
    assert release.claims[-1].measured <= 0.10
    with pytest.raises(discreet.ClaimError, match=r"at most 0\.001"):
        discreet.protect(patients, method, claims={"distance-linkage": 0.001})


MOST_ROWS = 1100
"""The first towns of the survey come after a thousand villagers."""


@pytest.mark.parametrize(
    "file",
    [
        "pima_diabetes.csv",
        "medicare_nmes1988.csv",
        "adult_arx_30162.csv",
        "sdcmicro_testdata.csv",
        "thyroid_2800.csv",
    ],
)
def test_real_files(
    file: str, data_files: Path, tmp_path: Path,
    discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    head = (data_files / file).read_text(encoding="utf-8").splitlines()[: MOST_ROWS + 1]
    (tmp_path / file).write_text("\n".join(head) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert discreet_command("describe", file, "--out", "plan.yaml").code == 0
    described = discreet.describe(file)
    if not described.quasi_identifiers:
        pytest.fail(f"no quasi-identifier was suggested for {file}")
    outcome = discreet_command("protect", "plan.yaml", "--out", "out")
    assert outcome.code == 0, outcome.err
    assert "k-anonymity 5" in outcome.out


def test_embedded_data_by_both_ways_of_reading(patients: discreet.Microdata) -> None:
    frame = pd.read_csv(datasets.path(), dtype={"postcode": str, "household_id": str,
                                                "patient_id": str})  # fmt: skip
    other = discreet.read(frame, roles=datasets.roles(), kinds=datasets.kinds())
    one = discreet.protect(patients, "microaggregation", seed=1)
    two = discreet.protect(other, "microaggregation", seed=1)
    assert one.groups is not None
    assert two.groups is not None
    assert one.groups.labels.tolist() == two.groups.labels.tolist()
    assert np.array_equal(one.data["age"], two.data["age"])
