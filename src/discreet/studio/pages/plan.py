"""Plan: the text of the plan at any time, its history, and the same as commands and as code."""

from __future__ import annotations

import re

from discreet.errors import DiscreetError
from discreet.studio.replies import Page, Redirect, Reply
from discreet.studio.request import Ask
from discreet.studio.same_elsewhere import commands, python

LINE = re.compile(r"line (\d+)")


def show(ask: Ask, text: str | None = None, problem: str = "") -> Reply:
    """Show the plan as text."""
    work = ask.work
    lines = ""
    try:
        lines = python(work.plan, work.path)
    except DiscreetError as error:  # somebody edited it elsewhere
        problem = problem or str(error)
    match = LINE.search(problem)
    outcomes = {outcome.text: outcome for outcome in work.tries.all()}
    values = {
        "text": work.text if text is None else text,
        "problem": problem,
        "line": int(match[1]) if match else None,
        "commands": commands(work.path),
        "python": lines,
        "entries": [(entry, outcomes.get(entry.text)) for entry in reversed(work.history.entries)],
        "current": work.history.current,
    }
    return Page("screens/plan.html", {"screen": "plan", **values}, 422 if problem else 200)


def save(ask: Ask) -> Reply:
    """Keep an edited text, or show at which line it is wrong."""
    text = ask.text("text").replace("\r\n", "\n")
    try:
        ask.work.replace_text(text)
    except DiscreetError as error:
        return show(ask, text, str(error))
    return show(ask)


def undo(ask: Ask) -> Reply:
    """Go back to the plan before."""
    with ask.work.lock:
        ask.work.history.undo()
    return _back(ask)


def redo(ask: Ask) -> Reply:
    """Go to the plan that followed."""
    with ask.work.lock:
        ask.work.history.redo()
    return _back(ask)


def go_to(ask: Ask) -> Reply:
    """Go to any plan of the history."""
    with ask.work.lock:
        ask.work.history.go_to(ask.number("number"))
    return _back(ask)


def _back(ask: Ask) -> Reply:
    back = ask.text("back")
    return Redirect(back if back.startswith(ask.url("")) else ask.url("plan"))


ROUTES = [
    ("GET", "/w/{plan:path}/plan", show),
    ("POST", "/w/{plan:path}/plan/save", save),
    ("POST", "/w/{plan:path}/undo", undo),
    ("POST", "/w/{plan:path}/redo", redo),
    ("POST", "/w/{plan:path}/goto", go_to),
]
