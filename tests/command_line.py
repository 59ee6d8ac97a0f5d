"""Fixtures: a small file with a plan, and a way to run the command line as a person would."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from discreet.cli.machine import schema
from discreet.cli.main import run

PLAN = """\
version: 1
data:
  file: people.csv
columns:
  name: {role: identifier}
  age: {role: quasi-identifier, kind: continuous}
  height: {role: quasi-identifier, kind: continuous}
  town: {role: quasi-identifier, kind: nominal}
  income: {role: confidential, kind: continuous}
steps:
  - microaggregation:
      partition: {mdav: {k: 3}}
      replacement: centroid
claims:
  k-anonymity: 3
"""


QUICK = """\
version: 1
data:
  file: people.csv
columns:
  name: {role: identifier}
  age: {role: quasi-identifier, kind: continuous}
  height: {role: quasi-identifier, kind: continuous}
  town: {role: identifier}
  income: {role: identifier}
steps:
  - rounding
measures: [k-anonymity]
"""
"""A plan for a process of its own, where other methods and measures load their libraries first.

Whether columns that are released unchanged give back others is examined by a tree of scikit-learn;
here there are none."""


FILES = {
    "release.csv",
    "manifest.json",
    "record.json",
    "report-public.html",
    "report-internal.html",
}
"""The files of a release."""


def write_rows(folder: Path, head: str, rows: list[str], name: str = "file.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    def is_one_sentence(self) -> bool:
        """Whether an error was reported in a sentence, without a traceback."""
        unforeseen = "Traceback" in self.err or "should not have happened" in self.err
        return self.code in (1, 2) and self.err.count("\n") == 1 and not unforeseen


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


def held_to_schema(text: str) -> dict[str, Any]:
    """Return the document that a command printed, checked against the schema of answers."""
    document: dict[str, Any] = json.loads(text)
    _validator().validate(document)
    return document


Discreet = Callable[..., Outcome]


def write_people(folder: Path) -> Path:
    """Write people.csv and plan.yaml into a folder, and return it."""
    rows = ["name,age,height,town,income"]
    rows += [
        f"Person {i},{20 + (i * 7) % 50},{150 + (i * 13) % 47}.5,{'AB'[i % 2]},{1000 + i * 37}"
        for i in range(40)
    ]
    (folder / "people.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with people.csv and plan.yaml, which is also the working directory."""
    monkeypatch.chdir(tmp_path)
    return write_people(tmp_path)


@pytest.fixture
def discreet_command(capfd: pytest.CaptureFixture[str]) -> Discreet:
    def call(*arguments: str) -> Outcome:
        capfd.readouterr()
        code = run(arguments)
        captured = capfd.readouterr()
        if "--json" in arguments:
            assert held_to_schema(captured.out)["exit_code"] == code
        return Outcome(code, captured.out, captured.err)

    return call
