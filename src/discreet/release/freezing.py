"""Freezing: what a run chose from its data, kept as a plan for the files that come after.

A search for levels, quantiles or frequencies gives other answers on next year's file, and the two
releases cannot be compared. A frozen plan states these answers as parameters. What a method cannot
state (groups of these very records, a fitted model) is made afresh for each file. Either way the
claims are measured again on every file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts import Method, Seed
from discreet.io.reading import read
from discreet.microdata import Kind, Microdata, Role
from discreet.models.sequential.from_kept import model_entry
from discreet.release.modelling import refuse_without_model
from discreet.release.plan_schema import types_of

if TYPE_CHECKING:
    import os

    from discreet.release.plan import Plan
    from discreet.release.release import Release

HEAD = """\
# Frozen: what was chosen for one file, to be applied to others. It contains values from the
# data, such as categories and cut points, so keep it private.
"""
POOL = (
    "keep these records back and protect them together with the next ones ('discreet pool' does "
    "that), or run the plan that this one was frozen from"
)
"""What to do with records that a frozen plan cannot release."""


def frozen_plan(release: Release, plan: Plan | None = None) -> Plan:
    """Return a plan with what the run chose, strict about the columns; `plan` is the one that ran.

    >>> import discreet
    >>> data = discreet.read({"pay": [1, 2, 3, 4, 5, 90]}, roles={"pay": "quasi-identifier"})
    >>> coding = discreet.TopBottomCoding(top_share=0.2, bottom_share=0)
    >>> frozen_plan(discreet.protect(data, coding)).steps[0].top
    {'pay': 5.0}
    """
    from discreet.release.plan import Plan

    original = release.original
    base = plan or Plan(
        (),
        shuffle=release.shuffled,
        keep_decimals=release.keep_decimals,
        allow=release.allowed,
        rules=release.rules,
        calibrate=release.calibrate,
        analyses=release.analyses,
        hold_back=release.hold_back,
    )
    kept = [a for a in original.schema if a.role is not Role.IDENTIFIER]
    types = types_of(original)
    stated = {} if plan is None else plan.allowed
    mapped = set().union(*(_mapped(step) for step in release.chosen))
    return replace(
        base,
        steps=release.chosen,
        roles={a.name: a.role.value for a in original.schema},
        kinds={
            a.name: list(a.categories) if a.kind is Kind.ORDINAL else a.kind.value for a in kept
        },
        types={a.name: types[a.name] for a in kept if a.name in types},
        # A category that nobody had in mind would be released as it is; one that the plan allows
        # may occur, unless the plan does not state what becomes of it.
        allowed={
            a.name: list(a.categories if a.name in mapped else stated.get(a.name, a.categories))
            for a in kept
            if a.kind is Kind.NOMINAL
            and (a.role is Role.QUASI_IDENTIFIER or a.name in {*mapped, *stated})
        },
        strict=True,
        frozen=True,
        claims={claim.measure: claim.bound for claim in release.claims},
    )


def with_model(frozen: Plan, path: Path) -> Plan:
    """Return a frozen plan whose one step draws from a model that was kept, instead of fitting it.

    >>> import discreet
    >>> data = {"age": list(range(40)), "sex": ["f", "m"] * 20}
    >>> made = discreet.protect(data, "sequential-regression", roles={"confidential": ["age"]})
    >>> with_model(made.frozen, Path("people.model")).steps[0].model
    ('model=people.model',)
    """
    refuse_without_model(frozen.steps)
    (step,) = frozen.steps
    drawing = type(step)(**{**step.values(), "model": model_entry(path)})
    return replace(frozen, steps=(drawing,))


def anew(steps: Iterable[Method]) -> dict[str, str]:
    """Return what the steps of a frozen plan find afresh in each file, by their names.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    >>> anew(discreet.protect(data, [discreet.Rounding(), pairs]).frozen.steps)
    {'microaggregation': 'groups of records'}
    """
    return {step.spec.name: step.anew for step in steps if step.anew}


def apply(frozen: Plan | str | os.PathLike[str], data: Any, seed: Seed = None) -> Release:
    """Do to other data what was done to the data that a plan was frozen from.

    `frozen` is `release.frozen`, or the file that `discreet protect --freeze` wrote; `data` a frame
    or a file with the same columns. The claims are measured on the outcome; if one does not hold, a
    `ClaimError` says so and nothing is released: keep the records back and apply the plan to them
    together with the next ones.

    >>> import discreet
    >>> pay = {"pay": "quasi-identifier"}
    >>> first = discreet.read({"pay": [1, 2, 3, 4, 5, 90]}, roles=pay)
    >>> release = discreet.protect(first, discreet.TopBottomCoding(top_share=0.2, bottom_share=0))
    >>> later = apply(release.frozen, {"pay": [2, 3, 6, 7, 8]}, seed=1)
    >>> sorted(later.data["pay"].tolist())
    [2.0, 3.0, 7.0, 7.0, 7.0]
    """
    from discreet.release.plan import Plan

    plan = frozen if isinstance(frozen, Plan) else Plan.load(frozen)
    if isinstance(data, Microdata):
        return plan.run(data, seed)
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return plan.run(plan.read(data), seed)
    return plan.run(read(data, plan.roles, plan.kinds, levels=plan.levels, unit=plan.unit), seed)


def _mapped(step: Method) -> Iterable[str]:
    """Return the columns whose categories a step treats one by one."""
    values = step.values()
    return [name for key in ("mappings", "matrices") for name in values.get(key) or {}]
