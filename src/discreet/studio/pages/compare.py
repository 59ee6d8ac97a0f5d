"""Compare: everything tried so far by risk and loss; look for better; take one over."""

from __future__ import annotations

from typing import Any

from discreet.contracts import Component, Side
from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.exploring.running import STRONGEST, USUAL_LIMIT
from discreet.report.ru_map import COLOURS, drawn
from discreet.studio.asking import Ask
from discreet.studio.explored import (
    LOSS,
    chosen,
    find,
    found_by_search,
    mapped,
    measured,
    tried_here,
)
from discreet.studio.pages.protect import show as show_protect
from discreet.studio.replies import Page, Reply

MINUTES = (1, 5, 15, 60)


def show(ask: Ask) -> Reply:
    """Show the map."""
    work = ask.work
    here = tried_here(work)
    searched, search = found_by_search(work)
    tried = [*here, *searched]
    risks, losses = measured(tried, Side.RISK), measured(tried, Side.UTILITY)
    across = chosen(risks, ask.query.get("across", ""), STRONGEST)
    up = chosen(losses, ask.query.get("up", ""), LOSS)
    key = ask.query.get("point", "")
    picture = ""
    methods: tuple[str, ...] = ()
    if across is not None and up is not None:
        content, axes = mapped(tried, search, across, up)
        keys = {id(point): each.key for point, each in zip(content.points, tried, strict=True)}
        names = {"across": across.name, "up": up.name}
        picture = drawn(
            content, axes, address=lambda p: ask.url("compare", point=keys[id(p)], **names)
        )
        methods = content.methods
    shown = [t for t in searched if t.scores]
    values: dict[str, Any] = {
        "tried": here,
        "searched": sorted(shown, key=lambda t: (not t.recommended, not t.keeps))[:40],
        "search": search,
        "risks": risks,
        "losses": losses,
        "across": across,
        "up": up,
        "picture": picture,
        "methods": list(zip(methods, COLOURS * (1 + len(methods) // len(COLOURS)), strict=False)),
        "point": find(tried, key) if key else None,
        "minutes": MINUTES,
        "limits": _limitable(),
        "usual": (STRONGEST, USUAL_LIMIT),
        "goals": _goals(),
        "job": ask.studio.jobs.latest(ask.place, "explore"),
    }
    return Page("screens/compare.html", {"screen": "compare", **values})


def explore(ask: Ask) -> Reply:
    """Look for the release that loses least, in a process of its own."""
    try:
        limit = float(ask.text("limit"))
    except ValueError:
        raise UsageError("the limit must be a number, such as 0.05 for 5 %") from None
    ask.studio.jobs.start(
        "explore",
        ask.place,
        plan=str(ask.work.path),
        risk={ask.text("risk"): limit},
        utility=[ask.text("goal")],
        methods=None,
        budget=f"{ask.number('minutes')}m",
    )
    return show(ask)


def take(ask: Ask) -> Reply:
    """Take what was tried as the plan."""
    work = ask.work
    searched, search = found_by_search(work)
    each = find([*tried_here(work), *searched], ask.text("point"))
    if each.outcome is not None:
        with work.lock:
            work.replace_text(each.outcome.text)
        return show_protect(ask)
    claims = dict(search.limits) if search else {}
    work.change(
        lambda draft: draft.take(each.steps, claims, f"taken from the search: {each.title}")
    )
    return show_protect(ask)


def _limitable() -> list[type[Component]]:
    risks = [e for e in entries("measure") if getattr(e.spec, "side", None) is Side.RISK]
    return sorted(risks, key=lambda e: (e.spec.name != STRONGEST, e.spec.title))


def _goals() -> list[type[Component]]:
    useful = [e for e in entries("measure") if getattr(e.spec, "side", None) is Side.UTILITY]
    return sorted(useful, key=lambda e: (e.spec.name != LOSS, e.spec.title))


ROUTES = [
    ("GET", "/w/{plan:path}/compare", show),
    ("POST", "/w/{plan:path}/compare/explore", explore),
    ("POST", "/w/{plan:path}/compare/take", take),
]
