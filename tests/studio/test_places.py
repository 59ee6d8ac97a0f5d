"""The chooser cannot leave its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import UsageError
from discreet.studio.places import Places
from discreet.studio.state import Studio
from tests.studio.client import Client, people


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "people.csv").write_text("a\n1\n")
    (root / "inner" / "more.parquet").touch()
    (root / "notes.docx").touch()
    (root / ".hidden.csv").touch()
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (root / "out").symlink_to(tmp_path)
    return root


def test_only_what_can_be_opened_is_listed(root: Path) -> None:
    listing = Places(root).listing("")
    assert [(e.name, e.kind) for e in listing.entries] == [
        ("inner", "folder"),
        ("people.csv", "data"),
    ]
    assert listing.above is None
    assert listing.others == 3
    assert Places(root).listing("inner").above == ""


@pytest.mark.parametrize(
    "place",
    ["..", "../secret.csv", "/etc/passwd", "link.csv", "out", "out/secret.csv", "inner/../../x"],
)
def test_nothing_outside_is_reached(root: Path, place: str) -> None:
    with pytest.raises(UsageError, match="only files in the folder"):
        Places(root).inside(place)
    client = Client(root)
    assert client.post("/open", {"place": place}).status == 422
    assert client.get(f"/?in={place}").status == 422
    assert client.get(f"/w/{place}/columns").status in (404, 422)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--folder"):
        Places(tmp_path / "none")


def test_work_is_found_again_the_latest_first(root: Path) -> None:
    import os

    for age, name in enumerate(("a.csv", "b.csv")):
        plan = Places(root).work_for(root / "inner" / name)
        plan.parent.mkdir()
        plan.write_text("version: 1\n")
        os.utime(plan, (1000 + age, 1000 + age))
    assert [plan.parent.name for plan in Places(root).works()] == ["b.csv.studio", "a.csv.studio"]


def test_a_plan_of_several_files_is_refused_when_it_is_opened(root: Path) -> None:
    (root / "two.yaml").write_text(
        "files:\n"
        "  homes: {file: homes.csv, columns: {hid: household, town: quasi-identifier}}\n"
        "  people: {file: people.csv, columns: {hid: household, age: quasi-identifier}}\n"
        "steps: [pram]\n"
    )
    client = Client(root)
    for answer in (
        client.post("/open", {"place": "two.yaml"}),
        client.get("/w/two.yaml/columns"),
    ):
        assert answer.status == 422
        assert "studio shows one file, but this plan has several" in answer.text


def test_the_folder_of_a_work_cannot_be_a_link_that_leads_outside(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    people(tmp_path / "in")
    (tmp_path / "in" / "people.csv.studio").symlink_to(tmp_path / "out")
    with pytest.raises(UsageError, match="only files in the folder"):
        Studio(tmp_path / "in").open("people.csv")
    assert not list((tmp_path / "out").iterdir())
