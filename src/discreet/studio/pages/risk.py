"""Risk now: attacks on the file as it is, and the columns that give people away."""

from __future__ import annotations

import json
from typing import Any

from discreet.microdata import Role
from discreet.studio.pages.columns import exposures_of
from discreet.studio.replies import Page, Reply
from discreet.studio.request import Ask
from discreet.studio.tasks import RISK


def show(ask: Ask) -> Reply:
    """Show what was found, or offer to look."""
    work = ask.work
    plan, table = work.plan, work.table()
    schema = table.data.schema
    known = [n for n, role in plan.roles.items() if role == Role.QUASI_IDENTIFIER and n in schema]
    last_look = _last_look(ask)
    stated = work.draft.content.get("columns") or {}
    rows = (last_look or {}).get("attack", {}).get("rows", [])
    values = {
        "exposed": table.rows_shown(rows, known),
        "exposure": exposures_of(ask).by(known),
        "found": last_look,
        "outdated": last_look is not None and last_look["columns"] != stated,
        "job": ask.studio.jobs.latest(ask.place, "risk"),
    }
    return Page("screens/risk.html", {"screen": "risk", **values})


def look(ask: Ask) -> Reply:
    """Measure and attack the file, in a process of its own."""
    ask.studio.jobs.start("risk", ask.place, plan=str(ask.work.path))
    return show(ask)


def _last_look(ask: Ask) -> dict[str, Any] | None:
    try:
        text = (ask.work.folder / RISK).read_text(encoding="utf-8")
        look: dict[str, Any] = json.loads(text)
    except (OSError, ValueError):
        return None
    return look


ROUTES = [
    ("GET", "/w/{plan:path}/risk", show),
    ("POST", "/w/{plan:path}/risk/look", look),
]
