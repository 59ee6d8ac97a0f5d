from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import datasets
from discreet.cli.main import run
from discreet.models.dependency import MOST_SHOWN
from discreet.report import public, render
from discreet.report.dependency import dependency_content, tree_content, tree_picture
from discreet.report.description import description_content, render_description
from discreet.report.html import WARNING

from .conftest import content_of, microaggregated
from .page import check

QI = "quasi-identifier"
HOSTILE = "<script>alert('x')</script>\"&\u202eevil\x00 ]]> -->"


def many(columns: int, rows: int = 60) -> discreet.Microdata:
    rng = np.random.default_rng(columns)
    table = {f"c{i:03}": rng.integers(0, 2 + i % 5, rows) for i in range(columns)}
    return discreet.read(table, roles=dict.fromkeys(table, QI))


def places(content: dict[str, Any]) -> list[tuple[float, float]]:
    from discreet.report.dependency import _at, _rows

    rows = _rows(content["nodes"])
    return [_at(node, row)[:2] for node, row in zip(content["nodes"], rows, strict=True)]


def test_the_internal_report_has_the_tree_and_the_public_one_has_not(
    content: dict[str, Any],
) -> None:
    found = content["dependency"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["key"]
    internal, published = render(content, public=False), render(content, public=True)
    assert 'id="dependency"' in internal
    assert "Dependency tree" in internal
    assert "Dependency tree" not in published
    assert "dependency" not in public(content)
    for node in found["nodes"][1:]:
        assert f">{node['measure']:.2f}</text>" in internal


def test_nodes_hang_on_nodes_before_them(content: dict[str, Any]) -> None:
    nodes = content["dependency"]["nodes"]
    assert nodes[0]["parent"] is None
    for i, node in enumerate(nodes[1:], 1):
        assert 0 <= node["parent"] < i
        assert node["depth"] == nodes[node["parent"]]["depth"] + 1
    assert sum(node["degree"] for node in nodes) == 2 * (len(nodes) - 1)
    assert {n["name"] for n in nodes if n["key"]} == set(content["dependency"]["key"])


def test_fewer_than_three_columns_have_no_tree() -> None:
    assert dependency_content(many(2), ["c000", "c001"]) is None
    data = many(2)
    page = render(content_of(microaggregated(data)), public=False)
    assert 'id="dependency"' not in page


@pytest.mark.parametrize("columns", [3, 4, 7, 20, MOST_SHOWN])
def test_no_two_nodes_on_top_of_each_other(columns: int) -> None:
    data = many(columns)
    found = dependency_content(data, data.schema.names)
    assert found is not None
    where = places(found)
    assert min(y for _, y in where) >= 0
    for i, (x, y) in enumerate(where):
        for other_x, other_y in where[:i]:
            assert x != other_x or abs(y - other_y) >= 30
    drawn = tree_picture(found)
    assert drawn.count("<circle") == columns
    assert drawn.count("<path") == columns - 1


def test_a_larger_degree_is_drawn_larger() -> None:
    from discreet.report.dependency import _at

    sizes = [_at({"depth": 0, "degree": degree}, 0)[2] for degree in range(1, 6)]
    assert sizes == sorted(set(sizes))


def test_more_columns_than_a_picture_takes() -> None:
    data = many(MOST_SHOWN + 2)
    found = dependency_content(data, data.schema.names)
    assert found is not None
    assert len(found["nodes"]) == MOST_SHOWN
    assert found["others"] == 2
    description = discreet.describe({f"age{i}": np.arange(120) % (i + 2) for i in range(52)})
    assert description.dependency is not None
    assert description_content(description)["dependency"]["others"] == 2


def test_bins_are_stated() -> None:
    rng = np.random.default_rng(1)
    table = {"x": rng.normal(size=400), "y": rng.normal(size=400), "z": ["a", "b"] * 200}
    data = discreet.read(table, roles=dict.fromkeys(table, QI))
    page = render(content_of(microaggregated(data)), public=False)
    assert "x (20 bins)" in page
    assert "y (20 bins)" in page
    assert "z (" not in page


def test_hostile_names_are_only_text() -> None:
    rows = 40
    table = {HOSTILE: np.arange(rows) % 4, "<b>": np.arange(rows) % 3, "ü🙂": np.arange(rows) % 2}
    data = discreet.read(table, roles=dict.fromkeys(table, QI))
    page = render(content_of(microaggregated(data)), public=False)
    check(page)
    assert "<script" not in page
    assert "<b>" not in page


def test_the_page_of_a_description() -> None:
    content = description_content(discreet.describe(datasets.path()))
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    page = render_description(content)
    found = check(page)
    assert WARNING in page
    assert found.tags.count("svg") == 1
    assert "What patients.csv holds" in page
    for column in content["columns"]:
        assert column["name"] in page


@pytest.mark.parametrize(
    "table",
    [
        {"age": [31]},
        {"age": np.zeros(0), "sex": np.zeros(0), "zip": np.zeros(0)},
        {"age": [1, 1], "sex": ["f", "f"], "zip": [None, "a"], HOSTILE: ["x", "y"]},
    ],
)
def test_small_descriptions(table: dict[str, Any]) -> None:
    page = render_description(description_content(discreet.describe(table)))
    check(page)
    assert "<script" not in page


def test_a_description_has_the_tree_of_its_quasi_identifiers() -> None:
    description = discreet.describe(datasets.path())
    assert description.dependency is not None
    assert description.dependency.names == description.quasi_identifiers
    expected = tree_content(description.dependency)
    assert description_content(description)["dependency"] == expected
    assert discreet.describe({"age": [1, 2], "sex": [1, 2]}).dependency is None


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "people.csv"
    path.write_bytes(datasets.path().read_bytes())
    return path


def test_the_command_prints_the_tree_and_draws_it(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["describe", "people.csv", "--report", "page.html", "--out", "plan.yaml"]) == 0
    printed = capsys.readouterr().out
    assert "depend on each other" in printed
    assert " *" in printed
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
