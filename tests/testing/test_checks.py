"""Which checks a component is held to, and how they are run."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest

import discreet
from discreet.contracts import Context, Masked, Method, Spec
from discreet.contracts.registry import entries
from discreet.microdata import Kind, Microdata, Role
from discreet.testing import check, checks_for, every
from discreet.testing.checks import MODULES


@pytest.mark.parametrize("family", MODULES)
def test_a_family_has_its_own_checks_and_those_for_all(family: str) -> None:
    found = checks_for(family)
    homes = {one.__module__ for one in found}
    assert homes == {every.__name__, MODULES[family].__name__}
    assert len({one.__name__ for one in found}) == len(found)


def test_helpers_that_a_module_imports_are_no_checks() -> None:
    names = {one.__name__ for family in MODULES for one in checks_for(family)}
    assert all(name.startswith("check_") for name in names)
    assert "assert_unchanged" not in names


def test_a_component_that_keeps_its_promises_passes_as_class_and_as_example() -> None:
    check(discreet.partition.MDAV)
    check(discreet.partition.MDAV(k=4))


class Broken(Method):
    """A draft without an example."""

    spec: ClassVar[Spec] = Spec("broken", "B", "C", "M")

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data.drop(data.schema.names[:1]))


def test_a_broken_promise_is_raised() -> None:
    with pytest.raises(AssertionError, match="columns were added, dropped or moved"):
        MODULES["method"].check_other_columns_are_identical(Broken())


def test_every_failure_of_a_draft_is_reported_with_a_message() -> None:
    with pytest.raises(AssertionError) as raised:
        check(Broken)
    head, *failures = str(raised.value).splitlines()
    assert head == f"Broken fails {len(failures)} of {len(checks_for('method'))} checks:"
    assert failures
    assert all(re.fullmatch(r"- check_\w+ \(.+\): .{10,}", failure) for failure in failures)
    assert any("columns were added, dropped or moved" in failure for failure in failures)
    assert "example" not in str(raised.value)
    assert Broken not in entries("method")


class Failing(Broken):
    """One that cannot even run."""

    spec: ClassVar[Spec] = Spec("failing", "F", "C", "M")

    def protect(self, data: Microdata, context: Context) -> Masked:
        raise KeyError("a mistake")


def test_an_error_in_a_draft_does_not_end_the_checks() -> None:
    with pytest.raises(AssertionError) as raised:
        check(Failing())
    assert str(raised.value).count("KeyError: 'a mistake'") > 3


def test_a_spec_may_say_its_kinds_and_roles_in_words() -> None:
    words: Any = {"kinds": ("continuous",), "treats": ("confidential",)}
    spec = Spec("worded", "W", "C", "M", **words)
    assert spec.kinds == (Kind.CONTINUOUS,)
    assert type(spec.kinds[0]) is Kind
    assert type(spec.treats[0]) is Role
