"""Whoever receives a release finds out whether it is what its manifest says."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.errors import DataError
from discreet.publishing.checksum import sha256
from discreet.publishing.verifying import verify

ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "stage": "confidential"}
STAGES = ["I", "II", "III", "IV"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release as it was written."""
    data = discreet.read(
        {
            "age": [20 + i % 40 for i in range(60)],
            "town": ["ABC"[i % 3] for i in range(60)],
            "stage": [STAGES[i // 7 % 3] for i in range(60)],
        },
        roles=ROLES,
        kinds={"stage": STAGES},
    )
    made = discreet.protect(
        data, "microaggregation", claims={"distance-linkage": 0.9, "t-closeness": 0.7}
    )
    return made.write(tmp_path_factory.mktemp("whole") / "out")


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    """A copy of the release, which a test may damage."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def restated(release: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest, and make its checksums fit the files."""
    content = json.loads((release / "manifest.json").read_text())
    change(content)
    for name in content["files"]:
        if (release / name).is_file():
            content["files"][name] = sha256(release / name)
    content["release"]["sha256"] = content["files"].get(content["release"]["file"], "")
    (release / "manifest.json").write_text(json.dumps(content))


def test_a_release_holds_and_says_what_cannot_be_checked(release: Path) -> None:
    found = verify(release)
    assert found.holds, found.faults
    by_name = {figure.measure: figure for figure in found.figures if figure.bound is not None}
    assert by_name["k-anonymity"].verdict == "holds"
    assert by_name["t-closeness"].verdict == "holds"
    linkage = by_name["distance-linkage"]
    assert linkage.counted is None
    assert "cannot be checked from the file; it rests on" in linkage.verdict
    table = repr(found)
    assert "k-anonymity" in table
    assert table.endswith("confirmed by a second count of the file.")


def test_only_what_may_be_passed_on_is_needed(release: Path) -> None:
    for private in ("record.json", "report-internal.html"):
        (release / private).unlink()
    assert verify(release).holds


@pytest.mark.parametrize("name", ["release.csv", "report-public.html"])
def test_a_file_that_was_changed_or_is_missing(release: Path, name: str) -> None:
    with (release / name).open("a") as file:
        file.write("\n")
    assert f"'{name}' is not the file that was published" in verify(release).faults[0]
    (release / name).unlink()
    assert verify(release).faults == (f"'{name}' is missing",)


def test_a_record_that_stands_out_is_found(release: Path) -> None:
    lines = (release / "release.csv").read_text().splitlines()
    lines[5] = "99.5,A,I"
    (release / "release.csv").write_text("\n".join(lines) + "\n")
    restated(release, lambda manifest: None)
    found = verify(release)
    assert not found.holds
    assert (
        "k-anonymity is claimed to be at least 5, but counted on the file it is 1" in found.faults
    )
    assert "WRONG" in repr(found)


def test_a_figure_that_was_made_better_is_found(release: Path) -> None:
    def better(manifest: dict[str, Any]) -> None:
        manifest["claims"][0]["measured"] = 50.0

    restated(release, better)
    assert "k-anonymity is stated to be 50, but counted" in verify(release).faults[0]


def test_a_claim_about_quasi_identifiers_that_are_none_any_more(release: Path) -> None:
    def without_keys(manifest: dict[str, Any]) -> None:
        for column in manifest["release"]["columns"]:
            column["role"] = "other"

    restated(release, without_keys)
    verified = verify(release)
    assert not verified.holds
    assert any("names no quasi-identifier" in fault for fault in verified.faults)


def test_records_and_columns_are_those_that_are_stated(release: Path) -> None:
    def fewer(manifest: dict[str, Any]) -> None:
        manifest["release"]["records"] = 59

    restated(release, fewer)
    assert "states 59 records" in verify(release).faults[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m["release"].update(file="../out/release.csv"), "the same checksum"),
        (lambda m: m["files"].update({"../plan.yaml": "0"}), "not a file of its directory"),
        (lambda m: m["release"]["columns"][2].update(order=["I"]), "order does not list"),
        (lambda m: m["release"]["columns"][1].update(kind="continuous"), ""),
        (lambda m: m["release"].update(reading={"delimiter": "§"}), "delimiter"),
    ],
)
def test_a_manifest_that_is_not_true(
    release: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    restated(release, change)
    faults = verify(release).faults
    assert (said in faults[0]) if said else not faults, "a kind of a quasi-identifier is no claim"


def test_what_is_no_release_at_all(tmp_path: Path, release: Path) -> None:
    with pytest.raises(DataError, match="holds no manifest"):
        verify(tmp_path)
    with pytest.raises(DataError, match="not a directory"):
        verify(tmp_path / "nowhere")
    for text in ("{", "[]", '{"discreet": NaN}', "[" * 100_000):
        (release / "manifest.json").write_text(text)
        with pytest.raises(DataError, match="not the manifest"):
            verify(release)


def test_a_manifest_that_states_something_twice(release: Path) -> None:
    content = (release / "manifest.json").read_text().rstrip()
    (release / "manifest.json").write_text(content.removesuffix("}") + ', "claims": []}')
    with pytest.raises(DataError, match="not the manifest"):
        verify(release)


def test_files_that_the_manifest_does_not_list_are_told(release: Path) -> None:
    assert not any("not checked" in note for note in verify(release).notes)
    for name in ("release2.csv", *(f"x{number}" for number in range(5))):
        (release / name).write_text("age,town\n20,A\n")
    found = verify(release)
    assert found.holds
    assert found.notes[-1].endswith(
        "not checked: 'release2.csv', 'x0', 'x1', 'x2', 'x3' and 1 more"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
@pytest.mark.parametrize("name", ["release.csv", "manifest.json"])
def test_a_pipe_in_place_of_a_file_is_not_read(release: Path, name: str) -> None:
    (release / name).unlink()
    os.mkfifo(release / name)
    if name == "manifest.json":
        with pytest.raises(DataError, match="not an ordinary file"):
            verify(release)
    else:
        assert "'release.csv' is not an ordinary file" in verify(release).faults[0]


HOSTILE = {
    "town": ["=1+1", "'=1+1", "-3.5", "@x"] * 5,
    "=SUM(A1)": ["+a", "'+a", "-", "\t=1"] * 5,
    "-q": [-1.5, 1.5, -1.5, 1.5] * 5,
}
HOSTILE_ROLES = {"town": "quasi-identifier", "-q": "quasi-identifier", "=SUM(A1)": "confidential"}


def test_a_spreadsheet_safe_release_says_the_same_to_both_roads(tmp_path: Path) -> None:
    data = discreet.read(HOSTILE, roles=HOSTILE_ROLES)
    made = discreet.protect(data, {"rounding": {"base": 10, "columns": ["-q"]}})
    plain, safe = (
        made.write(tmp_path / str(safe), spreadsheet_safe=safe) for safe in (False, True)
    )
    found = verify(safe)
    assert found.holds, found.faults
    figures = [(f.measure, f.stated, f.counted) for f in found.figures]
    assert figures == [(f.measure, f.stated, f.counted) for f in verify(plain).figures]
    assert {name: counted for name, _, counted in figures}["k-anonymity"] == 5.0
    lines = (safe / "release.csv").read_text().splitlines()
    assert lines[0] == "town,'=SUM(A1),'-q"
    manifest = json.loads((safe / "manifest.json").read_text())["release"]
    assert manifest["reading"]["spreadsheet_safe"] is True
    assert [column["name"] for column in manifest["columns"]] == list(HOSTILE)
    record = json.loads((safe / "record.json").read_text())
    assert record["plan"]["csv"] == {"spreadsheet_safe": True}
    assert "spreadsheet_safe: true" in (safe / "report-public.html").read_text()
    assert "spreadsheet_safe" not in (plain / "manifest.json").read_text()


def test_a_release_that_is_not_as_safe_as_stated_is_found_out(tmp_path: Path) -> None:
    data = discreet.read(HOSTILE, roles=HOSTILE_ROLES)
    made = discreet.protect(data, {"rounding": {"columns": ["-q"]}})
    folder = made.write(tmp_path / "out", spreadsheet_safe=True)
    file = folder / "release.csv"
    file.write_text(file.read_text().replace("''=1+1", "'=1+1", 1).replace("'@x", "@x", 1))
    restated(folder, lambda content: None)
    assert not verify(folder).holds
    assert "leading apostrophe too many or too few" in verify(folder).faults[0]


def test_claims_carry_their_parameters_and_what_they_rest_on(tmp_path: Path) -> None:
    data = discreet.read(
        {"age": [20 + i // 5 for i in range(60)], "w": [1.0 + i % 3 for i in range(60)]},
        roles={"age": "quasi-identifier", "w": "weight"},
    )
    claims = {"k-anonymity": 2, "population-uniqueness": 0.5}
    folder = discreet.protect(data, "microaggregation", claims=claims).write(tmp_path / "out")
    entries = json.loads((folder / "manifest.json").read_text())["claims"]
    by_name = {entry["measure"]: entry for entry in entries}
    assert by_name["k-anonymity"]["parameters"] == {"missing_matches": "nothing"}
    assert by_name["population-uniqueness"]["parameters"]["estimator"] == "chosen"
    assert "estimate of the population" in by_name["population-uniqueness"]["rests on"]
    assert verify(folder).holds


def test_dates_with_names_of_months_and_fractions_of_seconds_are_counted(tmp_path: Path) -> None:
    months = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"]
    lines = [
        f"{1 + i % 28}/{months[i % 12]}/{1980 + i % 5};1990-12-31 14:05:{i:02d}.{i * 7 % 1000:03d}Z"
        for i in range(60)
    ]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(["born;seen", *lines, ""]), encoding="utf-8")
    data = discreet.read(file, roles={"born": "quasi-identifier", "seen": "confidential"})
    assert all(attribute.continuous for attribute in data.schema)
    made = discreet.protect(data, "microaggregation", claims={"l-diversity": 2})
    found = verify(made.write(tmp_path / "out"))
    assert found.holds, found.faults
    assert {f.verdict for f in found.figures if f.bound is not None} == {"holds"}
