"""Which checks a component is held to, and how they are run."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

import discreet
from discreet.contracts import Context, Masked, Method, Spec
from discreet.microdata import Microdata
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
    """>>> pass"""

    spec: ClassVar[Spec] = Spec("broken", "B", "C", "M")

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data.drop(data.schema.names[:1]))


def test_a_broken_promise_is_raised() -> None:
    with pytest.raises(AssertionError, match="columns were added, dropped or moved"):
        MODULES["method"].check_other_columns_are_identical(Broken())
    broken: Any = Broken
    with pytest.raises((AssertionError, discreet.UsageError)):
        check(broken)
