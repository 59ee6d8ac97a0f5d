"""The page of `discreet describe --report`: the columns of a file, and their dependency tree."""

from __future__ import annotations

from discreet.release.describing import Description
from discreet.report.content import Dependency
from discreet.report.html import WARNING, filled, page
from discreet.version import version


def render_description(description: Description) -> str:
    """Return the page as one HTML file without scripts or assets from elsewhere.

    >>> import discreet
    >>> description = discreet.describe({"age": [31, 47], "income": [9.5, 7.5]})
    >>> "do not release" in render_description(description)
    True
    """
    tree = Dependency.of(description.dependency, len(description.quasi_identifiers))
    heading = "Dependency tree of the quasi-identifiers"
    parts = [
        ("columns", "Columns", filled("columns.html", content=description)),
        ("dependency", heading, filled("dependency.html", tree=tree)),
    ]
    source = description.data.source
    title = f"What {source.path.name} holds" if source and source.path else "What the data hold"
    lead = f"{len(description.data):,} records, {len(description.columns):,} columns."
    return page(title, lead, parts, version(), warning=WARNING)
