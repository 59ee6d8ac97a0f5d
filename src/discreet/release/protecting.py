"""Protecting: one or several methods in a row, then the release gate."""

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
    Imitated,
    Measure,
    Method,
    Progress,
    Randomness,
    Seed,
    paired,
)
from discreet.contracts.claim import claim_bound
from discreet.contracts.progress import for_terminal
from discreet.contracts.randomness import BY_HAND
from discreet.contracts.registry import build
from discreet.contracts.threads import one_thread
from discreet.errors import ClaimError, UsageError
from discreet.io.frames import Kinds, settled
from discreet.io.reading import read
from discreet.io.stated_roles import Roles
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import renumbered
from discreet.release.calibrating import calibrated_to, refuse_uncountable
from discreet.release.course import run_steps
from discreet.release.decimals import with_decimals_of
from discreet.release.declared import analyses_of
from discreet.release.detached import detached
from discreet.release.gate import (
    check_claims,
    check_promises,
    refuse_overlooked_identifiers,
    refuse_unusable,
)
from discreet.release.given_back import look_for_given_back
from discreet.release.holding_back import note_on, parted, rows_held_back
from discreet.release.imitation import imitation
from discreet.release.keeping_rules import keep_rules
from discreet.release.notes import unique_weights
from discreet.release.release import Release
from discreet.release.rules import kept_rules, rule_of
from discreet.release.shuffling import shuffled_rows

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
    progress: Progress | None = None,
) -> Release:
    """Protect data by one method, or several one after the other, and check the outcome.

    `data` is what `discreet.read` returns, or a frame or a path together with `roles`. The seed is
    a secret and comes from the operating system if it is not given; if it is given, a note says so,
    since it might be guessed. Identifiers are dropped, households get new numbers, and rows are
    shuffled (`shuffle=False` keeps their order, which lets anyone who has the original link the
    records). What the method promises, and what `claims` adds (such as `{"k-anonymity": 5}`), is
    measured on the outcome; if it does not hold, a `ClaimError` is raised instead. A claim about a
    population takes its parameters, such as the register, from `measures`. A promise that
    has no meaning for the release as a whole is dropped, and a note says why. A column that is
    released as it is and gives back a protected one (a year of birth beside an age, a code beside
    its label) is refused unless `allow` names it; with None there is no such check. `analyses` are
    what users of the release are known to compute, such as `[{"mean": {"of": ["income"], "by":
    ["region"]}}]`; `assess` then measures how they fare.
    `rules` are relations between columns, such as "if age < 15 then married = no"; records that
    break one after the steps are mended where that can be done, and a note says how many.
    `calibrate` names columns of categories by which the released weights are to count as those of
    the original did, as after sampling or rounded weights.
    `keep_decimals` gives numbers as many decimals as those of the original have, before any claim
    is measured. `hold_back` is a share of the records, such as 0.1, that no step sees and that are
    not released: attacks are tried on them too, and what succeeds there is not due to the release.

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
    if not isinstance(data, Microdata):
        data = read(data, roles=roles, kinds=kinds)
    elif roles is not None or kinds is not None:
        raise UsageError("the data already have their roles and kinds; give them when reading")
    steps = _steps(method)
    wanted_by_users = analyses_of(analyses)
    for analysis in wanted_by_users:
        analysis.columns(data)
    stated_by = {m.spec.name: m for m in measures or () if m.spec.claimed_as_stated}
    wished = [
        Claim(str(m), claim_bound(str(m), b), by=stated_by.get(str(m)))
        for m, b in (claims or {}).items()
    ]
    refuse_unusable(data)
    released_columns = data.drop(data.having(Role.IDENTIFIER))
    for rule in rules:
        rule_of(rule, released_columns)
    refuse_uncountable(released_columns, calibrate)
    refuse_overlooked_identifiers(data)
    context = Context(Randomness.of(seed), for_terminal() if progress is None else progress)
    control, held, on_control = None, np.zeros(0, dtype=np.int64), []
    if hold_back is not None:
        held = rows_held_back(data, hold_back, context.generator("held back"))
        on_control = [note_on(len(held), len(data))]
        data, control = parted(data, held)
    masked = run_steps(data, steps, context)
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
    context = replace(context, control=control)

    def gated(table: Microdata) -> tuple[Microdata, tuple[Claim, ...], list[str]]:
        """Return what is released, with claims and notes; raise an error if one is false."""
        on_weights: list[str] = []
        if calibrate:
            table, note = calibrated_to(data, table, calibrate)
            on_weights.append(note)
        table = settled(table)
        imitate = imitation(data, steps, Imitated(table, origin))
        pairing = paired(origin, masked.groups, not shuffle, imitate, tuple(steps))
        kept, not_made = check_promises(masked.claims, data, table, pairing, context)
        promised = {(claim.measure, claim.bound) for claim in kept}
        stated = [claim for claim in wished if (claim.measure, claim.bound) not in promised]
        checked = check_claims(stated, data, table, pairing, context, wanted_by_users)
        return table, (*kept, *checked), [*on_weights, *unique_weights(table), *not_made]

    drawn = context.generator("rules")
    mended, on_rules = keep_rules(data, table, origin, rules, drawn)
    try:
        table, made, on_release = gated(mended)
    except ClaimError as error:
        if mended is table:
            raise
        table, made, on_release = gated(table)
        on_rules = [f"the rules are not kept, since that would break a claim: {error}"]
    on_rules += [kept.words for kept in kept_rules(data, table, rules) if kept.words]
    on_data = (*masked.notes, *on_files)
    LOG.info("%d records protected, %d columns released", len(table), len(table.schema))
    by_hand = [BY_HAND] if context.randomness.by_hand else []
    return Release(
        original=data,
        data=table,
        origin=origin,
        groups=masked.groups,
        claims=made,
        steps=tuple(steps),
        chosen=masked.chosen,
        notes=(*on_data, *on_rules, *on_control, *given_back, *on_release, *by_hand),
        randomness=context.randomness,
        shuffled=shuffle,
        keep_decimals=keep_decimals,
        allowed=tuple(allow or ()),
        rules=tuple(rules),
        calibrate=tuple(calibrate),
        analyses=wanted_by_users,
        hold_back=hold_back,
        control=control,
        held_back=held,
    )


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
