"""Columns: what each is, with the reason, changed in place; beside it what that does to people."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError, UsageError
from discreet.io.database import is_address
from discreet.io.formats import kind_of_path
from discreet.microdata import Attribute, Kind, Level, Role
from discreet.microdata.dates import unit_of
from discreet.microdata.levels import DIFFERENT, RECORD, unit_named
from discreet.release.exposure import Exposures
from discreet.release.plan import Plan
from discreet.release.plan_file import parse_plan_text
from discreet.report.plain import plain
from discreet.studio.draft import Draft
from discreet.studio.hierarchies import current, levels
from discreet.studio.plan_data import named, read_table
from discreet.studio.replies import Fragment, Page, Reply
from discreet.studio.request import Ask

LONG_PATIENCE = 60.0
"""Seconds that a change waits for the file to be read again."""
READ_BY_PATH = ("layout",)
"""Options that name another file, which the plan's text states."""
COUNTED = (None, "household", RECORD)
"""The units that the page offers for a file of households; the first is the usual one."""
STATED = {"role": Role, "kind": Kind, "level": Level}


def show(ask: Ask) -> Reply:
    """Show all columns."""
    work = ask.work
    table, draft, plan = work.table(), work.draft, work.plan
    rows = []
    for name in table.data.schema.names:
        stated = draft.column(name)
        suggestion = table.suggestions[name]
        rows.append(
            {
                "name": name,
                "glance": table.glance(name),
                "role": _role(plan, name),
                "kind": table.data.schema[name].kind.value,
                "level": stated.get("level", ""),
                "suggestion": suggestion,
                "missing": (draft.content.get("missing") or {}).get(name),
                "codes": [f"{code:g}" for code in suggestion.missing_codes],
                "order": _order(table.data.schema[name]),
                "dates": unit_of(table.data, name) is not None,
            }
        )
    values = {
        "rows": rows,
        "roles": list(Role),
        "kinds": list(Kind),
        "levels": list(Level),
        "households": bool(table.data.schema.names) and "household" in plan.roles.values(),
        "unit": None if plan.unit == DIFFERENT else plan.unit,
        "units": COUNTED,
        "notes": table.description.notes,
        "unsure": table.description.unsure,
        "reading": _reading(ask),
        **_live(ask),
    }
    return Page("screens/columns.html", {"screen": "columns", **values})


def set_column(ask: Ask) -> Reply:
    """State one thing about one column, and show what that does."""
    key, column, value = ask.text("key"), ask.text("column"), ask.text("value")
    if key not in STATED:
        raise UsageError("a column has a role, a kind and a level; load the page again")
    known = ask.work.table().data.schema
    kind = known[column].kind.value
    chosen = STATED[key].parse(value, column=column).value if value else None
    ask.work.change(lambda draft: draft.set_column(column, key, chosen, kind))
    if key == "kind":
        # Another kind is another reading of the file, and another row of the page.
        ask.work.table(LONG_PATIENCE)
        return show(ask)
    return Fragment("parts/live.html", {**_live(ask), "around": True})


def set_many(ask: Ask) -> Reply:
    """Give several columns one role."""
    names = ask.form.get("chosen", ())
    role = Role.parse(ask.text("role"), column="chosen").value
    if not names:
        raise UsageError("no column is chosen; tick some of them first")

    known = ask.work.table().data.schema

    def edit(draft: Draft) -> str:
        for name in names:
            draft.set_column(name, "role", role, known[name].kind.value)
        return f"role of {', '.join(names)}: {role}"

    ask.work.change(edit)
    return show(ask)


def set_missing(ask: Ask) -> Reply:
    """State the codes for missing values of a column."""
    column, text = ask.text("column"), ask.text("codes")
    _ = ask.work.table().data.schema[column]
    listed: Any = parse_plan_text(f"[{text}]", "the codes").content
    ask.work.change(lambda draft: draft.set_missing(column, listed))
    return show(ask)


def set_order(ask: Ask) -> Reply:
    """State the order of the categories of an ordinal column, one on each line."""
    column = ask.text("column")
    known = ask.work.table().data.schema[column].categories
    as_text = {str(category): category for category in known}
    lines = [line.strip() for line in ask.text("order").splitlines() if line.strip()]
    if sorted(lines) != sorted(as_text):
        raise UsageError(
            f"the order of '{column}' needs each of its {len(known)} categories once, on a line of "
            "its own; load the page again to see them"
        )
    ordered = [plain(as_text[line]) for line in lines]
    ask.work.change(lambda draft: draft.set_column(column, "categories", ordered))
    ask.work.table(LONG_PATIENCE)
    return show(ask)


def set_reading(ask: Ask) -> Reply:
    """State how the file is read, such as which comes first in a date; it must be readable that
    way.
    """
    work = ask.work
    names = {field["name"] for field in _reading(ask)}
    given = {name: ask.text(name).strip() for name in names}
    options = {name: "\t" if value == "tab" else value for name, value in given.items() if value}
    trial = work.draft
    trial.set_source(names, options)
    read_table(Plan.draft(trial.text(), work.folder))
    work.change(lambda draft: draft.set_source(names, options))
    work.table(LONG_PATIENCE)
    return show(ask)


def set_unit(ask: Ask) -> Reply:
    """Say what k counts: different households, whole ones that are alike, or records."""
    unit = ask.text("unit") or None
    if unit not in COUNTED:
        raise UsageError("k counts households or records; load the page again to choose one")
    ask.work.change(lambda draft: draft.set_top("unit", unit))
    return show(ask)


def telling(ask: Ask) -> Reply:
    """Show which columns give people away."""
    names = ask.work.plan.roles
    known = [name for name, role in names.items() if role == Role.QUASI_IDENTIFIER]
    exposures = exposures_of(ask)
    what_if = exposures.without_each(known)
    alone = {name: exposures.by([name]).unique for name in known}
    coarser = _coarser(ask, known) if "coarser" in ask.query else {}
    values = {"what_if": what_if, "alone": alone, "coarser": coarser}
    return Fragment("parts/telling.html", values)


def _coarser(ask: Ask, known: list[str]) -> dict[str, Any]:
    """Return for each column how many records would be unique one level coarser, and what that
    level is.
    """
    work = ask.work
    table = work.table()
    exposures = exposures_of(ask)
    now = exposures.by(known).unique
    gains: dict[str, Any] = {}
    for name in known:
        with suppress(DiscreetError):
            proposal = current(table.data, name, work.hierarchy_file(name))
            level = levels(table.data, exposures, name, known, proposal, only=1)
            if level:
                examples = [label for label, _ in level[0].labels[:2]]
                gains[name] = {"spared": now - level[0].exposure.unique, "examples": examples}
    return gains


def exposures_of(ask: Ask) -> Exposures:
    """Return who is exposed in the file, counted as the plan counts: by household, person or
    record.
    """
    plan = ask.work.plan
    return ask.work.table().exposures.counting(unit_named(plan.roles, plan.unit))


def _role(plan: Plan, name: str) -> str:
    """Return the role of a column, nothing for one that the plan leaves out."""
    return plan.roles.get(name, Role.OTHER.value) if named(plan, name) else ""


def _order(attribute: Attribute) -> list[str] | None:
    """Return the categories of an ordinal column in their order."""
    return list(map(str, attribute.categories)) if attribute.kind is Kind.ORDINAL else None


def _reading(ask: Ask) -> list[dict[str, Any]]:
    """Return the options of the file's format: what is stated, and what was found."""
    work = ask.work
    plan = work.plan
    if plan.file is None or is_address(plan.file):
        return []
    kind, _ = kind_of_path(Path(plan.file))
    source = work.table().data.source
    details = getattr(source and source.format, "details", None)
    fields = []
    for name in kind.options:
        detected = getattr(details, name, None)
        if name in READ_BY_PATH or isinstance(detected, bool):
            continue
        stated = str(plan.options.get(name, ""))
        words = {"\t": "tab", None: ""}
        fields.append(
            {
                "name": name,
                "stated": words.get(stated, stated),
                "found": words.get(detected, detected),
            }
        )
    return fields


def _live(ask: Ask) -> dict[str, Any]:
    work = ask.work
    plan, table = work.plan, work.table()
    schema = table.data.schema
    known = [n for n, role in plan.roles.items() if role == Role.QUASI_IDENTIFIER and n in schema]
    counts = {role.value: 0 for role in Role}
    for name in schema.names:
        if role := _role(plan, name):
            counts[role] += 1
    return {
        "exposure": exposures_of(ask).by(known),
        "role_counts": counts,
        "records": len(table.data),
        "weights": Role.WEIGHT in plan.roles.values(),
    }


ROUTES = [
    ("GET", "/w/{plan:path}/columns", show),
    ("POST", "/w/{plan:path}/columns/set", set_column),
    ("POST", "/w/{plan:path}/columns/many", set_many),
    ("POST", "/w/{plan:path}/columns/missing", set_missing),
    ("POST", "/w/{plan:path}/columns/order", set_order),
    ("POST", "/w/{plan:path}/columns/reading", set_reading),
    ("POST", "/w/{plan:path}/columns/unit", set_unit),
    ("GET", "/w/{plan:path}/columns/telling", telling),
]
