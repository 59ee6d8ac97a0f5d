"""The contract checks catch what they are there for: each broken method fails the named check."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from discreet.contracts import (
    Better,
    Claim,
    Context,
    Groups,
    Masked,
    Measure,
    MeasureSpec,
    Method,
    Pairing,
    Partition,
    Score,
    Side,
    Spec,
    param,
)
from discreet.errors import ClaimError
from discreet.microdata import Kind, Microdata
from discreet.testing import checks_for


def _spec(**changes: Any) -> Spec:
    facts: dict[str, Any] = {"name": "x", "title": "X", "citation": "C", "missing": "M"}
    return Spec(**{**facts, "kinds": (Kind.CONTINUOUS,), **changes})


class Honest(Method):
    """Adds one.

    >>> 1 + 1
    2
    """

    spec: ClassVar[Spec] = _spec()

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        return Masked(data.replace(data.column(n).with_values(data[n] + 1) for n in names))


class TouchesOthers(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        column = data.column("weight")
        return Masked(data.replace([column.with_values(column.values + 1)]))


class SecretlyRandom(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        noise = context.generator("noise").normal(size=len(data))
        return Masked(data.replace(data.column(n).with_values(data[n] + noise) for n in names))


class GlobalState(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        np.random.normal()  # noqa: NPY002
        return super().protect(data, context)


class Crashes(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data.take(np.arange(len(data))[[0] * len(data)])) if len(data) else 1 / 0


class EmptyPromise(Honest):
    """>>> pass"""

    spec: ClassVar[Spec] = _spec(guarantees=("k-anonymity",))


class FalsePromise(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(super().protect(data, context).data, claims=(Claim("k-anonymity", 7),))


class TakesAnything(Honest):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data)


class NoExample(Honest):
    """There is none."""


class Careless(Honest):
    """>>> pass"""

    spec: ClassVar[Spec] = _spec()
    level: float = param(default=1.0, help="h", at_least=0)

    def __init__(self, **kwargs: Any) -> None:
        object.__setattr__(self, "level", kwargs.get("level", 1.0))


class SmallGroups(Partition):
    """>>> pass"""

    spec: ClassVar[Spec] = _spec()

    def groups(self, data: Microdata, columns: Any, context: Context) -> Groups:
        return Groups(np.arange(len(data)), least_size=2)


class OrderMatters(Measure):
    """>>> pass"""

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="x", title="X", citation="C", missing="M", side=Side.RISK, better=Better.LOWER,
        low=0, high=1, at_identity=0,
    )  # fmt: skip

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        return Score(float(released["height"][0]))


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (TouchesOthers, "check_other_columns_are_identical"),
        (SecretlyRandom, "check_repeatable"),
        (GlobalState, "check_global_random_state_is_left_alone"),
        (Crashes, "check_edge_tables"),
        (EmptyPromise, "check_guarantees_hold"),
        (FalsePromise, "check_guarantees_hold"),
        (TakesAnything, "check_refuses_other_kinds"),
        (NoExample, "check_spec_is_complete"),
        (Careless, "check_bad_parameters_are_explained"),
        (SmallGroups, "check_every_record_has_a_group"),
        (OrderMatters, "check_row_order_changes_nothing"),
        (OrderMatters, "check_identity_gives_the_declared_value"),
        (OrderMatters, "check_value_lies_in_its_range"),
    ],
)
def test_broken_component_fails(broken: Any, check: str) -> None:
    found = {c.__name__: c for c in checks_for(broken.family)}[check]
    with pytest.raises((AssertionError, ArithmeticError, ClaimError)):
        found(broken.example())


@pytest.mark.parametrize(
    "check",
    [c for c in checks_for("method") if c.__name__ != "check_recipe_makes_it_again"],
    ids=lambda c: c.__name__,
)
def test_honest_method_passes(check: Any) -> None:
    check(Honest())
