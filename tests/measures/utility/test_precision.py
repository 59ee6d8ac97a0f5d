"""Precision by hand, with the hierarchies given and with those of the steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.utility.precision import Precision
from discreet.microdata import Microdata
from tests.measures.utility.recoded_files import score

ROLES = {"race": "quasi-identifier", "zip": "quasi-identifier"}
ZIPS = ["02138;0213*;021**;*", "02139;0213*;021**;*", "02141;0214*;021**;*", "02142;0214*;021**;*"]


@pytest.fixture
def zips(tmp_path: Path) -> str:
    path = tmp_path / "zip.csv"
    path.write_text("\n".join(ZIPS), encoding="utf-8")
    return f"zip={path}"


def table(zips: list[str | None], race: tuple[str | None, ...] = ("a", "b", "a", "b")) -> Microdata:
    return discreet.read({"race": list(race), "zip": list(zips)}, roles=ROLES)


ORIGINAL = ["02138", "02139", "02141", "02142"]


def test_one_level_of_three_in_one_column_of_two(zips: str) -> None:
    original = table([*ORIGINAL])
    released = table(["0213*", "0213*", "0214*", "0214*"])
    found = score({"precision": {"hierarchies": [zips]}}, original, released)
    assert found.value == pytest.approx(1 - (1 / 3) / 2)
    assert found.parts == {("race",): 1.0, ("zip",): pytest.approx(2 / 3)}


def test_a_suppressed_cell_is_at_the_top_and_levels_may_differ(zips: str) -> None:
    original = table([*ORIGINAL])
    released = table(["02138", "0213*", "021**", None], ("a", "b", "a", None))
    found = score({"precision": {"hierarchies": [zips]}}, original, released)
    levels = (0 + 1 + 2 + 3) / 3 + 1
    assert found.value == pytest.approx(1 - levels / 8)
    assert found.per_record == pytest.approx([1, 1 - 1 / 6, 1 - 1 / 3, 0])


def test_without_a_hierarchy_a_label_is_at_the_top() -> None:
    original = table([*ORIGINAL])
    released = table(["0213*", "0213*", "02141", "02142"])
    assert score("precision", original, released).value == pytest.approx(1 - 2 / 8)


def test_the_hierarchies_of_the_steps_are_known(zips: str) -> None:
    original = table([*ORIGINAL])
    step = {"global-recoding": {"hierarchies": [zips], "k": 2, "columns": ["zip"]}}
    release = discreet.protect(original, step, seed=1)
    assert release.data.schema["zip"].categories == ("0213*", "0214*")
    found = Precision().score(original, release.data, Context(), release.pairing)
    assert found.value == pytest.approx(1 - (1 / 3) / 2)


@pytest.mark.parametrize("seed", range(3))
def test_beside_counting_levels(seed: int, zips: str) -> None:
    draw = np.random.default_rng(seed)
    paths = [line.split(";") for line in ZIPS]
    rows = list(zip(draw.integers(0, 4, 30), draw.integers(0, 4, 30), strict=True))
    hidden = draw.random(30) < 0.3
    race = tuple(None if h else "a" for h in hidden)
    original = table([paths[z][0] for z, _ in rows], ("a",) * 30)
    released = table([None if level == 3 else paths[z][level] for z, level in rows], race)
    found = score({"precision": {"hierarchies": [zips]}}, original, released)
    lost = sum(level / 3 for _, level in rows) + hidden.sum()
    assert found.value == pytest.approx(1 - lost / 60)
