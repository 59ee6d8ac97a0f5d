"""The imports that the layers are checked by, as the code has them."""

from __future__ import annotations

import ast

import pytest
from docs.layers import Import, edges, imports, names_imported


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import numpy as np, scipy.stats", ["numpy", "scipy.stats"]),
        ("from discreet import io, errors", ["discreet.io", "discreet.errors"]),
        ("from discreet.io.files import read_table", ["discreet.io.files"]),
        ('importlib.import_module("polars")', ["polars"]),
        ("importlib.import_module(name)", []),
        ("x = 1", []),
    ],
)
def test_every_way_to_import_is_seen(code: str, names: list[str]) -> None:
    found = [name for node in ast.walk(ast.parse(code)) for name in names_imported(node)]
    assert found == names


@pytest.mark.parametrize(
    ("target", "room"),
    [("discreet.io.files", "io"), ("discreet", ""), ("numpy.linalg", None), ("discreetly", None)],
)
def test_the_room_of_an_import(target: str, room: str | None) -> None:
    assert Import("x.py", "cli", target, at_top=True).target_room == room


def test_imports_at_the_top_are_told_from_those_inside_functions() -> None:
    found = {(i.module, i.target): i.at_top for i in imports()}
    assert found["microdata/table.py", "numpy"]
    assert not found["microdata/table.py", "discreet.io.frames"]


def test_edges_are_counted_between_rooms_only() -> None:
    counts = edges()
    assert counts["methods", "contracts"] > 40
    assert ("methods", "methods") not in counts
    assert ("kernels", "io") not in counts
