"""The files around the package agree with one another."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


PYPROJECT: dict[str, Any] = tomllib.loads(text("pyproject.toml"))["project"]
WORKFLOW: dict[str, Any] = yaml.safe_load(text(".github/workflows/tests.yml"))


def targets() -> list[str]:
    """The targets of the Makefile that a person may call."""
    [line] = re.findall(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    return str(line).split()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
def test_make_lists_every_target() -> None:
    listed = subprocess.run(["make", "help"], cwd=PROJECT, capture_output=True, text=True)
    assert re.findall(r"^  make ([a-z-]+) +\S", listed.stdout, re.MULTILINE) == targets()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "bench/README.md", ".ci/run"])
def test_targets_that_are_mentioned_exist(name: str) -> None:
    mentioned = set(re.findall(r"(?:^|`)make ([a-z-]+)", text(name), re.MULTILINE))
    assert mentioned
    assert mentioned <= set(targets())


def test_the_workflow_covers_the_declared_versions_of_python() -> None:
    declared = [
        entry.rpartition(" :: ")[2]
        for entry in PYPROJECT["classifiers"]
        if re.search(r"Python :: 3\.\d+$", entry)
    ]
    assert WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["python"] == declared
    assert PYPROJECT["requires-python"] == f">={declared[0]}"


def test_the_workflow_calls_targets_that_exist() -> None:
    commands = [
        step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step
    ]
    called = [command.split()[1:] for command in commands if command.startswith("make ")]
    assert called
    assert {target for words in called for target in words} <= set(targets())


def test_hooks_run_in_any_environment() -> None:
    [repository] = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]
    for hook in repository["hooks"]:
        assert hook["entry"].startswith("python -m ")


def test_the_citation_names_the_five_papers() -> None:
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert "version" not in citation, "the version is stated in pyproject.toml alone"
    assert len(citation["references"]) == 5
    for paper in citation["references"]:
        assert {"type", "title", "authors"} <= set(paper)
        assert all({"family-names", "given-names"} == set(author) for author in paper["authors"])


def test_the_changelog_has_a_section_for_what_is_to_come() -> None:
    sections = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)
    assert sections[0] == "Unreleased"
    for released in sections[1:]:
        assert re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", released)
