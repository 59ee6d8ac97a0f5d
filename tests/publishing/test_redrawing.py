"""Reports are drawn once more from what lies in the directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.publishing.redrawing import draw_reports
from tests.command_line import Discreet


@pytest.mark.parametrize(
    "change", [{"release": {}}, {"steps": [1]}, {"release": {"file": "release.csv", "sha256": 1}}]
)
def test_broken_manifests(
    change: dict[str, object], folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    path = folder / "out" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert discreet_command("report", "out").is_one_sentence()


def test_records_whose_report_has_another_form(folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    path = folder / "out" / "record.json"
    record = json.loads(path.read_text())

    def broken(value: object) -> object:
        """The same content, with another form for every object that has one."""
        if isinstance(value, dict):
            return {name: "none" if name == "form" else broken(v) for name, v in value.items()}
        return [broken(part) for part in value] if isinstance(value, list) else value

    assert broken(record["report"]) != record["report"]
    path.write_text(json.dumps({**record, "report": broken(record["report"])}))
    with pytest.raises(DataError, match="does not hold the content of a report"):
        draw_reports(path.parent)


def test_both_reports_come_back_byte_for_byte(folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    out = folder / "out"
    pages = [out / "report-public.html", out / "report-internal.html"]
    before = [page.read_bytes() for page in pages]
    for page in pages:
        page.unlink()
    assert draw_reports(out) == pages
    assert [page.read_bytes() for page in pages] == before
    assert pages[1].stat().st_mode & 0o777 == 0o600


def test_without_the_record_only_the_public_report_is_drawn(
    folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    out = folder / "out"
    (out / "record.json").unlink()
    (out / "report-internal.html").unlink()
    assert draw_reports(out) == [out / "report-public.html"]
    assert not (out / "report-internal.html").exists()


def test_no_report_of_a_file_that_is_not_the_one_released(
    folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    released = folder / "out" / "release.csv"
    released.write_bytes(released.read_bytes() + b"\n")
    with pytest.raises(DataError, match="not the file that was released"):
        draw_reports(folder / "out")
    released.unlink()
    with pytest.raises(DataError, match=r"'.*release\.csv' is missing"):
        draw_reports(folder / "out")


def test_a_page_that_another_version_draws_otherwise_gets_its_new_checksum(
    folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    path = folder / "out" / "manifest.json"
    written = json.loads(path.read_text())
    page = "report-public.html"
    path.write_text(json.dumps({**written, "files": {**written["files"], page: "0" * 64}}))
    draw_reports(folder / "out")
    assert json.loads(path.read_text())["files"] == written["files"]


def test_a_record_at_risk_without_its_figures_is_refused(
    folder: Path, discreet_command: Discreet
) -> None:
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    path = folder / "out" / "record.json"
    record = json.loads(path.read_text("utf-8"))
    assert record["report"]["at_risk"]["records"][0].pop("figures")
    record["report"]["at_risk"]["records"][0]["figures"] = []
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError, match="does not hold the content of a report"):
        draw_reports(path.parent)
