from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import datasets
from discreet.cli.main import run
from discreet.report.description import render_description
from discreet.report.html import WARNING

from .page import check

HOSTILE = "<script>alert('x')</script>\"&\u202eevil\x00 ]]> -->"


def test_the_page_of_a_description() -> None:
    description = discreet.describe(datasets.path())
    page = render_description(description)
    found = check(page)
    assert WARNING in page
    assert found.tags.count("svg") == 1
    assert "What patients.csv holds" in page
    for column in description.columns:
        assert column.name in page


@pytest.mark.parametrize(
    "table",
    [
        {"age": [31]},
        {"age": np.zeros(0), "sex": np.zeros(0), "zip": np.zeros(0)},
        {"age": [1, 1], "sex": ["f", "f"], "zip": [None, "a"], HOSTILE: ["x", "y"]},
    ],
)
def test_small_descriptions(table: dict[str, Any]) -> None:
    page = render_description(discreet.describe(table))
    check(page)
    assert "<script" not in page


def test_a_description_has_the_tree_of_its_quasi_identifiers() -> None:
    description = discreet.describe(datasets.path())
    assert description.dependency is not None
    assert description.dependency.names == description.quasi_identifiers
    assert discreet.describe({"age": [1, 2], "sex": [1, 2]}).dependency is None


def test_columns_that_are_not_in_the_tree_are_counted() -> None:
    description = discreet.describe({f"age{i}": np.arange(120) % (i + 2) for i in range(52)})
    assert "2 more columns are not in the tree" in render_description(description)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "people.csv"
    path.write_bytes(datasets.path().read_bytes())
    return path


def test_the_command_draws_the_tree(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["describe", "people.csv", "--report", "page.html", "--out", "plan.yaml"]) == 0
    assert "depend on each other" not in capsys.readouterr().out, "few would read it there"
    page = Path("page.html").read_text(encoding="utf-8")
    check(page)
    assert "Dependency tree" in page
    assert Path("plan.yaml").exists()
    assert stat.S_IMODE(Path("page.html").stat().st_mode) & 0o077 == 0, "figures of the original"


def test_the_command_never_replaces_unasked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("page.html").write_text("mine")
    assert run(["describe", "people.csv", "--report", "page.html", "--out", "plan.yaml"]) == 1
    assert Path("page.html").read_text() == "mine"
    assert not Path("plan.yaml").exists()
    assert "--overwrite" in capsys.readouterr().err
    assert run(["describe", "people.csv", "--report", "page.html", "--overwrite"]) == 0
    check(Path("page.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("option", ["--report", "--out"])
def test_the_data_themselves_are_never_replaced(
    file: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    assert run(["describe", "people.csv", option, "people.csv", "--overwrite"]) == 2
    assert file.read_bytes() == before
    assert "choose another name" in capsys.readouterr().err


def test_plan_and_page_are_two_files(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["describe", "people.csv", "--report", "x", "--out", "x"]) == 2
    assert not Path("x").exists()
    assert "of its own" in capsys.readouterr().err
