"""What users get: the package and nothing else, with every file that it needs."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hatchling.builders.wheel import WheelBuilder

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src"

# Whatever is not Python has its folders; a file elsewhere was left there by accident.
DATA = {
    "discreet": {"py.typed"},
    "discreet/cli/schemas": {".json"},
    "discreet/datasets": {".csv", ".json", ".md"},
    "discreet/methods/nonperturbative/full_domain/trees": {".csv"},
    "discreet/publishing/schemas": {".json"},
    "discreet/release": {"words.txt"},
    "discreet/report/templates": {".css", ".html", ".js"},
    "discreet/studio": {"presets.yaml"},
    "discreet/studio/static": {".css", ".js", ".svg", ".txt", "vendored.json"},
    "discreet/studio/templates/frame": {".html"},
    "discreet/studio/templates/parts": {".html"},
    "discreet/studio/templates/screens": {".html"},
    "discreet/studio/texts": {".yaml"},
}
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}


def is_stray(name: str) -> bool:
    """Whether a file has no business in the package."""
    path = PurePosixPath(name)
    if path.parts[0] != "discreet" or {"tests", "bench", "papers", "docs"} & set(path.parts):
        return True
    if path.suffix == ".py":
        return path.name == "conftest.py" or path.name.startswith("test_")
    return not {path.name, path.suffix} & DATA.get(path.parent.as_posix(), set())


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    [wheel] = WheelBuilder(str(PROJECT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_package_and_nothing_else(names: list[str]) -> None:
    package = [name for name in names if ".dist-info/" not in name]
    assert [name for name in package if is_stray(name)] == []
    assert {name.partition(".dist-info/")[2] for name in names} - {""} == METADATA


def test_the_wheel_holds_every_file_of_the_package(names: list[str]) -> None:
    files = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*") if p.is_file()}
    there = {name for name in files if "__pycache__" not in name}
    assert {name for name in names if ".dist-info/" not in name} == there


@pytest.mark.parametrize(
    "name",
    [
        "tests/conftest.py",
        "discreet/tests/shapes.py",
        "discreet/io/test_files.py",
        "discreet/papers/mart.py",
        "discreet/notes.md",
        "discreet/io/people.csv",
        "discreet/kernels/__pycache__/mdav.nbi",
        "bench/__main__.py",
    ],
)
def test_a_stray_file_is_found(name: str) -> None:
    assert is_stray(name)
