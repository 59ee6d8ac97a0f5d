"""The page of `discreet describe --report`: the columns of a file, and their dependency tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.release.describing import Description
from discreet.report.dependency import dependency, tree_content
from discreet.report.html import WARNING, page
from discreet.report.markup import name, paragraphs, shown, table, text
from discreet.version import version


def description_content(description: Description) -> dict[str, Any]:
    """Return what the page shows as plain data.

    >>> import discreet
    >>> content = description_content(discreet.describe({"age": [31, 47], "income": [9.5, 7.5]}))
    >>> content["records"], [column["role"] for column in content["columns"]]
    (2, ['quasi-identifier', 'confidential'])
    """
    source = description.data.source
    path = source.path if source else None
    tree = description.dependency
    known = description.quasi_identifiers
    return {
        "discreet": version(),
        "file": path.name if path else None,
        "records": len(description.data),
        "notes": list(description.notes),
        "columns": [
            {
                "name": column.name,
                "kind": column.kind.value,
                "role": column.role.value,
                "distinct": column.distinct,
                "missing": column.missing,
                "reason": column.reason,
            }
            for column in description.columns
        ],
        "quasi_identifiers": list(known),
        "unique_share": description.unique_share,
        "dependency": tree_content(tree, len(known) - len(tree.names)) if tree else None,
    }


def render_description(content: Mapping[str, Any]) -> str:
    """Return the page as one HTML file without scripts or assets from elsewhere.

    >>> import discreet
    >>> content = description_content(discreet.describe({"age": [31, 47], "income": [9.5, 7.5]}))
    >>> "do not release" in render_description(content)
    True
    """
    parts = [
        ("columns", "Columns", _columns(content)),
        ("dependency", "Dependency tree of the quasi-identifiers", dependency(content)),
    ]
    lead = f"{content['records']:,} records, {len(content['columns']):,} columns."
    title = f"What {content['file']} holds" if content["file"] else "What the data hold"
    return page(title, lead, parts, content["discreet"], warning=WARNING)


def _columns(content: Mapping[str, Any]) -> str:
    rows = [
        (
            name(column["name"]),
            text(column["kind"]),
            text(column["role"]),
            f"{column['distinct']:,}",
            text(shown(column["missing"], True)),
            text(column["reason"]),
        )
        for column in content["columns"]
    ]
    head = ("column", "kind", "suggested role", "distinct values", "missing", "why")
    facts = list(content["notes"])
    if content["quasi_identifiers"]:
        alone = shown(content["unique_share"], True)
        known = ", ".join(content["quasi_identifiers"])
        facts.append(f"{alone} of the records are alone in their combination of {known}.")
    facts.append("The roles are suggestions: please check each of them.")
    return table(head, rows, numeric=(3, 4), caption="Columns of the file") + paragraphs(facts)
