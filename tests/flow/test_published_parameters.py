"""No value of the original that is gone from the release is told by a parameter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.publishing.redrawing import draw_reports

RARE = "Rareville"
PUBLIC = ("release.csv", "manifest.json", "report-public.html")


def people() -> discreet.Microdata:
    rng = np.random.default_rng(3)
    town = [RARE, *rng.choice(["Ayle", "Bron"], 99)]
    columns = {"age": [97123.0, *rng.integers(20, 60, 99)], "town": town, "pay": rng.random(100)}
    roles = dict.fromkeys(["age", "town"], "quasi-identifier") | {"pay": "confidential"}
    return discreet.read(columns, roles=roles)


MATRIX = {RARE: {"Ayle": 1}, "Ayle": {"Ayle": 1}, "Bron": {"Ayle": 0.5, "Bron": 0.5}}
STEPS: dict[str, list[dict[str, Any]]] = {
    "mappings": [
        {"global-recoding": {"k": None, "columns": ["town"],
                             "mappings": {"town": {"any": [RARE, "Ayle", "Bron"]}},
                             "levels": {"town": 1}}},
        {"top-bottom-coding": {"columns": ["age"], "top": {"age": 59}}},
    ],
    "matrices": [
        {"pram": {"columns": ["town"], "matrices": {"town": MATRIX}}},
        {"top-bottom-coding": {"columns": ["age"], "top": {"age": 59}}},
    ],
    "rules": [
        {"cart-synthesis": {"columns": ["age", "town"],
                            "rules": [f"always town != {RARE}", "always age < 90"]}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("parameter", STEPS)
def test_a_value_that_is_gone_is_told_to_the_owner_alone(parameter: str, tmp_path: Path) -> None:
    release = discreet.protect(people(), STEPS[parameter], seed=4)
    folder = release.write(tmp_path / "out")
    for _ in range(2):
        for name in PUBLIC:
            assert RARE not in (folder / name).read_text(encoding="utf-8"), name
        for name in ("record.json", "report-internal.html"):
            assert RARE in (folder / name).read_text(encoding="utf-8"), name
        page = (folder / "report-public.html").read_text(encoding="utf-8")
        assert "set but not published: " in page
        draw_reports(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert parameter in manifest["steps"][0]["withheld"]
    (folder / "record.json").unlink()
    draw_reports(folder)
    page = (folder / "report-public.html").read_text(encoding="utf-8")
    assert f"set but not published: {parameter}" in page


@pytest.mark.parametrize("name", ["global-recoding", "unheard-of"])
def test_an_earlier_record_is_drawn_by_the_rules_of_today(name: str, tmp_path: Path) -> None:
    release = discreet.protect(people(), STEPS["mappings"], seed=4)
    folder = release.write(tmp_path / "out")
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    step = record["report"]["steps"][0]
    # As 0.1.0 wrote it: what was public then had all parameters.
    step["parameters"], step["name"] = step.pop("planned"), name
    del step["withheld"]
    (folder / "record.json").write_text(json.dumps(record), encoding="utf-8")
    draw_reports(folder)
    assert RARE not in (folder / "report-public.html").read_text(encoding="utf-8")
    assert RARE in (folder / "report-internal.html").read_text(encoding="utf-8")
