"""The page of `discreet describe --report`: the columns of a file, and their dependency tree."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.release.describing import Description
from discreet.report.content import Dependency
from discreet.report.html import WARNING, filled, page
from discreet.version import version


@dataclass(frozen=True)
class DescribedColumn:
    """A column, the role that is suggested for it, and why."""

    name: str
    kind: str
    role: str
    distinct: int
    missing: float
    reason: str


@dataclass(frozen=True)
class DescriptionContent:
    """What the page of a description shows."""

    discreet: str
    file: str | None
    records: int
    notes: tuple[str, ...]
    columns: tuple[DescribedColumn, ...]
    quasi_identifiers: tuple[str, ...]
    unique_share: float | None
    dependency: Dependency | None


def description_content(description: Description) -> DescriptionContent:
    """Return what the page shows.

    >>> import discreet
    >>> content = description_content(discreet.describe({"age": [31, 47], "income": [9.5, 7.5]}))
    >>> content.records, [column.role for column in content.columns]
    (2, ['quasi-identifier', 'confidential'])
    """
    source = description.data.source
    known = tuple(description.quasi_identifiers)
    return DescriptionContent(
        discreet=version(),
        file=source.path.name if source and source.path else None,
        records=len(description.data),
        notes=tuple(description.notes),
        columns=tuple(
            DescribedColumn(c.name, c.kind.value, c.role.value, c.distinct, c.missing, c.reason)
            for c in description.columns
        ),
        quasi_identifiers=known,
        unique_share=description.unique_share,
        dependency=Dependency.of(description.dependency, len(known)),
    )


def render_description(content: DescriptionContent) -> str:
    """Return the page as one HTML file without scripts or assets from elsewhere.

    >>> import discreet
    >>> content = description_content(discreet.describe({"age": [31, 47], "income": [9.5, 7.5]}))
    >>> "do not release" in render_description(content)
    True
    """
    parts = [
        ("columns", "Columns", filled("columns.html", content=content)),
        (
            "dependency",
            "Dependency tree of the quasi-identifiers",
            filled("dependency.html", content=content),
        ),
    ]
    lead = f"{content.records:,} records, {len(content.columns):,} columns."
    title = f"What {content.file} holds" if content.file else "What the data hold"
    return page(title, lead, parts, content.discreet, warning=WARNING)
