"""The schema: releases of earlier versions can be redrawn, those of later ones are refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet import DataError
from discreet.cli.main import run
from discreet.publishing.record import pairing_from, read_record, seed_from
from discreet.publishing.redrawing import draw_reports
from discreet.publishing.schema_version import SCHEMA, schema_of
from discreet.publishing.verifying import verify

OLD = Path(__file__).parent / "release-0.1.0"
"""A release of 24 invented people, written by discreet 0.1.0."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_manifest_and_record_carry_their_schema(tmp_path: Path) -> None:
    data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    made = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    folder = made.write(tmp_path / "out")
    for name in ("manifest.json", "record.json"):
        content = json.loads((folder / name).read_text(encoding="utf-8"))
        assert content["schema"] == SCHEMA


def test_a_release_of_the_first_version_is_redrawn(old: Path) -> None:
    pages = draw_reports(old)
    assert [page.name for page in pages] == ["report-public.html", "report-internal.html"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "Microaggregation" in text
        assert "k-anonymity" in text
        assert "24" in text


def test_measures_of_the_first_version_answer_their_questions(old: Path) -> None:
    page = draw_reports(old)[1].read_text(encoding="utf-8")
    asked = [page.index(f'<section id="{anchor}"') for anchor in ("found", "learned", "use")]
    assert asked[0] < page.index("k-anonymity of the release<small>", asked[0]) < asked[1]
    assert asked[2] < page.index("ABIM")


def test_a_release_of_the_first_version_is_redrawn_without_its_record(old: Path) -> None:
    (old / "record.json").unlink()
    (page,) = draw_reports(old)
    assert "Microaggregation" in page.read_text(encoding="utf-8")


def test_a_record_of_the_first_version_still_says_which_row_came_from_which(old: Path) -> None:
    pairing = pairing_from(None, old / "release.csv", 24)
    assert pairing is not None
    assert sorted(pairing.origin.tolist()) == list(range(24))
    assert seed_from(old / "record.json").reveal() == 7


def test_a_release_of_the_first_version_is_verified_and_after_redrawing_again(old: Path) -> None:
    assert verify(old).holds
    draw_reports(old)
    assert verify(old).holds
    assert json.loads((old / "manifest.json").read_text(encoding="utf-8"))["schema"] == SCHEMA
    assert len(draw_reports(old)) == 2


@pytest.mark.parametrize("name", ["manifest.json", "record.json"])
def test_what_a_later_version_wrote_is_refused_in_a_sentence(
    old: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    edit(old / name, lambda content: content.update(schema=SCHEMA + 1))
    assert run(["report", str(old)]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert f"{name}' was written by a newer version of discreet" in line
    assert not (old / "report-public.html").exists()


def test_the_seed_of_a_later_version_is_refused_for_that_reason(old: Path) -> None:
    edit(old / "record.json", lambda content: content.update(schema=SCHEMA + 1))
    for read in (read_record, seed_from):
        with pytest.raises(DataError, match="newer version of discreet"):
            read(old / "record.json")


@pytest.mark.parametrize("schema", ["2", 0, -1, True, None, 1.5])
def test_a_schema_that_is_no_number_is_refused(schema: object) -> None:
    with pytest.raises(DataError, match=r"the schema of 'manifest\.json' must be a whole number"):
        schema_of({"schema": schema}, Path("manifest.json"))
