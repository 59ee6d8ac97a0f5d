"""A hierarchy that is proposed for a column, for a person to correct."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.automatic import drafted, intervals, spread
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import encoded, value_texts
from discreet.methods.nonperturbative.full_domain.known_trees import known_rows, known_tree_for
from discreet.microdata import Microdata, Numbers
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import Hierarchy, Node, text_of
from discreet.microdata.intervals import (
    labels_between,
    next_round_width,
    places_between,
    round_first_width,
)

__all__ = ["Proposal", "as_csv", "checked", "proposed", "rows_of", "tree_lines"]

MOST_CHILDREN = 8
"""More nodes than this below one node are counted, not shown."""

MOST_VALUES = 40
"""Single values are shown of columns that have no more than this."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """A hierarchy with what it is made of, and how many records each of its values has."""

    hierarchy: Hierarchy
    reason: str
    counts: dict[str, int]


def as_csv(hierarchy: Hierarchy) -> bytes:
    """Return a hierarchy as the file that `Hierarchy.from_file` reads, with a header that helps
    editing.

    >>> print(as_csv(Hierarchy([("Ayle", "coast"), ("Cull", "hills")])).decode())
    level_0;level_1;level_2
    Ayle;coast;*
    Cull;hills;*
    <BLANKLINE>
    """
    text = io.StringIO()
    levels = range(hierarchy.height + 1)
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow([f"level_{n}" for n in levels])
    writer.writerows(rows_of(hierarchy))
    return text.getvalue().encode("utf-8")


def rows_of(hierarchy: Hierarchy) -> list[tuple[str | None, ...]]:
    """Return each value with its labels from fine to coarse.

    >>> rows_of(Hierarchy([("Ayle", "coast"), ("Cull", "hills")]))
    [('Ayle', 'coast', '*'), ('Cull', 'hills', '*')]
    """
    levels = range(hierarchy.height + 1)
    columns = [hierarchy.level(hierarchy.categories, n) for n in levels]
    return list(zip(*columns, strict=True))


def checked(data: Microdata, name: str, path: Path) -> Proposal:
    """Return the hierarchy in a file, if it is one and holds every value of the column."""
    hierarchy = Hierarchy.from_file(path)
    texts, counts = _counted(data, name)
    hierarchy.positions(texts)
    unused = len(set(hierarchy.categories) - set(texts))
    rest = f"; {unused:,} of its categories do not occur" if unused else ""
    return Proposal(hierarchy, f"the hierarchy covers all {len(texts):,} values{rest}", counts)


def _counted(data: Microdata, name: str) -> tuple[list[str], dict[str, int]]:
    """Return the values of a column as texts, and how many records have each."""
    column = data.column(name)
    distinct, numbers = encoded(column)
    texts = value_texts(column, distinct, unit_of(data, name))
    sizes = np.bincount(numbers, minlength=len(texts))[: len(texts)]
    return texts, dict(zip(texts, sizes.tolist(), strict=True))


def proposed(
    data: Microdata,
    name: str,
    *,
    width: float | None = None,
    groups: int | None = None,
    tree: str | None = None,
) -> Proposal:
    """Propose a hierarchy for a column.

    Dates get months, quarters, years and decades; numbers intervals of round widths, from `width`
    on, or `groups` intervals with about as many records each; codes lose characters from the right;
    what a known tree lists (`tree`, or one that the column's name hints at) gets its labels.

    >>> import discreet
    >>> data = discreet.read({"age": [18, 21, 24, 39], "country": ["DE", "FR", "NZ", "NZ"]})
    >>> proposed(data, "age", width=10).hierarchy.labels[1]
    ('10–19', '20–29', '30–39')
    >>> proposed(data, "country").hierarchy.level(["NZ"], 2)
    ['Oceania']
    """
    column, unit = data.column(name), unit_of(data, name)
    distinct, numbers = encoded(column)
    texts, counts = _counted(data, name)
    if not texts:
        raise UsageError(f"a hierarchy needs values, but column '{name}' has none")
    if (width is not None or groups is not None) and (unit or not column.attribute.continuous):
        raise UsageError(
            f"widths and groups are for numbers, but column '{name}' holds none; leave them out"
        )
    tree = tree or (None if unit else known_tree_for(name, texts))
    if tree is not None:
        rows: list[tuple[str, ...]] = known_rows(tree, name, texts)
        return Proposal(Hierarchy(rows), f"the known tree '{tree}'", counts)
    if groups is not None:
        rows = _equal_counts(distinct, counts, groups)
        return Proposal(Hierarchy(rows), f"{groups} intervals with about equal counts", counts)
    if unit is not None:
        rows = [(text, *_spans(text)) for text in texts]
        return Proposal(Hierarchy(rows), "months, quarters, years and decades", counts)
    if column.attribute.continuous:
        # A search among levels wants many of them; a person wants few, with round edges.
        levels, labels = intervals(
            name, distinct, width, lambda v: round_first_width(*spread(v)), next_round_width
        )
        reason = "intervals of round widths"
    else:
        levels, labels = drafted(column, distinct, numbers)
        reason = "its values alone"
    rows = [
        (text, *(labels[n][level[i]] for n, level in enumerate(levels)))
        for i, text in enumerate(texts)
    ]
    return Proposal(Hierarchy(rows), reason, counts)


def _equal_counts(distinct: Numbers, counts: dict[str, int], groups: int) -> list[tuple[str, ...]]:
    sizes = np.array(list(counts.values()))
    shares = np.cumsum(sizes) / sizes.sum()
    starts = np.searchsorted(shares, np.arange(1, groups) / groups) + 1
    cuts = [Decimal(text_of(float(distinct[i]))) for i in np.unique(starts) if i < len(distinct)]
    if not cuts:
        raise UsageError("the column has too few values to be put into groups; ask for fewer")
    whole = bool((distinct == np.floor(distinct)).all())
    labels = labels_between(cuts, whole)
    return [(t, labels[p]) for t, p in zip(counts, places_between(distinct, cuts), strict=True)]


def _spans(text: str) -> tuple[str, str, str, str]:
    """Return the month, quarter, year and decade of a date in ISO format."""
    year, month = text[:4], int(text[5:7])
    return text[:7], f"{year}-Q{(month + 2) // 3}", year, f"{year[:3]}0–{year[:3]}9"


def tree_lines(hierarchy: Hierarchy, counts: dict[str, int]) -> list[str]:
    """Return a hierarchy as an indented tree, with how many records each node has.

    >>> towns = Hierarchy([("Ayle", "coast"), ("Bron", "coast"), ("Cull", "hills")])
    >>> print(*tree_lines(towns, {"Ayle": 5, "Cull": 1}), sep=chr(10))
    *  6
      coast  5
        Ayle  5
        Bron  0
      hills  1
        Cull  1
    """
    sizes = [
        np.bincount(
            hierarchy.codes[n],
            weights=[counts.get(category, 0) for category in hierarchy.categories],
            minlength=len(hierarchy.labels[n]),
        )
        for n in range(hierarchy.height + 1)
    ]
    lowest = 0 if len(hierarchy.categories) <= MOST_VALUES else 1
    lines: list[str] = []

    def draw(node: Node) -> None:
        indent = "  " * (hierarchy.height - node.level)
        place = hierarchy.labels[node.level].index(node.label)
        lines.append(f"{indent}{node.label}  {int(sizes[node.level][place]):,}")
        if node.level == lowest:
            return
        children = hierarchy.children(node)
        for child in children[:MOST_CHILDREN]:
            draw(child)
        if len(children) > MOST_CHILDREN:
            lines.append(f"{indent}  … and {len(children) - MOST_CHILDREN:,} more")

    draw(hierarchy.root)
    return lines
