"""The lattice of a step that recodes: explored by a worker, kept in the folder for the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from discreet.contracts import Context
from discreet.errors import UsageError
from discreet.io.whole_file import write_whole
from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import Lattice
from discreet.methods.nonperturbative.global_recoding import GlobalRecoding
from discreet.release.course import run_steps
from discreet.release.plan import Plan
from discreet.report.plain import as_json, from_json
from discreet.studio.draft import Draft
from discreet.studio.telling import Telling

FILE = "lattice.json"


def recoding_step(draft: Draft) -> int | None:
    """Return the place of the step whose levels are searched; None if there is none.

    >>> recoding_step(Draft.of("steps: [rounding, {global-recoding: {k: 3}}]"))
    1
    """
    for number, step in enumerate(draft.steps):
        if step.on and step.name == GlobalRecoding.spec.name and step.values.get("k", 5):
            return number
    return None


def looked_at_levels(tell: Telling, plan: Path) -> Lattice:
    """Explore the levels that the first recoding of a plan chooses, and those next to them."""
    text = plan.read_text(encoding="utf-8")
    recipe = Plan.draft(text, plan.parent)
    chosen = [isinstance(s, GlobalRecoding) and s.k is not None for s in recipe.steps]
    if True not in chosen:
        raise UsageError("the plan has no global recoding with a k; add that step first")
    number = chosen.index(True)
    tell.stage("reading")
    data = recipe.read()
    tell.stage("protecting")
    context = Context(progress=tell)
    before, step = recipe.steps[:number], recipe.steps[number]
    table = run_steps(data, before, context).data if before else data
    assert isinstance(step, GlobalRecoding)
    lattice = step.lattice(table, context)
    content: dict[str, Any] = {"text": text, "lattice": as_json(lattice)}
    encoded = json.dumps(content, ensure_ascii=False).encode()
    write_whole(plan.parent / FILE, encoded, private=True)
    return lattice


def kept_lattice(folder: Path) -> tuple[str, Lattice] | None:
    """Return the lattice that was explored last, and the text of its plan."""
    try:
        plain = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return plain["text"], from_json(Lattice, plain["lattice"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
