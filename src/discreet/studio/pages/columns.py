"""Columns: what each is, with the reason, changed in place; beside it what that does to people."""

from __future__ import annotations

from typing import Any

from discreet.errors import UsageError
from discreet.microdata import Kind, Level, Role
from discreet.release.plan_file import parse_plan_text
from discreet.studio.asking import Ask
from discreet.studio.draft import Draft
from discreet.studio.replies import Fragment, Page, Reply

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
                "seen": table.seen(name),
                "role": plan.roles.get(name, Role.OTHER.value),
                "kind": table.data.schema[name].kind.value,
                "level": stated.get("level", ""),
                "suggestion": suggestion,
                "missing": (draft.content.get("missing") or {}).get(name),
                "codes": [f"{code:g}" for code in suggestion.missing_codes],
                "categories": stated.get("categories"),
            }
        )
    values = {
        "rows": rows,
        "roles": list(Role),
        "kinds": list(Kind),
        "levels": list(Level),
        "households": bool(table.data.schema.names) and "household" in plan.roles.values(),
        "unit": plan.unit,
        "notes": table.description.notes,
        "unsure": table.description.unsure,
        **_live(ask),
    }
    return Page("screens/columns.html", {"screen": "columns", **values})


def set_one(ask: Ask) -> Reply:
    """State one thing about one column, and show what that does."""
    key, column, value = ask.text("key"), ask.text("column"), ask.text("value")
    if key not in STATED:
        raise UsageError("a column has a role, a kind and a level; load the page again")
    known = ask.work.table().data.schema
    kind = known[column].kind.value
    chosen = STATED[key].parse(value, column=column).value if value else None
    ask.work.change(lambda draft: draft.set_column(column, key, chosen, kind))
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


def set_unit(ask: Ask) -> Reply:
    """Say whether persons or whole households are protected together."""
    unit = "household" if ask.text("unit") else None
    ask.work.change(lambda draft: draft.set_top("unit", unit))
    return show(ask)


def telling(ask: Ask) -> Reply:
    """Show which columns give people away."""
    names = ask.work.plan.roles
    known = [name for name, role in names.items() if role == Role.QUASI_IDENTIFIER]
    what_if = ask.work.table().exposures.without_each(known)
    return Fragment("parts/telling.html", {"what_if": what_if})


def _live(ask: Ask) -> dict[str, Any]:
    work = ask.work
    plan, table = work.plan, work.table()
    there = table.data.schema
    known = [n for n, role in plan.roles.items() if role == Role.QUASI_IDENTIFIER and n in there]
    counts = {role.value: 0 for role in Role}
    for name in there.names:
        counts[plan.roles.get(name, Role.OTHER.value)] += 1
    return {
        "exposure": table.exposures.by(known),
        "role_counts": counts,
        "records": len(table.data),
        "weights": Role.WEIGHT in plan.roles.values(),
    }


ROUTES = [
    ("GET", "/w/{plan:path}/columns", show),
    ("POST", "/w/{plan:path}/columns/set", set_one),
    ("POST", "/w/{plan:path}/columns/many", set_many),
    ("POST", "/w/{plan:path}/columns/missing", set_missing),
    ("POST", "/w/{plan:path}/columns/unit", set_unit),
    ("GET", "/w/{plan:path}/columns/telling", telling),
]
