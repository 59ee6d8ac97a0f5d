"""Hierarchy: what a column's values are called less precisely, made by proposal, cut or hand."""

from __future__ import annotations

from typing import Any

from discreet.errors import DiscreetError, UsageError
from discreet.io.whole_file import write_whole
from discreet.methods.nonperturbative.full_domain.proposed import as_csv, checked, proposed
from discreet.microdata import Microdata, Role
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import Hierarchy
from discreet.report.distributions import Summary, compared
from discreet.studio.hierarchies import (
    attach,
    current,
    cuts_of,
    from_cuts,
    grouped,
    levels,
    takers,
)
from discreet.studio.pages.columns import exposures_of
from discreet.studio.replies import Page, Reply, Saved
from discreet.studio.request import Ask

TREES = ("countries", "isced", "isco", "nace", "nuts")
MOST_CATEGORIES = 300
CUTS = 4
MOST_CUTS = 30
"""Cuts that are shown as lines; a level of more intervals is edited as text."""


def show(ask: Ask) -> Reply:
    """Show the hierarchy of a column, level beside level."""
    work, column = ask.work, _column(ask)
    table, plan = work.table(), work.plan
    file, problem = work.hierarchy_file(column), ""
    try:
        proposal = current(table.data, column, file)
    except DiscreetError as error:  # the data have other values than when it was made
        proposal, file, problem = proposed(table.data, column), None, str(error)
    known = [n for n, r in plan.roles.items() if r == Role.QUASI_IDENTIFIER]
    number = table.data.schema[column].continuous and not unit_of(table.data, column)
    categories = proposal.hierarchy.categories
    values: dict[str, Any] = {
        "column": column,
        "here": ask.url("hierarchy", column=column),
        "problem": problem,
        "proposal": proposal,
        "kept": file.name if file else "",
        "levels": levels(table.data, exposures_of(ask), column, known, proposal),
        "number": number,
        "cutting": _cutting(table.data, column, proposal.hierarchy, bool(file)) if number else None,
        "trees": TREES,
        "categories": [(c, proposal.counts.get(c, 0)) for c in categories[:MOST_CATEGORIES]],
        "text": as_csv(proposal.hierarchy).decode(),
        "takers": [s.name for s in work.draft.steps if takers().get(s.name)],
    }
    return Page("screens/hierarchy.html", {"screen": "columns", **values})


def propose(ask: Ask) -> Reply:
    """Take the hierarchy that is proposed for a width, a number of groups or a known tree."""
    column = _column(ask)
    width, groups, tree = (ask.text(name).strip() for name in ("width", "groups", "tree"))
    try:
        made = proposed(
            ask.work.table().data,
            column,
            width=float(width) if width else None,
            groups=int(groups) if groups else None,
            tree=tree or None,
        )
    except ValueError:
        raise UsageError("the width and the number of groups must be numbers") from None
    return _keep(ask, column, made.hierarchy)


def cut(ask: Ask) -> Reply:
    """Cut a column of numbers into intervals."""
    column = _column(ask)
    try:
        cuts = [float(text) for text in ask.form.get("cut", ()) if text.strip()]
    except ValueError:
        raise UsageError("the cuts must be numbers") from None
    return _keep(ask, column, from_cuts(ask.work.table().data, column, cuts))


def group(ask: Ask) -> Reply:
    """Put some values into one group."""
    column = _column(ask)
    work = ask.work
    now = current(work.table().data, column, work.hierarchy_file(column))
    chosen = ask.form.get("value", ())
    return _keep(ask, column, grouped(now.hierarchy, chosen, ask.text("name")))


def save_text(ask: Ask) -> Reply:
    """Take a hierarchy as text, as it is in its file."""
    column = _column(ask)
    work = ask.work
    trial = work.folder / f".hierarchy-{work.column_number(column)}.trial"
    write_whole(trial, ask.text("text").replace("\r\n", "\n").encode())
    try:
        made = checked(work.table().data, column, trial)
    finally:
        trial.unlink(missing_ok=True)
    return _keep(ask, column, made.hierarchy)


def export(ask: Ask) -> Reply:
    """Save the hierarchy as a file."""
    work, column = ask.work, _column(ask)
    file = work.hierarchy_file(column)
    content = as_csv(current(work.table().data, column, file).hierarchy)
    return Saved(content, file.name if file else f"hierarchy-{work.column_number(column)}.csv")


def _keep(ask: Ask, column: str, hierarchy: Hierarchy) -> Reply:
    """Keep a hierarchy in the folder, and name it in the steps that take one."""
    file = ask.work.keep_hierarchy(column, as_csv(hierarchy))
    ask.work.change(lambda draft: attach(draft, column, file, takers()))
    return show(ask)


def _column(ask: Ask) -> str:
    column = ask.text("column") or ask.query.get("column", "")
    _ = ask.work.table().data.schema[column]
    return column


def _cutting(data: Microdata, name: str, hierarchy: Hierarchy, kept: bool) -> dict[str, Any] | None:
    """Return the histogram under the cuts, and where they are: as kept, else evenly spread."""
    column = data.column(name)
    shape = compared(Summary.of(column), Summary.of(column))
    if shape.form != "histogram":
        return None
    low, high = shape.edges[0], shape.edges[-1]
    step = shape.edges[1] - shape.edges[0]
    starts = cuts_of(data, name, hierarchy) if kept else []
    if not 0 < len(starts) <= MOST_CUTS:
        starts = [shape.edges[round(i * (len(shape.edges) - 1) / CUTS)] for i in range(1, CUTS)]
    shares = [(start - low) / (high - low) for start in starts]
    return {
        "edges": shape.edges,
        "shares": shape.original.shares,
        "low": low,
        "high": high,
        "step": min(step, 1) if step >= 1 else step / 10,
        "starts": list(zip(starts, shares, strict=True)),
    }


ROUTES = [
    ("GET", "/w/{plan:path}/hierarchy", show),
    ("POST", "/w/{plan:path}/hierarchy/propose", propose),
    ("POST", "/w/{plan:path}/hierarchy/cut", cut),
    ("POST", "/w/{plan:path}/hierarchy/group", group),
    ("POST", "/w/{plan:path}/hierarchy/text", save_text),
    ("GET", "/w/{plan:path}/hierarchy/file", export),
]
