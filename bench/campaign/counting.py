"""Claims counted again, in plain Python, on the cells of a table as its reader sees them.

Nothing here is taken from the package: computing a figure in two ways finds more than computing it
twice in one. The definitions are those of the papers named in `discreet methods`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

MISSING = None


@dataclass(frozen=True)
class SeenColumn:
    """A column as seen by somebody who only has the release.

    `cells` distinguish whatever can be distinguished: −0 from 0, one NaN from another. `values` are
    what the cells mean, None where there is no value; `order` lists those of an ordinal column.
    """

    role: str
    kind: str
    cells: Sequence[Hashable]
    values: Sequence[Hashable]
    order: Sequence[str] = ()


Seen = Mapping[str, SeenColumn]


def classes(table: Seen) -> list[list[int]]:
    """Return the rows that look alike in all quasi-identifiers, class by class."""
    known = [column.cells for column in table.values() if column.role == "quasi-identifier"]
    if not known:
        return []
    rows: dict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(*known, strict=True)):
        rows[key].append(row)
    return list(rows.values())


def owners(table: Seen) -> list[Hashable]:
    """Return the owner of each record, as claims count: a household, or else the record itself.

    A record without a household number counts by itself.
    """
    rows = max((len(column.cells) for column in table.values()), default=0)
    for column in table.values():
        if column.role == "household":
            values = column.values
            return [("row", row) if v is MISSING else ("home", v) for row, v in enumerate(values)]
    return [("row", row) for row in range(rows)]


def _sizes(table: Seen) -> list[tuple[int, int]]:
    """Return the number of different owners in each class, and of its records."""
    whose = owners(table)
    return [(len({whose[row] for row in rows}), len(rows)) for rows in classes(table)]


def k_anonymity(table: Seen) -> float | None:
    """Return the size of the smallest class (Samarati & Sweeney 1998)."""
    return min((size for size, _ in _sizes(table)), default=None)


def sample_uniqueness(table: Seen) -> float | None:
    """Return the share of records that are alone in their class, or only with their household."""
    sizes = _sizes(table)
    alone = sum(records for size, records in sizes if size == 1)
    return alone / sum(records for _, records in sizes) if sizes else None


def average_group_size(table: Seen) -> float | None:
    """Return the number of owners over the number of classes."""
    sizes = _sizes(table)
    return sum(size for size, _ in sizes) / len(sizes) if sizes else None


def l_diversity(table: Seen) -> float | None:
    """Return the minimum number of different confidential values in a class (2007, distinct)."""
    return min(
        (
            len({meant(column, row) for row in rows})
            for column in table.values()
            if column.role == "confidential"
            for rows in classes(table)
        ),
        default=None,
    )


def t_closeness(table: Seen) -> float | None:
    """Return the largest distance of a class to the whole (Li, Li & Venkatasubramanian 2007).

    Also None if the release does not show the order of the categories. A value that a household has
    several times in a class counts once.
    """
    worst: Fraction | None = None
    whose = owners(table)
    for column in table.values():
        if column.role != "confidential":
            continue
        values = [meant(column, row) for row in range(len(column.values))]
        if column.kind == "ordinal":
            texts = [None if value is MISSING else str(value) for value in values]
            if not {text for text in texts if text is not None} <= set(column.order):
                return None
            values = [None if text is None else column.order.index(text) for text in texts]
        parts = [
            [value for _, value in {(whose[row], values[row]) for row in rows}]
            for rows in classes(table)
        ]
        whole = [value for part in parts for value in part]
        for part in parts:
            far = _far(part, whole) if column.kind == "nominal" else _moved(part, whole)
            worst = far if worst is None else max(worst, far)
    return None if worst is None else float(worst)


def special_uniques(table: Seen) -> float | None:
    """Return the mean DIS-SUDA score (Elliot et al. 2005), from every set of columns.

    The share of the population that is in the file is one in a hundred. Tables of the campaign have
    few columns; of more than twelve, not all sets are examined.
    """
    known = [column for column in table.values() if column.role == "quasi-identifier"]
    parts = classes(table)
    if not parts:
        return None
    total, rows = len(known), sum(map(len, parts))
    if total > 12:
        return None
    sets = [chosen for size in range(1, total + 1) for chosen in combinations(range(total), size)]
    whose = owners(table)
    seen = {
        chosen: Counter(
            key
            for key, _ in {
                (tuple(known[at].cells[row] for at in chosen), whose[row]) for row in range(rows)
            }
        )
        for chosen in sets
    }
    scores = [0] * rows
    for row in range(rows):
        alone = {
            chosen
            for chosen in sets
            if seen[chosen][tuple(known[at].cells[row] for at in chosen)] == 1
        }
        for chosen in alone:
            within = any(set(other) < set(chosen) for other in alone)
            if within or any(known[at].values[row] is MISSING for at in chosen):
                continue
            scores[row] += math.prod(total - i for i in range(len(chosen), total))
    power = max(1 + (8 - total) / 20, 0.05)
    # A household with several records in a class is counted by one of them.
    once = [row for part in parts for row in {whose[row]: row for row in part}.values()]
    rest = sum(scores[row] ** -power for row in once if scores[row])
    paired = sum(size for size, _ in _sizes(table) if size == 2)
    share = 0.01
    chances = [
        1 / (1 + paired * (1 - share) / (share * score**power * rest)) for score in scores if score
    ]
    return float(sum(chances) / rows)


COUNTED = {
    "special-uniques": special_uniques,
    "k-anonymity": k_anonymity,
    "l-diversity": l_diversity,
    "t-closeness": t_closeness,
    "sample-uniqueness": sample_uniqueness,
    "average-group-size": average_group_size,
}


NUMBER = re.compile(r"-?((0|[1-9][0-9]*)(\.[0-9]+)?|\.[0-9]+)(e[-+]?[0-9]+)?")
"""A text that is a number; with zeros or a plus before it, it is a code."""


def meant(column: SeenColumn, row: int) -> Hashable:
    """Return a confidential value; texts that a reader takes for the same count as one.

    So do "flu" and "Flu ", 1.5 and 1.50, and texts that differ only in the form of a letter, in the
    width of a blank or in signs without width; a blank says no more than nothing.
    """
    value = column.values[row]
    if column.kind != "nominal" or value is MISSING:
        return value
    shown = (sign for sign in str(value) if unicodedata.category(sign) != "Cf")
    folded = unicodedata.normalize("NFKC", "".join(shown)).casefold()
    text = " ".join(unicodedata.normalize("NFKC", folded).split())
    return Decimal(text) if NUMBER.fullmatch(text) else text or MISSING


def _far(part: Sequence[Hashable], whole: Sequence[Hashable]) -> Fraction:
    """Return ½ Σ |p − q|."""
    p, q = Counter(part), Counter(whole)
    gaps = (abs(Fraction(p[v], len(part)) - Fraction(q[v], len(whole))) for v in q)
    return sum(gaps, Fraction()) / 2


def _moved(part: Sequence[Hashable], whole: Sequence[Hashable]) -> Fraction:
    """Return the earth mover's distance along the order; a missing value is a whole step away."""
    present = [value for value in part if value is not MISSING]
    all_present = [value for value in whole if value is not MISSING]
    gone = Fraction(len(part) - len(present), len(part))
    absent = Fraction(len(whole) - len(all_present), len(whole))
    levels = sorted(set(all_present))  # type: ignore[type-var]
    distance = abs(gone - absent)
    if not present or not all_present or len(levels) < 2:
        return distance
    p, q = Counter(present), Counter(all_present)
    lead, total = Fraction(), Fraction()
    for level in levels:
        lead += Fraction(p[level], len(present)) - Fraction(q[level], len(all_present))
        total += abs(lead)
    return distance + min(1 - gone, 1 - absent) * total / (len(levels) - 1)


def same(counted: float, stated: float) -> bool:
    """Whether two figures are equal, except for the last digits of a float."""
    return math.isclose(counted, stated, rel_tol=1e-9, abs_tol=1e-12)
