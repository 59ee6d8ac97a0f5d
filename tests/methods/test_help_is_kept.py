"""Every parameter of the survey's methods does what its help says, and its help says it."""

from __future__ import annotations

import pytest

from tests.methods.help_checks import (
    CHECKS,
    categories,
    columns,
    noise,
    recoding,
    strata,
    suppressing,
    survey,
    swapping,
)

FILLED_BY = (categories, columns, noise, recoding, strata, suppressing, swapping)
PARAMETERS = sorted(f"{name}.{p}" for name, entry in survey().items() for p in entry.params())


def test_every_parameter_has_a_check_and_no_check_is_left_over() -> None:
    assert sorted(CHECKS) == PARAMETERS, "add a check to tests/methods/help_checks"


def test_the_help_says_what_the_check_measures() -> None:
    for parameter in PARAMETERS:
        method, _, name = parameter.partition(".")
        assert CHECKS[parameter][0] in survey()[method].params()[name].help


@pytest.mark.parametrize("parameter", sorted(CHECKS))
def test_the_help_is_kept(parameter: str) -> None:
    CHECKS[parameter][1]()
