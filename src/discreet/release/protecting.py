"""Protecting: one method or several in sequence, then the release gate."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from discreet.contracts import (
    Analysis,
    Claim,
    Context,
    Masked,
    Measure,
    Method,
    Progress,
    Randomness,
    Seed,
)
from discreet.contracts.accounting import Accounting
from discreet.contracts.claim import claim_bound
from discreet.contracts.progress import for_terminal
from discreet.contracts.randomness import BY_HAND
from discreet.contracts.registry import build
from discreet.contracts.threads import one_thread
from discreet.errors import UsageError
from discreet.io.columns import Kinds
from discreet.io.memory_guard import give_memory_back
from discreet.io.reading import read
from discreet.io.stated_roles import Roles
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import renumbered
from discreet.release.accounting import readings_besides_steps
from discreet.release.calibrating import refuse_uncountable
from discreet.release.course import run_steps
from discreet.release.decimals import with_decimals_of
from discreet.release.declared import analyses_of
from discreet.release.detached import detached
from discreet.release.gate import (
    refuse_overlooked_identifiers,
    refuse_unmeasurable,
    refuse_unusable,
)
from discreet.release.given_back import look_for_given_back
from discreet.release.holding_back import held_back_of
from discreet.release.passing import Passing
from discreet.release.release import Release
from discreet.release.rules import rule_of
from discreet.release.shuffling import shuffled_rows

LARGE = 65_536
"""With this many records memory is given back; for fewer that takes as long as a quick method."""
Steps = Method | str | Mapping[str, Any] | Sequence[Method | str | Mapping[str, Any]]


LOG = logging.getLogger(__name__)


@one_thread()
def protect(
    data: Any,
    method: Steps,
    seed: Seed = None,
    shuffle: bool = True,
    *,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    claims: Mapping[str, float] | None = None,
    measures: Sequence[Measure] | None = None,
    analyses: Sequence[Analysis | Mapping[str, Any]] | None = None,
    allow: Sequence[str] | None = (),
    rules: Sequence[str] = (),
    calibrate: Sequence[str] = (),
    keep_decimals: bool = False,
    hold_back: float | None = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> Release:
    """Protect data by one method, or several in sequence, and check the outcome.

    `data` is what `discreet.read` returns, or a frame or a path together with `roles`. The seed is
    a secret and comes from the operating system if it is not given; if it is given, a note says so,
    since it might be guessed. Identifiers are dropped, households get new numbers, and rows are
    shuffled (`shuffle=False` keeps their order, which lets anyone who has the original link the
    records). What the method promises, and what `claims` adds (such as `{"k-anonymity": 5}`), is
    measured on the outcome; if it does not hold, a `ClaimError` is raised instead. A claim about a
    population takes its parameters, such as the register, from `measures`. A promise that has no
    meaning for the release as a whole is dropped, and a note says why. A column that is released as
    it is and gives back a protected one (a year of birth beside an age, a code beside its label) is
    refused unless `allow` names it; with None there is no such check. `analyses` are what users of
    the release are known to compute, such as `[{"mean": {"of": ["income"], "by": ["region"]}}]`;
    `assess` then measures how they fare. `rules` are relations between columns, such as "if age <
    15 then married = no"; records that break one after the steps are repaired where possible, and a
    note says how many. `calibrate` names columns of categories by which the released weights are to
    count as those of the original did, as after sampling or rounded weights. `keep_decimals` gives
    numbers as many decimals as those of the original have, before any claim is measured.
    `hold_back` is a share of the records, such as 0.1, that no step sees and that are not released:
    attacks are tried on them too, and what succeeds there is not due to the release. `copies` says
    of how many such releases this is one: a claim of differential privacy is about all of them.

    >>> import discreet
    >>> release = discreet.protect(
    ...     {"age": [21, 22, 40, 41], "pay": [1800, 2500, 2100, 3000]},
    ...     discreet.Microaggregation(discreet.partition.MDAV(k=2)),
    ...     roles={"quasi-identifier": ["age"], "confidential": ["pay"]},
    ...     keep_decimals=True,
    ... )
    >>> release.claims
    (Claim(k-anonymity: 2 claimed, 2 measured),)
    >>> sorted(release.frame()["age"].to_pylist())
    [22, 22, 40, 40]
    """
    data, steps, users = _read(data, roles, kinds), _steps(method), analyses_of(analyses)
    wished = _wished(claims, measures)
    _refuse_unusable(data, users, rules, calibrate)
    context = Context(Randomness.of(seed), for_terminal() if progress is None else progress)
    held = held_back_of(data, hold_back, context.generator("held back"))
    data = held.others
    masked = run_steps(data, steps, context)
    refuse_unmeasurable(data, masked.data)
    table, on_files = detached(data, masked.data.drop(data.having(Role.IDENTIFIER)))
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    given_back: list[str] = []
    if allow is not None:
        look = context.generator("columns left")
        given_back = look_for_given_back(data, table, origin, allow, look)
    table = renumbered(table, context.generator("households"))
    if shuffle:
        order = shuffled_rows(len(table), context)
        origin, table = origin[order], table.take(order)
    table = with_decimals_of(data, table) if keep_decimals else table
    accounting = _accounting(
        masked,
        copies,
        readings_besides_steps(
            data,
            table,
            calibrate=calibrate,
            rules=rules,
            hold_back=hold_back,
            keep_decimals=keep_decimals,
            shuffled=shuffle,
        ),
    )
    gate = Passing(
        data=data,
        masked=masked,
        origin=origin,
        in_order=not shuffle,
        steps=tuple(steps),
        wished=wished,
        analyses=users,
        calibrate=calibrate,
        context=replace(context, control=held.control, accounting=accounting),
    )
    passed = gate.passed(table, rules)
    LOG.info("%d records protected, %d columns released", len(table), len(passed.table.schema))
    if len(table) >= LARGE:
        give_memory_back()
    on_data = (*masked.notes, *on_files)
    by_hand = [BY_HAND] if context.randomness.by_hand else []
    return Release(
        original=data,
        data=passed.table,
        origin=origin,
        groups=masked.groups,
        claims=passed.claims,
        steps=tuple(steps),
        chosen=masked.chosen,
        notes=(
            *on_data,
            *passed.on_rules,
            *held.notes,
            *given_back,
            *passed.on_table,
            *by_hand,
        ),
        randomness=context.randomness,
        shuffled=shuffle,
        keep_decimals=keep_decimals,
        allowed=tuple(allow or ()),
        rules=tuple(rules),
        calibrate=tuple(calibrate),
        analyses=users,
        hold_back=hold_back,
        control=held.control,
        held_back=held.rows,
        accounting=accounting,
    )


def _accounting(masked: Masked, copies: int, against: Sequence[str]) -> Accounting:
    """Return what a run and its other copies spend, with what stands against a claim."""
    assert masked.accounting is not None
    return replace(masked.accounting, copies=copies, against=tuple(against))


def _read(data: Any, roles: Roles | None, kinds: Kinds | None) -> Microdata:
    """Return data that were read already, or read them with these roles and kinds."""
    if not isinstance(data, Microdata):
        return read(data, roles=roles, kinds=kinds)
    if roles is not None or kinds is not None:
        raise UsageError("the data already have their roles and kinds; give them when reading")
    return data


def _wished(claims: Mapping[str, float] | None, measures: Sequence[Measure] | None) -> list[Claim]:
    """Return the claims that the user adds, with the parameters of the measure if it is given."""
    stated_by = {m.spec.name: m for m in measures or () if m.spec.claimed_as_stated}
    return [
        Claim(str(m), claim_bound(str(m), bound), by=stated_by.get(str(m)))
        for m, bound in (claims or {}).items()
    ]


def _refuse_unusable(
    data: Microdata, users: Sequence[Analysis], rules: Sequence[str], calibrate: Sequence[str]
) -> None:
    """Refuse data that cannot be released, and options that name columns that do not exist."""
    for analysis in users:
        analysis.columns(data)
    refuse_unusable(data)
    released_columns = data.drop(data.having(Role.IDENTIFIER))
    for rule in rules:
        rule_of(rule, released_columns)
    refuse_uncountable(released_columns, calibrate)
    refuse_overlooked_identifiers(data)


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
            received = f"the class {step.__name__}" if isinstance(step, type) else repr(step)
            raise UsageError(
                "a method must be one of discreet's, such as discreet.Microaggregation(), or its "
                f"name, but {received} was given"
            )
        steps.append(made)
    return steps
