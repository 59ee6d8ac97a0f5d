"""Dates, amounts and percentages go out in the form that they came in, and claims hold on that."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.publishing.verifying import verify

ROWS = 60


def write(path: Path, columns: dict[str, list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def columns() -> dict[str, list[str]]:
    draw = np.random.default_rng(11)
    days = draw.integers(1, 29, ROWS)
    months = draw.integers(1, 13, ROWS)
    wages = draw.lognormal(7.5, 0.5, ROWS)
    grouped = [f"{w:,.2f}".translate(str.maketrans(",.", ".,")) for w in wages]
    return {
        "born": [f"{d:02}.{m:02}.19{60 + d}" for d, m in zip(days, months, strict=True)],
        "joined": [f"{m:02}/20{d:02}" for d, m in zip(days, months, strict=True)],
        "week": [f"2021-W{m:02}" for m in months],
        "wage": [f"{text} €" for text in grouped],
        "share": [f"{d},5 %" for d in days],
        "weight": [f"{d}.250,75" for d in days],
    }


ROLES = {
    "born": "quasi-identifier",
    "joined": "quasi-identifier",
    "week": "quasi-identifier",
    "wage": "confidential",
    "share": "confidential",
    "weight": "weight",
}


@pytest.mark.parametrize("k", [3, 7])
def test_a_release_has_the_forms_of_its_original(tmp_path: Path, k: int) -> None:
    data = discreet.read(write(tmp_path / "people.csv", columns()), ROLES)
    assert [a.kind.value for a in data.schema] == ["continuous"] * 6
    release = discreet.protect(
        data,
        discreet.Microaggregation(discreet.partition.MDAV(k=k)),
        seed=1,
        claims={"k-anonymity": k, "t-closeness": 0.9},
    )
    folder = release.write(tmp_path / "out")
    assert verify(folder).faults == ()
    with (folder / "release.csv").open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file, delimiter=";"))
    shapes = {
        "born": r"[0-3]\d\.[01]\d\.19\d\d",
        "joined": r"[01]\d/20\d\d",
        "week": r"2021-W[0-5]\d",
        "wage": r"(?:\d\.)?\d{1,3},\d\d €",
        "share": r"\d{1,2},5 %",
        "weight": r"\d{1,2}\.250,75",
    }
    for record in records:
        for name, shape in shapes.items():
            assert re.fullmatch(shape, record[name]), name
    alike = [tuple(record[name] for name in ("born", "joined", "week")) for record in records]
    assert min(alike.count(key) for key in alike) >= k
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    forms = {c["name"]: c.get("form") for c in manifest["release"]["columns"]}
    assert forms["born"] == {"date": "%d.%m.%Y"}
    assert forms["wage"]["suffix"] == " €"


def test_an_untouched_file_goes_back_as_it_came(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv", columns())
    data = discreet.read(path, ROLES)
    release = discreet.protect(
        data, discreet.Rounding(base=1e-9, columns=["share"]), shuffle=False, allow=None
    )
    folder = release.write(tmp_path / "out")
    assert (folder / "release.csv").read_bytes() == path.read_bytes()
