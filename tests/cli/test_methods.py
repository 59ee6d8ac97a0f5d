"""`discreet methods`: the list of the registry, and one entry explained."""

from __future__ import annotations

from discreet.contracts.registry import entries
from tests.command_line import Discreet


def test_the_list_has_every_entry(discreet_command: Discreet) -> None:
    listed = discreet_command("methods")
    assert listed.code == 0
    names = {line.split()[0] for line in listed.out.splitlines() if line.startswith("  ")}
    assert names == {entry.spec.name for entry in entries()}


def test_one_entry_is_explained_in_any_spelling(discreet_command: Discreet) -> None:
    plain = discreet_command("methods", "rank-swapping")
    assert plain.code == 0
    assert "Parameters" in plain.out
    assert discreet_command("methods", " Rank_Swapping").out == plain.out


def test_an_unknown_one_hints_at_the_nearest(discreet_command: Discreet) -> None:
    unknown = discreet_command("methods", "rank-swaping")
    assert unknown.code == 2
    assert "did you mean 'rank-swapping'?" in unknown.err
    assert unknown.out == ""


def test_sources_are_printed_as_bibtex(discreet_command: Discreet) -> None:
    said = discreet_command("methods", "pram", "--cite")
    assert said.code == 0
    assert said.out.startswith("% pram: ")
    assert "year = {1998}" in said.out
    assert said.out.rstrip().endswith("}")
