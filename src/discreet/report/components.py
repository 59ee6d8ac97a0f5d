"""Steps and measures in the words of their own specs and docstrings.

A method or measure that is added later is described here without any change to this file.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from discreet.contracts import Component, MeasureSpec, Question
from discreet.contracts.registry import build, find
from discreet.errors import DiscreetError
from discreet.report.content import PlannedStep
from discreet.report.plain import from_json, plain
from discreet.report.public_form import About, Claim, Part, PublicScore, Step


def meaning(component: type[Component]) -> str:
    """Return the first paragraph of a component's docstring: what it is, in plain words.

    >>> meaning(find("measure", "distance-linkage"))
    'The share of released records whose nearest original record is their own.'
    """
    paragraph = (inspect.getdoc(component) or "").split("\n\n")[0]
    return " ".join(paragraph.split())


def described_step(step: Component) -> PlannedStep:
    """Return what a step does, its source, its parameters and its parts."""
    spec = step.spec
    planned = step.with_files(lambda path: PurePath(path).name).recipe()[spec.name]
    return PlannedStep(
        spec.name,
        spec.title,
        spec.citation,
        meaning(type(step)),
        spec.missing,
        plain(step.recipe(public=True)[spec.name]),
        tuple(_part(value) for value in step.values().values() if isinstance(value, Component)),
        tuple(step.withheld()),
        plain(planned, longest=sys.maxsize),
    )


def republished(step: PlannedStep) -> PlannedStep:
    """Return a step of an earlier record with what today's declarations publish about it.

    For a method that is unknown here only numbers are published.
    """
    planned = step.parameters if step.planned is None else step.planned
    try:
        known = described_step(build("method", {step.name: planned}))
    except DiscreetError:
        published = {n: value for n, value in planned.items() if isinstance(value, int | float)}
        withheld = tuple(name for name in planned if name not in published)
        return replace(step, parameters=published, withheld=withheld, planned=planned)
    return replace(
        step, parameters=known.parameters, withheld=known.withheld, planned=known.planned
    )


def _part(component: Component) -> Part:
    spec = component.spec
    words = meaning(type(component))
    return Part(component.family, spec.name, spec.title, spec.citation, words)


def stated_step(stated: Mapping[str, Any]) -> Step:
    """Return a step of a manifest, with what is known here about a method of that name.

    A manifest may come from a version of discreet with other methods; then only the manifest's own
    words are shown.
    """
    name = str(stated.get("name", ""))
    parameters = stated.get("parameters") or {}
    step = Step(name, name, "")
    with suppress(DiscreetError):
        step = from_json(Step, described_step(build("method", {name: parameters})))
    return replace(
        step,
        title=str(stated.get("title", name)),
        citation=str(stated.get("citation", "")),
        parameters=plain(parameters),
        withheld=tuple(map(str, stated.get("withheld") or ())),
    )


def about(measure: str | type[Component]) -> About:
    """Return what a measure measures and which way is better; only its name if it is unknown here.

    >>> about("k-anonymity").better, about("no-such-measure").title
    ('higher', 'no-such-measure')
    """
    if isinstance(measure, str):
        try:
            measure = find("measure", measure)
        except DiscreetError:
            return About(name=str(measure), title=str(measure))
    spec = measure.spec
    assert isinstance(spec, MeasureSpec)
    return About(
        name=spec.name,
        title=spec.title,
        meaning=meaning(measure),
        citation=spec.citation,
        side=spec.side.value,
        better=spec.better.value,
        percent=spec.percent,
        of_release=spec.of_release,
        rests_on=spec.rests_on,
        identity=spec.at_identity,
        question=spec.answers.value,
        share=spec.is_share,
        blind_to=tuple(spec.blind_to or ()),
    )


def asked(scores: Iterable[PublicScore], question: str) -> list[PublicScore]:
    """Return the scores that answer a question.

    Scores written by an earlier version lack the question, so it is looked up by the measure's
    name.

    >>> old = PublicScore(name="l-diversity", title="l", side="risk", after=3.0)
    >>> [score.share for score in asked([old], Question.LEARNED)]
    [False]
    """
    answering = []
    for score in scores:
        if not score.question:
            measure = about(score.name)
            score = replace(score, question=measure.question, share=measure.share)
        answering.append(score)
    other = {"risk": Question.FOUND.value, "utility": Question.MODELS.value}
    return [score for score in answering if (score.question or other.get(score.side)) == question]


def judged(measure: str, bound: Any, measured: Any, of_what: str = "") -> Claim:
    """Return a claim with its measure, and whether the measured value confirms it.

    `of_what` follows the measured number, where it counts records, persons or households.

    >>> judged("k-anonymity", 5, 6).holds
    True
    """
    known = about(measure)
    holds = None
    if isinstance(measured, int | float) and isinstance(bound, int | float) and known.better:
        holds = measured >= bound if known.better == "higher" else measured <= bound
    return Claim(
        measure,
        known.title,
        known.better,
        known.percent,
        known.of_release,
        bound,
        measured,
        holds,
        known.rests_on,
        of_what,
    )
