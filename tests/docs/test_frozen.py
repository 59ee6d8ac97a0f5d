"""The page on frozen plans says of every method what it freezes, and what it finds anew."""

from __future__ import annotations

import re

from discreet.contracts import Method
from discreet.contracts.registry import entries
from tests.docs.test_docs import DOCS


def rows() -> dict[str, tuple[str, str]]:
    """What is frozen, and what is found anew, by method."""
    page = (DOCS / "plans.md").read_text(encoding="utf-8")
    table = page.partition("| method | frozen | found anew in each file |")[2]
    section = table.partition("\n\n")[0]
    told: dict[str, tuple[str, str]] = {}
    for line in section.splitlines()[2:]:
        names, frozen, found = (cell.strip() for cell in line.strip("|").split("|"))
        for name in re.findall(r"`([a-z-]+)`", names):
            if name != "everything":  # a parameter
                assert name not in told, name
                told[name] = (frozen, found)
    return told


def test_every_method_is_there_with_what_it_finds_anew() -> None:
    told = rows()
    examples = {entry.spec.name: entry.example() for entry in entries("method")}
    assert set(told) == set(examples)
    for name, example in examples.items():
        assert isinstance(example, Method)
        frozen, found = told[name]
        if not example.anew:
            assert found == "nothing", name
        elif frozen == "–":
            assert found.startswith(example.anew), (name, example.anew)
