"""Accounting for a run: how each step read the data, and what stands against a claim.

A claim of differential privacy is about everything that happens between the file and the release,
so whatever reads the data otherwise than through noise stands against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discreet.contracts import Claim, Masked, Method
from discreet.contracts.accounting import Access, Account, Accounting
from discreet.contracts.measure import Measure
from discreet.contracts.registry import build
from discreet.microdata import Microdata, Role

DP = "differential-privacy"


def accounted(
    before: Accounting,
    name: str,
    step: Method,
    table: Microdata,
    masked: Masked,
    changed: frozenset[str],
) -> Accounting:
    """Return the accounting after one more step, which made `masked` of a table.

    `changed` are the columns that the step changed. A step that is no mechanism is harmless if the
    whole table is an outcome of mechanisms already, or if it does to each record what its
    parameters say and nothing else.
    """
    columns, private = frozenset(masked.data.schema.names), before.private
    if masked.spent is not None:
        account = Account(name, Access.MECHANISM, spent=masked.spent)
        private = (private - changed) | masked.spent.columns
    elif set(table.schema.names) <= private:
        account, private = Account(name, Access.POST_PROCESSING), columns
    elif _fixed(step, masked):
        account, private = Account(name, Access.FIXED), private - changed
    else:
        account = Account(name, Access.OUTSIDE, _why(name, step, masked))
    return replace(before, accounts=(*before.accounts, account), private=private & columns)


def _fixed(step: Method, masked: Masked) -> bool:
    """Whether a step does to every record what its parameters say, whatever the other records."""
    fully_stated = (masked.chosen or (step,)) == (step,) and not step.anew
    in_parts = step.by is not None or step.in_blocks is not None
    return fully_stated and not step.is_random and masked.origin is None and not in_parts


def _why(name: str, step: Method, masked: Masked) -> str:
    chosen = [part for part in masked.chosen if part != step]
    if step.spec.unseeded:
        reads = "its noise was added in parts of the file, which the data decide"
    elif chosen:
        reads = "it chooses its parameters from the data"
    elif step.anew:
        reads = f"it finds {step.anew} in the data"
    else:
        reads = "it is not a differentially private mechanism"
    return (
        f"{name} reads the data outside the accounting: {reads}; run it after a mechanism that "
        "treats every column, state what it chooses in the plan, or leave it out"
    )


def readings_besides_steps(
    data: Microdata,
    released: Microdata,
    *,
    calibrate: Sequence[str],
    rules: Sequence[str],
    hold_back: float | None,
    keep_decimals: bool,
    shuffled: bool,
) -> list[str]:
    """Return what stands against a claim besides the steps: options that look at the original."""
    readings = []
    keys = [a.name for a in data.schema if a.role in (Role.HOUSEHOLD, Role.PERSON)]
    if keys:
        readings.append(
            f"the file has households or persons with several records ('{keys[0]}'), and records "
            "are protected one by one; if that is intended, give the column the role identifier: m "
            "records together may then reveal m times ε"
        )
    if calibrate:
        readings.append("calibrate takes totals from the original; leave it out")
    if rules:
        readings.append("rules repair records by comparing them with the original; leave them out")
    if hold_back is not None:
        readings.append(
            "hold_back sets records aside, on which the report then draws; leave it out"
        )
    if not shuffled:
        readings.append("the rows are in the order of the original; shuffle them")
    if keep_decimals and any(column.attribute.continuous for column in released):
        readings.append(
            "the decimals of numbers are those of the original; write 'release: {decimals: free}'"
        )
    if data.source is not None and data.source.codes:
        readings.append("codes for missing values are kept as they are; leave out missing_codes")
    return readings


def promise_of(accounting: Accounting, released: Microdata) -> tuple[list[Claim], list[str]]:
    """Return the claim that the accounting supports, or a note on why there is none.

    A release without a mechanism has neither.
    """
    if not accounting.spent:
        return [], []
    objections = accounting.objections(released.schema.names)
    if objections:
        return [], [f"{DP} is not claimed: {objections[0]}"]
    measure = build("measure", {DP: {"delta": accounting.delta}}) if accounting.delta else None
    assert measure is None or isinstance(measure, Measure)
    return [Claim(DP, accounting.epsilon, by=measure)], []
