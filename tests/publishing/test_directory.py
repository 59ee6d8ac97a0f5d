"""A release becomes a directory: what is public in it, and what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.publishing.checksum import sha256
from discreet.release.plan_file import dump
from tests.command_line import FILES, PLAN, Discreet

QI = "quasi-identifier"
ROLES = {
    "name": "identifier",
    "age": "quasi-identifier",
    "height": "quasi-identifier",
    "town": "quasi-identifier",
    "income": "confidential",
}


def test_what_is_public_and_what_is_not(folder: Path) -> None:
    seed = 987654321987654321
    data = discreet.read("people.csv", roles=ROLES)
    release = discreet.protect(data, "microaggregation", seed=seed)
    mask = os.umask(0o022)
    try:
        release.write("out")
    finally:
        os.umask(mask)
    out = folder / "out"
    modes = {name: out.joinpath(name).stat().st_mode & 0o777 for name in FILES}
    private = ("record.json", "report-internal.html")
    assert modes == {name: 0o600 if name in private else 0o644 for name in FILES}
    public = "".join(
        (out / name).read_text() for name in ("release.csv", "manifest.json", "report-public.html")
    )
    assert str(seed) not in public
    assert "Person 7" not in public
    assert "people.csv" not in public
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["release"]["sha256"] == sha256(out / "release.csv")
    [claim] = manifest["claims"]
    assert (claim["measure"], claim["bound"], claim["measured"]) == ("k-anonymity", 5, 5)
    assert claim["rests on"] == "the released file, where anybody can measure it"
    assert manifest["steps"][0]["parameters"]["partition"]["mdav"]["k"] == 5
    record = json.loads((out / "record.json").read_text())
    assert record["seed"] == seed
    again = discreet.Plan.parse(dump(record["plan"])).run(data, seed=seed)
    assert again.frame().equals(release.frame())
    assert sorted(record["origin"]) == list(range(40))
    assert record["groups"] == release.groups.labels.tolist()  # type: ignore[union-attr]
    assert record["input"]["sha256"] == sha256(folder / "people.csv")
    written = discreet.read(out / "release.csv")
    ages = release.original["age"][record["origin"]]
    assert not np.array_equal(written["age"], ages)


def test_stated_dialect_is_kept(tmp_path: Path) -> None:
    rows = ["Größe;PLZ;Wert"] + [f"{150 + i},5;0{1000 + i % 3};{i % 4}" for i in range(30)]
    file = tmp_path / "datei.csv"
    file.write_bytes(("\r\n".join(rows) + "\r\n").encode("cp1252"))
    data = discreet.read(file, roles={"Größe": "quasi-identifier", "PLZ": "quasi-identifier"})
    assert data.source is not None
    assert "';'" in data.source.notes[0]
    discreet.protect(data, "microaggregation").write(tmp_path / "out")
    text = (tmp_path / "out" / "release.csv").read_bytes().decode("cp1252")
    assert text.startswith("Größe;PLZ;Wert")
    assert ";0100" in text


def test_parquet_in_parquet_out(tmp_path: Path) -> None:
    table = pa.table(
        {
            "age": pa.array(range(20, 60), pa.int16()),
            "when": pa.array([18000 + i for i in range(40)], pa.int32()).cast(pa.date32()),
            "tag": pa.array(["x", "y"] * 20).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    roles = {"age": "quasi-identifier", "when": "quasi-identifier", "tag": "confidential"}
    data = discreet.read(tmp_path / "t.parquet", roles=roles)
    method = discreet.Microaggregation(replacement=discreet.replacement.Centroid(round=True))
    discreet.protect(data, method).write(tmp_path / "out")
    back = pq.read_table(tmp_path / "out" / "release.parquet")
    assert back.schema.field("age").type == pa.int16()
    assert back.schema.field("when").type == pa.date32()
    discreet.protect(data, method).write(tmp_path / "csv", format="csv")
    assert (tmp_path / "csv" / "release.csv").exists()


def test_where_files_lie_is_not_published(folder: Path) -> None:
    place = folder / "secret-place"
    place.mkdir()
    (place / "towns.csv").write_text("A;*\nB;*\n", encoding="utf-8")
    method = discreet.Microaggregation(
        discreet.partition.Mondrian(k=3, hierarchies=[f"town={place / 'towns.csv'}"])
    )
    data = discreet.read("people.csv", roles=ROLES)
    discreet.protect(data, method).write("out")
    for name in ("manifest.json", "report-public.html", "report-internal.html"):
        text = (folder / "out" / name).read_text()
        assert "secret-place" not in text
        assert "town=towns.csv" in text
    assert "secret-place" in (folder / "out" / "record.json").read_text()


def test_nothing_is_written_over_an_input(folder: Path, discreet_command: Discreet) -> None:
    (folder / "inp").mkdir()
    data = folder / "inp" / "release.csv"
    data.write_bytes((folder / "people.csv").read_bytes())
    (folder / "plan.yaml").write_text(PLAN.replace("people.csv", "inp/release.csv"))
    outcome = discreet_command("protect", "plan.yaml", "--out", "inp", "--overwrite")
    assert outcome.code == 1
    assert "never written over its input" in outcome.err
    assert data.read_bytes() == (folder / "people.csv").read_bytes()


def test_null_and_nan_are_released_as_one_value(tmp_path: Path) -> None:
    values = [None] + [float("nan")] * 19 + [5.0] * 20
    table = pa.table({"x": pa.array(values, from_pandas=False)})
    pq.write_table(table, tmp_path / "x.parquet")
    data = discreet.read(tmp_path / "x.parquet", roles={"x": QI})
    release = discreet.protect(data, "microaggregation", claims={"k-anonymity": 20})
    release.write(tmp_path / "out")
    written = pq.read_table(tmp_path / "out" / "release.parquet")["x"]
    assert written.null_count == 20
    assert written.drop_null().to_pylist() == [5.0] * 20


@pytest.mark.parametrize("kind", ["continuous", "nominal"])
def test_zero_is_released_as_one_value(tmp_path: Path, kind: str) -> None:
    (tmp_path / "z.csv").write_text("z\n" + "0.0\n" * 19 + "-0.0\n")
    data = discreet.read(tmp_path / "z.csv", roles={"z": QI}, kinds={"z": kind})
    discreet.protect(data, "microaggregation", claims={"k-anonymity": 20}).write(tmp_path / "out")
    lines = (tmp_path / "out" / "release.csv").read_text().splitlines()[1:]
    assert len(set(lines)) == 1
