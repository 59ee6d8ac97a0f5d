"""Protecting: one method or several in a row, then the release gate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    NO_ORIGIN,
    Claim,
    Context,
    Groups,
    Masked,
    Method,
    Progress,
    Randomness,
    paired,
)
from discreet.contracts.progress import for_terminal
from discreet.contracts.registry import build
from discreet.errors import UsageError
from discreet.io.frames import Kinds
from discreet.io.reading import read
from discreet.microdata import Microdata, Role
from discreet.microdata.households import renumbered
from discreet.release.gate import (
    check_claims,
    constant_quasi_identifiers,
    refuse_overlooked_identifiers,
    refuse_unusable,
    told_apart_by_design,
)
from discreet.release.release import Release

Steps = Method | str | Mapping[str, Any] | Sequence[Method | str | Mapping[str, Any]]


def protect(
    data: Any,
    method: Steps,
    seed: int | None = None,
    shuffle: bool = True,
    *,
    roles: Mapping[str, str] | None = None,
    kinds: Kinds | None = None,
    claims: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Release:
    """Protect data by a method, or by several one after the other, and check the outcome.

    `data` are what `discreet.read` returns, or a frame or a path together with `roles`. The seed
    is a secret and comes from the operating system if it is not given. Identifiers are dropped,
    households get new numbers, and rows are shuffled (`shuffle=False` keeps their order, which
    links records to whoever has the original). What the method promises, and what `claims` adds
    (such as `{"k-anonymity": 5}`), is measured on the outcome; if it does not hold, there is no
    release but a `ClaimError`.

    >>> import discreet
    >>> release = discreet.protect({"age": [21, 22, 40, 41]}, "microaggregation",
    ...                            roles={"age": "quasi-identifier"}, shuffle=False)
    Traceback (most recent call last):
    discreet.errors.DataError: MDAV with k = 5 needs at least 5 records, but the data have 4; ...
    """
    if not isinstance(data, Microdata):
        data = read(data, roles=roles, kinds=kinds)
    elif roles is not None or kinds is not None:
        raise UsageError("the data have their roles and kinds already; give them when reading")
    steps = _steps(method)
    wished = [Claim(str(m), claim_bound(str(m), b)) for m, b in (claims or {}).items()]
    refuse_unusable(data)
    refuse_overlooked_identifiers(data)
    context = Context(Randomness(seed), for_terminal() if progress is None else progress)
    masked = _run(data, steps, context)
    table = masked.data.drop(data.having(Role.IDENTIFIER))
    table = renumbered(table, context.generator("households"))
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    if shuffle:
        order = context.generator("shuffle").permutation(len(table))
        origin, table = origin[order], table.take(order)
    wanted = [*masked.claims, *wished]
    return Release(
        original=data,
        data=table,
        origin=origin,
        groups=masked.groups,
        claims=check_claims(wanted, data, table, paired(origin, masked.groups), context),
        steps=tuple(steps),
        notes=masked.notes,
        randomness=context.randomness,
        shuffled=shuffle,
    )


def claim_bound(measure: str, bound: Any) -> float:
    """Return the bound of a claim as a number, or say that it must be one."""
    if isinstance(bound, Real) and not isinstance(bound, bool):
        try:
            number = float(bound)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise UsageError(f"the bound of the claim {measure} must be a number, but {bound!r} was given")


def _steps(method: Steps) -> list[Method]:
    if isinstance(method, Sequence) and not isinstance(method, str):
        given = list(method)
    else:
        given = [method]
    if not given:
        raise UsageError("protecting needs at least one method, but none was given")
    steps: list[Method] = []
    for step in given:
        made = build("method", step) if isinstance(step, str | Mapping) else step
        if not isinstance(made, Method):
            what = f"the class {step.__name__}" if isinstance(step, type) else repr(step)
            raise UsageError(
                "a method must be one of discreet's, such as discreet.Microaggregation(), or its "
                f"name, but {what} was given"
            )
        steps.append(made)
    return steps


def _run(data: Microdata, steps: Sequence[Method], context: Context) -> Masked:
    groups: Groups | None = None
    grouped: set[str] = set()
    changed: set[str] = set()
    claims: tuple[Claim, ...] = ()
    notes = [
        f"the quasi-identifier '{name}' has one value only and tells no records apart"
        for name in constant_quasi_identifiers(data)
    ]
    current, origin = data, np.arange(len(data))
    for number, step in enumerate(steps, start=1):
        masked = step.protect(current, context.within(f"step {number}", step.spec.name))
        before = current if masked.origin is None else _at(current, masked.origin)
        touched = [
            name
            for name in data.quasi_identifiers
            if before is None or not masked.data.column(name).same_as(before.column(name))
        ]
        if claims and (touched or masked.origin is not None):
            # What an earlier step promised was about records and values that are no longer there.
            what = "changed quasi-identifiers" if touched else "left out records"
            notes.append(
                f"step {number} ({step.spec.name}) {what} that an earlier step had protected; the "
                f"earlier claim of {claims[0].measure} is not made"
            )
            claims = ()
        claims += masked.claims
        notes += masked.notes
        if masked.groups is not None and (touched or groups is None):
            # Groups of other columns must not stand in for those that a claim is about.
            groups, grouped = masked.groups.seen_from(origin, len(data)), set(touched)
        changed.update(touched)
        if masked.origin is not None:
            known = masked.origin >= 0
            origin = np.where(known, origin[masked.origin], NO_ORIGIN)
        current = masked.data
    if groups is not None and not changed <= grouped:
        groups = replace(groups, covers=False)
    varying = set(data.quasi_identifiers) - set(constant_quasi_identifiers(data))
    before = _at(data, origin)
    without_role = [
        a.name
        for a in data.schema
        if not a.declared
        and before is not None
        and current.column(a.name).same_as(before.column(a.name))
    ]
    if without_role:
        notes.append(f"released as they are, without a role: {', '.join(without_role)}")
    untreated = [
        name
        for name in data.quasi_identifiers
        if name in varying
        and before is not None
        and current.column(name).same_as(before.column(name))
    ]
    if untreated:
        notes.append(f"quasi-identifiers that no step changed: {', '.join(untreated)}")
    if before is not None:
        notes += told_apart_by_design(current)
    return Masked(current, groups, claims, tuple(notes), origin)


def _at(data: Microdata, origin: NDArray[np.int64]) -> Microdata | None:
    """Return the rows that records came from; None if some came from no one row."""
    return None if len(origin) and origin.min() < 0 else data.take(origin)
