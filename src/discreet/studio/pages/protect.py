"""Protect: the steps as cards, their parameters, the claims, and the outcome."""

from __future__ import annotations

from typing import Any

from discreet.contracts import Method
from discreet.contracts.explaining import description, facts
from discreet.contracts.registry import build, entries, find
from discreet.errors import DiscreetError, UsageError
from discreet.microdata import Role
from discreet.release.exposure import Exposure
from discreet.report.plain import from_json
from discreet.report.step_done import StepDone
from discreet.studio.draft import Draft, Step
from discreet.studio.forms import PART, fields, read_values
from discreet.studio.hierarchies import with_kept
from discreet.studio.outcomes import content_of
from discreet.studio.presets import preset, presets
from discreet.studio.replies import Fragment, Page, Reply
from discreet.studio.request import Ask
from discreet.studio.steps_seen import StepsSeen, kept_steps, reported_steps

DEFAULT_CLAIM = "k-anonymity"
LONG_PATIENCE = 60.0
"""Seconds that a preview waits for data that are still being read."""
SHOWN = 4
"""Parameters of a step that are visible at first; the rest can be unfolded."""


def show(ask: Ask, problem: tuple[int, str] | None = None) -> Reply:
    """Show the steps, and the outcome of the plan if it was run."""
    work = ask.work
    draft = work.draft
    outcome = work.tries.of_plan(work.text)
    values = {
        "steps": [_card(ask, n, s, s is draft.steps[-1]) for n, s in enumerate(draft.steps)],
        "problem": problem,
        "methods": _by_group(),
        "presets": presets(),
        "claims": [_claimed(name, b) for name, b in (draft.content.get("claims") or {}).items()],
        "claimable": _claimable(),
        "allowed": draft.content.get("allow") or [],
        "columns": [n for n, r in work.plan.roles.items() if r != Role.IDENTIFIER],
        "outcome": outcome,
        "content": content_of(work, outcome),
        "job": ask.studio.jobs.latest(ask.place, "protect"),
        "previewed": _previewed(ask),
        "internal": True,
    }
    return Page("screens/protect.html", {"screen": "protect", **values})


def form(ask: Ask) -> Reply:
    """Show the form of a step with what was entered so far, such as another partition."""
    number = ask.number("step")
    draft = ask.work.draft
    step = draft.steps[number]
    values = read_values("method", step.name, ask.form)
    shown = Step(step.name, values, step.on)
    card = _card(ask, number, shown, number + 1 == len(draft.steps))
    return Fragment("parts/step.html", {"card": card, "open": True})


def set_step(ask: Ask) -> Reply:
    """Give a step the parameters of its form."""
    number = ask.number("step")
    step = ask.work.draft.steps[number]
    values = read_values("method", step.name, ask.form)
    build("method", {step.name: values})
    ask.work.change(lambda draft: draft.set_values(number, values))
    return show(ask)


def add(ask: Ask) -> Reply:
    """Add a step."""
    name = ask.text("method")
    entry = find("method", name)
    ready = entry.example().recipe()[entry.spec.name] if _needs_values(entry) else {}
    ask.work.change(lambda draft: with_kept(draft, draft.add(entry.spec.name, ready)))
    return show(ask)


def remove(ask: Ask) -> Reply:
    """Remove a step."""
    ask.work.change(lambda draft: draft.remove(ask.number("step")))
    return show(ask)


def move(ask: Ask) -> Reply:
    """Move a step up or down."""
    by = 1 if ask.text("to") == "down" else -1
    ask.work.change(lambda draft: draft.move(ask.number("step"), by))
    return show(ask)


def toggle(ask: Ask) -> Reply:
    """Switch a step off, or on."""
    ask.work.change(lambda draft: draft.toggle(ask.number("step")))
    return show(ask)


def take_preset(ask: Ask) -> Reply:
    """Take the steps that suit a purpose."""
    chosen = preset(ask.text("preset"))
    message = f"steps for {chosen.name}"

    def edit(draft: Draft) -> str:
        return with_kept(draft, draft.take(chosen.steps, chosen.claims, message))

    ask.work.change(edit)
    return show(ask)


def claim(ask: Ask) -> Reply:
    """Claim a bound of a measure, or withdraw a claim."""
    measure, text = ask.text("measure"), ask.text("bound").strip()
    bound: float | None = None
    if text:
        try:
            bound = float(text)
        except ValueError:
            raise UsageError("a claim is a number, such as 5 or 0.05") from None
        bound = int(bound) if bound.is_integer() else bound
    ask.work.change(lambda draft: draft.set_claim(measure, bound))
    return show(ask)


def allow(ask: Ask) -> Reply:
    """Allow a column to be released as it is, or no longer."""
    column, yes = ask.text("column"), bool(ask.text("yes"))
    _ = ask.work.table().data.schema[column]
    ask.work.change(lambda draft: draft.allow(column, yes))
    return show(ask)


def run(ask: Ask) -> Reply:
    """Run the plan on the whole file, in a process of its own."""
    work = ask.work
    entry = work.history.current.number
    number = work.tries.next_number()
    plan = str(work.path)
    ask.studio.jobs.start("protect", ask.place, plan=plan, number=number, entry=entry)
    return show(ask)


def preview(ask: Ask) -> Reply:
    """Run the steps on some records, in a process of its own."""
    work = ask.work
    plan = work.plan
    if not plan.steps:
        raise UsageError("there is no step to try; add one first")
    sample = work.table(LONG_PATIENCE).sample(plan)
    steps = list(plan.steps)
    ask.studio.jobs.start("preview", ask.place, data=sample, steps=steps, text=work.text)
    return previewed(ask)


def previewed(ask: Ask) -> Reply:
    """Show what the steps did to some records."""
    return Fragment("parts/preview.html", {"previewed": _previewed(ask)})


def did(ask: Ask) -> Reply:
    """Show what one step did, to the whole file if the plan was run, else to some records."""
    number = ask.number("step")
    steps = ask.work.draft.steps[: number + 1]
    seen = _seen(ask)
    done = None if seen is None or not steps[-1].on else seen.of(sum(step.on for step in steps))
    return Fragment("parts/did.html", {"done": done, "whole": seen is not None and seen.whole})


def _seen(ask: Ask) -> StepsSeen | None:
    """Return what the steps of the plan as it is did; None if it was not run."""
    work = ask.work
    outcome = work.tries.of_plan(work.text)
    kept = kept_steps(work.tries.steps_file(outcome.number)) if outcome else None
    if kept is not None:
        return kept
    job = ask.studio.jobs.latest(ask.place, "preview")
    fresh = job is not None and job.result.get("text") == work.text
    return reported_steps(job.result) if job is not None and fresh else None


def _previewed(ask: Ask) -> dict[str, Any]:
    """Return the latest try on some records, unless the plan was changed or run since then."""
    job = ask.studio.jobs.latest(ask.place, "preview")
    run = ask.studio.jobs.latest(ask.place, "protect")
    preview: dict[str, Any] = {"job": job, "done": None, "exposed": {}}
    if job is not None and job.result:
        if job.result["text"] != ask.work.text or (run is not None and run.number > job.number):
            return {**preview, "job": None}
        exposure = job.result["exposure"]
        preview["done"] = from_json(StepDone, job.result["whole"])
        preview["exposed"] = {side: from_json(Exposure, exposure[side]) for side in exposure}
    return preview


def _card(ask: Ask, number: int, step: Step, last: bool) -> dict[str, Any]:
    try:
        entry = find("method", step.name)
        shown = fields("method", step.name, step.values)
        problem = ""
        try:
            build("method", step.recipe)
        except DiscreetError as error:
            problem = str(error)
    except DiscreetError as error:
        return {"number": number, "step": step, "last": last, "title": step.name,
                "problem": str(error), "fields": (), "rest": (), "meaning": "", "facts": (),
                "columns": ()}  # fmt: skip
    first = [
        f for n, f in enumerate(shown) if n < SHOWN or f.input == PART or f.name in step.values
    ]
    return {
        "number": number,
        "step": step,
        "last": last,
        "title": entry.spec.title,
        "problem": problem,
        "fields": [field for field in shown if field in first],
        "rest": [field for field in shown if field not in first],
        "meaning": description(entry),
        "facts": facts(entry),
        "columns": _treatable(ask, entry),
    }


def _treatable(ask: Ask, entry: Any) -> list[tuple[str, str]]:
    """Return the columns that a method may be told to treat, with their roles."""
    roles = ask.work.plan.roles
    fit = [(n, r) for n, r in roles.items() if r != Role.IDENTIFIER]
    return sorted(fit, key=lambda pair: pair[1] not in entry.spec.treats)


def _needs_values(entry: Any) -> bool:
    return any(param.required for param in entry.params().values())


def _by_group() -> dict[str, list[Any]]:
    """Return the methods by the folder that they are filed in."""
    groups: dict[str, list[Any]] = {}
    for entry in entries("method"):
        assert issubclass(entry, Method)
        group = entry.__module__.split(".")[2] if entry.__module__.startswith("discreet.") else ""
        groups.setdefault(group or "plug-in", []).append(entry)
    return groups


def _claimed(name: str, bound: Any) -> dict[str, Any]:
    """Return a claim with the measure's title and what it means, where the measure is known."""
    try:
        entry = find("measure", name)
    except DiscreetError:
        return {"name": name, "bound": bound, "title": name, "meaning": ""}
    words = description(entry).partition("\n\n")[0]
    return {"name": name, "bound": bound, "title": entry.spec.title, "meaning": words}


def _claimable() -> list[Any]:
    risks = [entry for entry in entries("measure") if entry.spec.side.value == "risk"]  # type: ignore[attr-defined]
    return sorted(risks, key=lambda entry: (entry.spec.name != DEFAULT_CLAIM, entry.spec.title))


ROUTES = [
    ("GET", "/w/{plan:path}/protect", show),
    ("POST", "/w/{plan:path}/protect/form", form),
    ("POST", "/w/{plan:path}/protect/set", set_step),
    ("POST", "/w/{plan:path}/protect/add", add),
    ("POST", "/w/{plan:path}/protect/remove", remove),
    ("POST", "/w/{plan:path}/protect/move", move),
    ("POST", "/w/{plan:path}/protect/toggle", toggle),
    ("POST", "/w/{plan:path}/protect/preset", take_preset),
    ("POST", "/w/{plan:path}/protect/claim", claim),
    ("POST", "/w/{plan:path}/protect/allow", allow),
    ("POST", "/w/{plan:path}/protect/run", run),
    ("POST", "/w/{plan:path}/protect/preview", preview),
    ("GET", "/w/{plan:path}/protect/previewed", previewed),
    ("GET", "/w/{plan:path}/protect/did", did),
]
