"""Compare: everything tried so far by risk and loss; search for better; adopt one."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from discreet.contracts import Component, Side
from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.exploring.candidates import from_registry
from discreet.exploring.running import STRONGEST, USUAL_LIMIT
from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import NodeSeen
from discreet.report.lattice_picture import in_words, lattice_picture
from discreet.report.ru_map import COLOURS, drawn
from discreet.studio.draft import Draft
from discreet.studio.explored import (
    LOSS,
    chosen,
    find,
    mapped,
    measured,
    searched_settings,
    so_far,
    tried_here,
)
from discreet.studio.jobs import RUNNING
from discreet.studio.lattices import kept_lattice, recoding_step
from discreet.studio.replies import Fragment, Page, Redirect, Reply
from discreet.studio.request import Ask

MINUTES = (1, 5, 15, 60)


def show(ask: Ask) -> Reply:
    """Show the map."""
    return Page("screens/compare.html", {"screen": "compare", **_values(ask)})


def _values(ask: Ask) -> dict[str, Any]:
    work = ask.work
    tried_releases = tried_here(work)
    unfinished = so_far(work)
    searched, search = (unfinished, None) if unfinished else searched_settings(work)
    tried = [*tried_releases, *searched]
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
    job = ask.studio.jobs.latest(ask.place, "explore")
    values: dict[str, Any] = {
        "tried": tried_releases,
        "searched": sorted(shown, key=lambda t: (not t.recommended, not t.keeps))[:40],
        "search": search,
        "unfinished": len(unfinished),
        "failed": [t for t in searched if not t.scores and t.reason],
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
        "methods_to_try": _triable(),
        **_lattice(ask),
        "files": work.tries.with_files(),
        "job": job,
        "looking": job is not None and job.state == RUNNING,
    }
    return values


def live(ask: Ask) -> Reply:
    """Show the map again, while a search adds to it."""
    return Fragment("parts/map.html", _values(ask))


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
        methods=list(ask.form.get("method", ())) or None,
        budget=f"{ask.number('minutes')}m",
    )
    return show(ask)


def take(ask: Ask) -> Reply:
    """Take what was tried as the plan."""
    work = ask.work
    searched, search = searched_settings(work)
    each = find([*tried_here(work), *searched, *so_far(work)], ask.text("point"))
    if each.outcome is not None:
        with work.lock:
            work.replace_text(each.outcome.text)
        return Redirect(ask.url("protect"))
    claims = dict(search.limits) if search else {}
    work.change(
        lambda draft: draft.take(each.steps, claims, f"taken from the search: {each.title}")
    )
    return Redirect(ask.url("protect"))


def look_at_levels(ask: Ask) -> Reply:
    """Look at the levels that the recoding of the plan chooses, in a process of its own."""
    ask.studio.jobs.start("lattice", ask.place, plan=str(ask.work.path))
    return show(ask)


def take_levels(ask: Ask) -> Reply:
    """Fix the levels of the recoding at a node of the lattice."""
    work = ask.work
    kept = kept_lattice(work.folder)
    lattice = None if kept is None else kept[1]
    number = recoding_step(work.draft)
    wanted = ask.text("levels")
    nodes = {} if lattice is None else {_levels(node): node.levels for node in lattice.nodes}
    if lattice is None or number is None or wanted not in nodes:
        raise UsageError("these levels were not explored; load the page again")
    levels = dict(zip(lattice.columns, nodes[wanted], strict=True))

    def edit(draft: Draft) -> str:
        return draft.set_values(number, {**draft.steps[number].values, "levels": levels})

    work.change(edit)
    return Redirect(ask.url("protect"))


def _lattice(ask: Ask) -> dict[str, Any]:
    """Return the lattice of the plan's recoding, as far as it was explored."""
    work = ask.work
    step = recoding_step(work.draft)
    kept = kept_lattice(work.folder) if step is not None else None
    values: dict[str, Any] = {"recoding": step is not None, "lattice": None}
    if kept is None:
        return values
    text, lattice = kept
    wanted = ask.query.get("levels", "")
    node = next((n for n in lattice.nodes if _levels(n) == wanted), lattice.nodes[0])
    values["lattice"] = lattice
    values["lattice_outdated"] = text != work.text
    values["lattice_picture"] = Markup(
        lattice_picture(lattice, lambda n: ask.url("compare", levels=_levels(n)) + "#lattice")
    )
    values["node_levels"] = _levels(node)
    values["node_words"] = in_words(lattice, node)
    return values


def _levels(node: NodeSeen) -> str:
    return "-".join(map(str, node.levels))


def forget(ask: Ask) -> Reply:
    """Remove the files of the releases that were tried, except that of the current plan."""
    work = ask.work
    kept = work.tries.of_plan(work.text)
    for number in work.tries.with_files():
        if kept is None or number != kept.number:
            work.tries.drop_files(number)
    return show(ask)


def _triable() -> list[type[Component]]:
    """Return the methods that a search can try."""
    names = {next(iter(step)) for candidate in from_registry() for step in candidate.steps}
    return [entry for entry in entries("method") if entry.spec.name in names]


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
    ("POST", "/w/{plan:path}/compare/forget", forget),
    ("POST", "/w/{plan:path}/compare/lattice", look_at_levels),
    ("POST", "/w/{plan:path}/compare/levels", take_levels),
    ("GET", "/w/{plan:path}/compare/map", live),
]
