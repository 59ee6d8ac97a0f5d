"""Entries: what a parameter takes from a plan, and that it never changes."""

from __future__ import annotations

import pickle
from typing import Any, ClassVar

import pytest

from discreet import UsageError
from discreet.contracts import Component, Entries, Spec, param
from discreet.contracts.entries import Table


class Mask(Component):
    """Holds entries."""

    spec: ClassVar[Spec] = Spec(name="mask", title="Mask", citation="none", missing="none")
    entries: Entries = param(default=None, help="some entries")


def test_entries_are_a_copy_that_cannot_be_changed() -> None:
    given: dict[str, Any] = {"a": {"b": [1, 2]}}
    mask = Mask(entries=given)
    given["a"]["b"].append(3)
    assert mask.recipe() == {"mask": {"entries": {"a": {"b": [1, 2]}}}}
    assert mask.entries is not None
    with pytest.raises(TypeError):
        mask.entries["a"] = 1  # type: ignore[index]
    plain = mask.recipe()["mask"]["entries"]
    plain["a"]["b"].append(9)
    assert mask.recipe() == {"mask": {"entries": {"a": {"b": [1, 2]}}}}


def test_equal_entries_make_equal_components() -> None:
    one, other = Mask(entries={"a": 1, "b": {"c": 2}}), Mask(entries={"b": {"c": 2}, "a": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Mask(entries={"a": 1, "b": {"c": 3}})
    assert repr(one) == "Mask(entries={'a': 1, 'b': {'c': 2}})"
    assert pickle.loads(pickle.dumps(one.entries)) == one.entries
    assert len(Table({"a": 1})) == 1


@pytest.mark.parametrize("wrong", [5, "a", ["a"], object()])
def test_anything_else_is_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="'entries' of Mask must be names with values below them"):
        Mask(entries=wrong)  # type: ignore[arg-type]
