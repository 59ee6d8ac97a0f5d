"""The figures of the papers as CSV and JSON: every one of them, where it stands on the page."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

from bench.papers.__main__ import command
from bench.papers.figures import in_csv, in_json
from bench.papers.section import (
    Chapter,
    Chart,
    Curve,
    Finding,
    Pair,
    Paper,
    Quantity,
    Row,
    Section,
    Table,
    share,
    verdict_of,
)
from discreet.cli.main import run_command

TABLE = Table(
    "Risk, loss",
    "method",
    (share("linkage"), Quantity("X²")),
    (Row("one, two", (Pair(5.0, 4.25), Pair(None, math.nan)), "k = 3"),),
)
CHART = Chart(
    "Figure 2", "k", "loss",
    (Curve("MDAV", ((3.0, 0.5),)), Curve("MDAV, printed", ((3.0, 0.4),), beside=0)),
)  # fmt: skip
SECTION = Section("T 1", findings=(Finding("A < B", verdict_of(True), "1, 2"),), tables=(TABLE,))
CHAPTERS = [
    Chapter(Paper("made", "M", "Made (1999)"), (SECTION, Section("F 2", charts=(CHART,))), 1.5)
]


def test_one_line_for_each_figure() -> None:
    lines = list(csv.DictReader(io.StringIO(in_csv(CHAPTERS))))
    assert [(x["section"], x["row"], x["setting"], x["theirs"], x["ours"]) for x in lines] == [
        ("T 1", "one, two", "k = 3", "5.0", "4.25"),
        ("T 1", "one, two", "k = 3", "", ""),
        ("F 2", "MDAV", "k = 3", "", "0.5"),
        ("F 2", "MDAV, printed", "k = 3", "0.4", ""),
    ]
    assert [(x["quantity"], x["unit"]) for x in lines[:2]] == [("linkage", "%"), ("X²", "")]


def test_json_has_the_same_figures_and_the_statements() -> None:
    [paper] = json.loads(in_json(CHAPTERS, "0.1", quick=False))["papers"]
    assert paper["sections"][0]["statements"] == [
        {"says": "A < B", "verdict": "holds", "here": "1, 2"}
    ]
    figures = [figure for section in paper["sections"] for figure in section["figures"]]
    lines = list(csv.DictReader(io.StringIO(in_csv(CHAPTERS))))
    assert [f["ours"] for f in figures] == [float(x["ours"]) if x["ours"] else None for x in lines]


def test_the_command_writes_both_beside_the_page(tmp_path: Path) -> None:
    page = tmp_path / "redone.html"
    words = ["--data", str(tmp_path), "--out", str(page), "--quick", "--only", "mart"]
    assert run_command(command, "bench.papers", words) == 3  # no data there
    [paper] = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))["papers"]
    assert paper["name"] == "mart"
    assert any(section["missing_files"] for section in paper["sections"])
    assert "worked example" in paper["sections"][0]["title"].lower()
    lines = csv.DictReader(io.StringIO(page.with_suffix(".csv").read_text(encoding="utf-8")))
    assert {line["paper"] for line in lines} == {"mart"}
