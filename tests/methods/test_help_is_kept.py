"""Every parameter of the survey's methods does what its help says, and its help says it."""

from __future__ import annotations

import pytest

from discreet.contracts import Component
from discreet.contracts.registry import entries
from tests.methods.help_checks import (
    CHECKS,
    categories,
    columns,
    noise,
    recoding,
    suppressing,
    swapping,
)

FILLED_BY = (categories, columns, noise, recoding, suppressing, swapping)
OF_PAPERS = {
    "ama",
    "camp-crest",
    "k-anonymised-crest",
    "mart",
    "partial-camp-crest",
    "regression-k-anonymity",
    "t-closeness-benchmark",
}
"""Methods of single papers, whose parameters are those of their partitions and replacements."""


def survey() -> dict[str, type[Component]]:
    return {
        entry.spec.name: entry
        for entry in entries("method")
        if ".synthetic." not in entry.__module__ and entry.spec.name not in OF_PAPERS
    }


PARAMETERS = sorted(f"{name}.{p}" for name, entry in survey().items() for p in entry.params())


def test_every_parameter_has_a_check_and_no_check_is_left_over() -> None:
    assert sorted(CHECKS) == PARAMETERS, "add a check to tests/methods/help_checks"


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_the_help_says_what_the_check_measures(parameter: str) -> None:
    method, _, name = parameter.partition(".")
    assert CHECKS[parameter][0] in survey()[method].params()[name].help


@pytest.mark.parametrize("parameter", sorted(CHECKS))
def test_the_help_is_kept(parameter: str) -> None:
    CHECKS[parameter][1]()
