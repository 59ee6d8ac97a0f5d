"""The tasks that workers do: the same calls as those of the command line, on the folder of a work.

Each writes its result to the folder, whole or not at all, and returns what the page needs at once.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from discreet.studio.telling import Telling

RISK = "risk.json"
EXPLORATION = "exploration"


def protect_file(tell: Telling, plan: str, number: int, entry: int) -> dict[str, Any]:
    """Run a plan and keep the release as a try; a plan that fails leaves its reason."""
    from discreet.errors import DiscreetError
    from discreet.release.plan import Plan
    from discreet.studio.tries import Outcome, Tries

    path = Path(plan)
    text = path.read_text(encoding="utf-8")
    tries, began = Tries(path.parent), time.monotonic()
    when = datetime.now().isoformat(timespec="minutes", sep=" ")
    try:
        outcome = _released(tell, Plan.load(path), tries, number, entry, text)
    except DiscreetError as error:
        steps = tuple(_names(text))
        failed = Outcome(number, entry, text, steps=steps, error=str(error), when=when)
        tries.keep(failed)
        raise
    seconds = round(time.monotonic() - began, 2)
    kept = Outcome(**{**vars(outcome), "seconds": seconds, "when": when})
    tries.keep(kept)
    return {"number": number, "light": kept.light}


def _released(tell: Telling, plan: Any, tries: Any, number: int, entry: int, text: str) -> Any:
    from discreet.release.assessing import assess
    from discreet.studio.steps_seen import Watching, keep_steps
    from discreet.studio.tries import Outcome, private_folder

    tell.stage("reading")
    original = plan.read()
    tell.stage("protecting")
    watching = Watching(tell)
    release = plan.run(original, progress=watching)
    tell.stage("measuring")
    assessment = assess(
        release.original,
        release,
        plan.measures,
        thresholds=plan.thresholds,
        written_as=plan.file_format(release.original),
        progress=tell,
    )
    tell.stage("writing")
    private_folder(tries.folder)
    release.write(
        tries.directory(number),
        format=plan.format,
        assessment=assessment,
        spreadsheet_safe=plan.spreadsheet_safe,
    )
    keep_steps(tries.steps_file(number), watching.steps)
    verdict = assessment.verdict
    return Outcome(
        number,
        entry,
        text,
        steps=tuple(_names(text)),
        light=verdict.light.value,
        sentences=verdict.sentences,
        scores={
            row.spec.name: (row.before, row.after.value)
            for row in assessment.rows
            if row.after is not None
        },
        records=len(release.data),
        notes=tuple(map(str, release.notes)),
    )


def risk_now(tell: Telling, plan: str) -> dict[str, Any]:
    """Measure the file as it is, attack it, and keep what was found."""
    from discreet.io.whole_file import write_whole
    from discreet.release.plan import Plan
    from discreet.studio.risk_now import looked_at

    path = Path(plan)
    text = path.read_text(encoding="utf-8")
    tell.stage("reading")
    recipe = Plan.draft(text, path.parent)
    measured = looked_at(recipe.read(), tell)
    content = {"columns": _columns(text), **measured}
    write_whole(path.parent / RISK, json.dumps(content).encode(), private=True)
    return {}


def preview(tell: Telling, data: Any, steps: Sequence[Any], text: str) -> dict[str, Any]:
    """Run steps on some records, and return what they did, together and each of them."""
    from discreet.contracts import Masked
    from discreet.microdata.clusters import unit_key
    from discreet.release.exposure import Exposures
    from discreet.release.protecting import protect
    from discreet.report.plain import as_json
    from discreet.report.step_done import step_done
    from discreet.studio.steps_seen import Watching

    tell.stage("protecting")
    watching = Watching(tell)
    release = protect(data, steps, allow=None, keep_decimals=True, progress=watching)
    outcome = Masked(release.data, origin=release.origin)
    sides = {"before": data, "after": release.data}
    return {
        "text": text,
        "whole": as_json(step_done(0, release.original, outcome)),
        "steps": as_json(watching.steps),
        "exposure": {
            side: as_json(Exposures(table, unit_key(table)).by(table.quasi_identifiers))
            for side, table in sides.items()
        },
    }


def explore_settings(
    tell: Telling,
    plan: str,
    risk: Mapping[str, float],
    utility: Sequence[str],
    methods: Sequence[str] | None,
    budget: str,
) -> dict[str, Any]:
    """Search for the release that loses least, as `discreet explore` does, into the same place."""
    from discreet.exploring.running import explore
    from discreet.release.plan import Plan

    path = Path(plan)
    tell.stage("reading")
    recipe = Plan.draft(path.read_text(encoding="utf-8"), path.parent)
    original = recipe.read()
    out = path.parent / EXPLORATION
    tell.stage("exploring")
    exploration = explore(
        original,
        dict(risk),
        list(utility),
        methods=list(methods) if methods else None,
        budget=budget,
        store=out / f"trials-{_mark(recipe, risk, utility)}.sqlite",
        progress=tell,
        analyses=recipe.analyses,
        allow=recipe.allow,
    )
    exploration.write(out, recipe)
    return {"settings": len(exploration.points)}


def write_release(tell: Telling, source: str, target: str) -> dict[str, Any]:
    """Copy a try to the place of a release, and check it there as a recipient would."""
    from discreet.io.atomic import publish_directory
    from discreet.publishing.directory import owned
    from discreet.publishing.verifying import verify

    tell.stage("writing")
    with publish_directory(target, owned=owned) as fresh:
        for file in sorted(Path(source).iterdir()):
            shutil.copy2(file, fresh / file.name)
    tell.stage("verifying")
    verification = verify(target)
    return {"holds": verification.holds, "text": repr(verification), "release": Path(target).name}


def verify_release(tell: Telling, target: str) -> dict[str, Any]:
    """Check a release as a recipient would."""
    from discreet.publishing.verifying import verify

    tell.stage("verifying")
    verification = verify(target)
    return {"holds": verification.holds, "text": repr(verification), "release": Path(target).name}


def look_at_levels(tell: Telling, plan: str) -> dict[str, Any]:
    """Look at the levels that a recoding chooses, and at those next to them."""
    from discreet.studio.lattices import looked_at_levels

    return {"nodes": len(looked_at_levels(tell, Path(plan)).nodes)}


def _names(text: str) -> list[str]:
    from discreet.studio.draft import Draft

    return [step.name for step in Draft.of(text).steps if step.on]


def _columns(text: str) -> Any:
    from discreet.studio.draft import Draft

    return Draft.of(text).content.get("columns") or {}


def _mark(plan: Any, risk: Mapping[str, float], utility: Sequence[str]) -> str:
    """Return a short name for what a store of trials is about: other data need another."""
    import hashlib

    from discreet.studio.plan_data import reading_of
    from discreet.version import version

    stated = (plan.roles, plan.levels, plan.unit, plan.allow, plan.analyses, version())
    about = repr([reading_of(plan), stated, sorted(risk), list(utility)])
    return hashlib.sha256(about.encode()).hexdigest()[:8]


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "protect": protect_file,
    "risk": risk_now,
    "preview": preview,
    "explore": explore_settings,
    "lattice": look_at_levels,
    "release": write_release,
    "verify": verify_release,
}
