"""The regression attack on the release: plain data, and the section of the internal report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.contracts import Context, Findings, Narrowed
from discreet.errors import DiscreetError
from discreet.measures.attack.regression_attack import RegressionAttack
from discreet.microdata import Role
from discreet.models.regression_tree.responses import MOST_CLASSES
from discreet.release.release import Release
from discreet.report.markup import clipped, figure, name, shown, table, text
from discreet.report.plain import number, plain
from discreet.report.tree_picture import COLUMNS, tree_picture

MOST_RECORDS = 100_000
"""More records hardly change the upper part of a tree."""
PLACES = 5
ROWS = 10
LONGEST = 120
"""Of a condition; a label may be the concatenation of a hundred categories."""


def attack_content(release: Release) -> dict[str, Any] | None:
    """Return the attack on the release, and beside it that on the original, as plain data.

    None if the file has nothing confidential to find, or nothing that an intruder knows.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 31] * 20 + [60, 61] * 20, "pay": [1] * 40 + [2] * 40},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> [column["after"] for column in attack_content(release)["columns"]]
    [1.0]
    """
    original, released = release.original, release.data
    targets = [
        n
        for n in released.having(Role.CONFIDENTIAL)
        if len(released.schema[n].categories) <= min(MOST_CLASSES, len(released))
    ]
    if not targets or not released.quasi_identifiers or not len(released):
        return None
    attack = RegressionAttack(responses=tuple(targets), places=PLACES)
    rows = _spread(len(released))
    try:
        before = attack.attack(original.take(_spread(len(original))), Context())
        after = attack.attack(released.take(rows), Context())
    except DiscreetError as error:
        return {"reason": str(error)}
    return {
        "leaf": attack.leaf,
        "leaves": after.detail["leaves"],
        "records": len(rows),
        "of": len(released),
        "note": after.note,
        "columns": [
            {
                "name": n,
                "before": number(before.gains[n]),
                "after": number(after.gains[n]),
                "chance": number(after.chance[n]),
            }
            for n in targets
        ],
        "attributes": [
            {"name": n, "before": number(before.attributes.get(n)), "after": number(share)}
            for n, share in after.attributes.items()
        ],
        "tree": [
            {**node, "narrowed": [_plain(one) for one in node["narrowed"]]}
            for node in after.detail["tree"]
        ],
        "places": [
            {
                "rule": list(place.rule),
                "records": len(place.rows),
                "narrowed": [_plain(one) for one in place.narrowed],
            }
            for place in after.places
        ],
        "rows": _originals(release, rows, after),
    }


def _spread(records: int) -> Any:
    """Return evenly spaced rows, all if they are not too many."""
    return np.linspace(0, records - 1, min(records, MOST_RECORDS)).astype(np.int64)


def _originals(release: Release, rows: Any, found: Findings) -> list[int]:
    """Return the rows of the original, from 1, of the records exposed most."""
    worst = release.origin[rows[found.most_exposed(ROWS)]]
    return sorted(int(row) + 1 for row in worst if row >= 0)


def _plain(narrowed: Narrowed) -> dict[str, Any]:
    return {
        "column": narrowed.column,
        "known": narrowed.known,
        "guess": plain(narrowed.guess),
        "low": number(narrowed.low),
        "high": number(narrowed.high),
        "share": number(narrowed.share),
        "range": number(narrowed.range),
        "spread": number(narrowed.spread),
    }


def regression_attack(content: Mapping[str, Any]) -> str:
    """Return the section; for the owner only, as it tells what the release gives away.

    >>> regression_attack({"attack": None})
    ''
    """
    found = content.get("attack")
    if not found:
        return ""
    if "reason" in found:
        return f'<p class="quiet">Not attacked: {text(found["reason"])}.</p>\n'
    words = (
        f'<p class="lead">A tree with leaves of at least {found["leaf"]:,} records that predicts '
        "the confidential columns of the release from its quasi-identifiers, as an intruder would "
        "grow it. Who knows that a rule applies to a person knows the range on its right.</p>\n"
    )
    rows = [
        (name(c["name"]), *(text(shown(c[key], True)) for key in ("before", "after", "chance")))
        for c in found["columns"]
    ]
    head = ("confidential column", "original", "release", "release, by chance")
    gains = table(
        head, rows, numeric=(1, 2, 3), caption="Share of the error of a blind guess taken off"
    )
    rows = [
        (name(a["name"]), text(shown(a["before"], True)), text(shown(a["after"], True)))
        for a in found["attributes"]
    ]
    key = table(
        ("what the intruder knows", "original", "release"),
        rows,
        numeric=(1, 2),
        caption="Share of the whole error that its cuts take off",
    )
    box = '<div class="scroll" role="region" aria-label="Tree of the attack" tabindex="0">'
    picture = f"{box}{tree_picture(found['tree'])}</div>\n"
    return f"{words}{gains}{picture}{_notes(found)}{_places(found)}{key}"


def _notes(found: Mapping[str, Any]) -> str:
    words = (
        "The bars show where the values of a leaf lie in the range of the whole release, or how "
        "many of its records have the commonest class."
    )
    lines = [words]
    if any(node["below"] for node in found["tree"]):
        lines.append(f"Only the cuts that matter most are drawn, of {found['leaves']:,} leaves.")
    hidden = [column["name"] for column in found["columns"][COLUMNS:]]
    if hidden:
        lines.append(f"Predicted by the same tree, but not drawn: {', '.join(hidden)}.")
    if found["records"] < found["of"]:
        lines.append(f"Grown on {found['records']:,} of the {found['of']:,} records.")
    if found["note"]:
        lines.append(f"{found['note'][:1].upper()}{found['note'][1:]}.")
    return "".join(f'<p class="quiet">{text(line)}</p>\n' for line in lines)


def _places(found: Mapping[str, Any]) -> str:
    rows = [
        (
            text(" and ".join(clipped(condition, LONGEST) for condition in place["rule"])),
            f"{place['records']:,}",
            "<br>".join(text(said(narrowed)) for narrowed in place["narrowed"]),
        )
        for place in found["places"]
    ]
    exposed = ""
    if found["rows"]:
        listed = ", ".join(f"{row:,}" for row in found["rows"])
        exposed = f"<p>Records exposed most, by the row of the original: {text(listed)}.</p>\n"
    caption = "Leaves that give most away"
    return table(("rule", "records", "what it gives away"), rows, numeric=(1,), caption=caption) + (
        exposed
    )


def said(narrowed: Mapping[str, Any]) -> str:
    """Return in words what is known of a confidential column in a leaf.

    >>> said({"column": "ill", "known": 9, "low": None, "guess": "flu", "share": 0.75,
    ...       "spread": 0.5})
    'ill: flu for 75 % of the records'
    """
    column = narrowed["column"]
    if not narrowed["known"]:
        return f"{column}: missing"
    if narrowed["low"] is None:
        return f"{column}: {narrowed['guess']} for {100 * narrowed['share']:.3g} % of the records"
    return (
        f"{column}: {figure(narrowed['low'])} to {figure(narrowed['high'])}, deviation "
        f"{100 * narrowed['spread']:.3g} % of the file's"
    )
