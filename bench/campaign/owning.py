"""What only the owner can check: a release against its original and its private record.

In plain Python, with nothing from the package: how many records a distance links, how many are in
groups of one class, which columns may distinguish the records of a group, and whether an untreated
column gives back a protected one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import factorial, prod
from typing import Any

from bench.campaign.counting import MISSING, Seen, classes, meant, same
from bench.campaign.faults import Fault
from bench.campaign.tables import Table

PLAIN_MASKING = {
    *("microaggregation", "individual-ranking", "additive-noise", "nonlinear-noise", "pram"),
    *("moment-preserving-noise", "rank-swapping", "data-swapping", "resampling"),
}
"""Methods that release values, not labels that stand for several values."""
PRIVATE = {"dp-synthesis", "dp-microaggregation"}
"""Methods that add noise for differential privacy."""
FREE = {"weight", "stratum", "household", "identifier"}
"""Roles about which nothing is claimed: design columns are mentioned in a note."""
PER_VALUE, LEAST_RECORDS, MOST_COMMON = 10, 100, 0.7
"""When a copy of a column must be detected: enough records in total and with each value."""
CLOSE = Fraction(1, 10**9)
BY_CHANCE = 10**6
"""Values that are drawn for a few records and rounded may be the original ones by chance; if there
are more ways than this to assign them to the records, they are not."""


@dataclass(frozen=True)
class Owned:
    """A release with what its owner knows about it.

    `original` has the values of each column by row, only for columns that can be compared.
    """

    original: Mapping[str, Sequence[Hashable]]
    roles: Mapping[str, str]
    methods: frozenset[str]
    seen: Seen
    origin: Sequence[int]
    groups: Sequence[int] | None
    drawn: frozenset[str]
    shuffled: bool
    claims: Mapping[str, float]
    spent: Fraction = Fraction()

    @property
    def synthetic(self) -> bool:
        """Whether some records do not come from a single original."""
        return min(self.origin, default=-1) < 0

    def before(self, name: str) -> list[Hashable]:
        """Return the original value of each released record."""
        return [self.original[name][row] for row in self.origin]

    def after(self, name: str) -> list[Hashable]:
        """Return the released values."""
        return [plain(value) for value in self.seen[name].values]


def owned(
    table: Table, steps: Sequence[Mapping[str, Any]], record: Mapping[str, Any], seen: Seen
) -> Owned:
    """Return a release with its original, as the table was drawn, and its record."""
    original = {column.name: _values(column) for column in table.columns}
    return Owned(
        {name: values for name, values in original.items() if values is not None},
        {column.name: column.role for column in table.columns},
        frozenset(name for step in steps for name in step),
        seen,
        record["origin"],
        record["groups"],
        frozenset(record["columns drawn within groups"]),
        record["plan"].get("release", {}).get("shuffle", True),
        {
            claim["measure"]: claim["measured"]
            for claim in record["report"]["claims"]
            if isinstance(claim["measured"], int | float)
        },
        sum(
            (Fraction(repr(step[name]["epsilon"])) for step in steps for name in PRIVATE & {*step}),
            Fraction(),
        ),
    )


def check_owned(release: Owned) -> None:
    """Raise a fault if a claim is not what the original and the record show."""
    _check_groups(release)
    _check_homogeneous(release)
    _check_linkage(release)
    _check_given_back(release)
    _check_epsilon(release)


def _check_epsilon(release: Owned) -> None:
    """Differential privacy: the ε of all steps add up, and no column is released without noise."""
    claimed = release.claims.get("differential-privacy")
    if claimed is None:
        return
    broken = "false claim: differential-privacy"
    if not release.spent or not same(float(release.spent), claimed):
        raise Fault(broken, f"{claimed:g} claimed, {float(release.spent):g} spent by the steps")
    if release.synthetic:
        return
    for name in release.original:
        if name in release.seen and release.after(name) == release.before(name):
            alike = [0] * len(release.origin)
            if _arrangements(alike, release.before(name)) > BY_CHANCE:
                raise Fault(f"{broken}: a column is released as it was", name)


def _values(column: Any) -> list[Hashable] | None:
    """Return the values of a drawn column; None if they cannot be compared with released ones."""
    known = dict(zip(dict.fromkeys(column.cells), column.levels, strict=True))
    levels = {
        cell: plain(Decimal(level) if column.kind == "continuous" and _is_number(level) else level)
        for cell, level in known.items()
    }
    if any(not isinstance(value, Fraction | str) for value in levels.values()):
        return None
    if any(isinstance(value, str) and not value.isascii() for value in levels.values()):
        return None
    return [levels[cell] for cell in column.cells]


def _is_number(level: Any) -> bool:
    if not isinstance(level, str):
        return False
    try:
        return Decimal(level).is_finite()
    except ArithmeticError:
        return False


def plain(value: Any) -> Hashable:
    """Return a number as a fraction and a text without blanks at its end; others as they are."""
    if isinstance(value, str):
        return value.rstrip()
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return value
    try:
        return Fraction(value)
    except (OverflowError, ValueError):
        return value


def _check_groups(release: Owned) -> None:
    """Probabilistic k-anonymity: within a group nothing distinguishes one record from another."""
    if "probabilistic-k-anonymity" not in release.claims:
        return
    broken = "false claim: probabilistic-k-anonymity"
    if not release.shuffled or release.synthetic or release.groups is None:
        raise Fault(f"{broken} without a shuffle or groups", f"shuffled: {release.shuffled}")
    labels = [release.groups[row] for row in release.origin]
    for name, column in release.seen.items():
        values: dict[int, set[Hashable]] = defaultdict(set)
        for label, cell in zip(labels, column.cells, strict=True):
            values[label].add(cell)
        if all(len(some) == 1 for some in values.values()):
            continue
        if name not in release.drawn:
            raise Fault(f"{broken}: a column that was not drawn differs within a group", name)
        as_it_was = name in release.original and release.after(name) == release.before(name)
        if as_it_was and _arrangements(labels, release.before(name)) > BY_CHANCE:
            raise Fault(f"{broken}: a column that was drawn is as it was", name)
    least = min(Counter(labels).values())
    if not same(least, release.claims["probabilistic-k-anonymity"]):
        raise Fault(broken, f"the smallest group has {least}")


def _arrangements(labels: Sequence[int], values: Sequence[Hashable]) -> int:
    """Return in how many ways the values of each group can be assigned to its records.

    >>> _arrangements([0, 0, 0, 1, 1], ["a", "b", "a", "c", "d"])
    6
    """
    groups: dict[int, Counter[Hashable]] = defaultdict(Counter)
    for label, value in zip(labels, values, strict=True):
        groups[label][value] += 1
    ways = 1
    for counts in groups.values():
        ways *= factorial(counts.total()) // prod(map(factorial, counts.values()))
    return ways


def _check_homogeneous(release: Owned) -> None:
    """The share of records in groups of one confidential class (Li & Sarkar 2013, §7)."""
    claimed = release.claims.get("homogeneous-share")
    if claimed is None or release.synthetic:
        return
    parts = classes(release.seen)
    if release.groups is not None and min(release.groups[row] for row in release.origin) >= 0:
        rows: dict[int, list[int]] = defaultdict(list)
        for place, row in enumerate(release.origin):
            rows[release.groups[row]].append(place)
        parts = list(rows.values())
    confidential = [column for column in release.seen.values() if column.role == "confidential"]
    shares = [
        sum(len(part) for part in parts if len({meant(column, row) for row in part}) == 1)
        / len(release.origin)
        for column in confidential
    ]
    # Numbers are cut into two classes, and a group may have several values of one class.
    cut = any(column.kind == "continuous" for column in confidential)
    if shares and not same(max(shares), claimed) and not (cut and claimed > max(shares)):
        raise Fault(
            "false claim: homogeneous-share", f"{claimed:g} claimed, {max(shares):g} counted"
        )


def _check_linkage(release: Owned) -> None:
    """The share of records whose nearest original is their own (survey, Example 1.4).

    Fractions are exact; if two originals are almost equally far, either may be the nearest.
    """
    claimed = release.claims.get("distance-linkage")
    known = [name for name, role in release.roles.items() if role == "quasi-identifier"]
    if claimed is None or release.synthetic or (release.groups is not None and release.drawn):
        return
    if not release.methods <= PLAIN_MASKING or not set(known) <= set(release.original):
        return
    scales = []
    for name in known:
        column = release.seen.get(name)
        if column is None or column.kind == "ordinal":
            return
        scale = _scale(release.original[name], release.after(name))
        # A date that is written as text is a number for the measure.
        if scale is None or (not scale and column.kind == "continuous"):
            return
        scales.append(scale)
    low, high = Fraction(), Fraction()
    originals = list(zip(*(release.original[name] for name in known), strict=True))
    for cells, own_row in zip(
        zip(*(release.after(name) for name in known), strict=True), release.origin, strict=True
    ):
        distances = [_distance(cells, original, scales) for original in originals]
        least, most = _linked(distances, distances[own_row])
        low, high = low + least, high + most
    size = len(release.origin)
    if not float(low / size) - 1e-9 <= claimed <= float(high / size) + 1e-9:
        counted = f"between {float(low / size):g} and {float(high / size):g} counted"
        raise Fault("false claim: distance-linkage", f"{claimed:g} claimed, {counted}")


def _scale(before: Sequence[Hashable], after: Sequence[Hashable]) -> Fraction | None:
    """Return the variance that a column is divided by, 0 for texts; None where neither fits."""
    if all(isinstance(value, str) and value for value in (*before, *after)):
        return Fraction() if set(after) <= set(before) else None
    numbers = [value for value in before if isinstance(value, Fraction)]
    if len(numbers) < len(before) or not all(isinstance(value, Fraction) for value in after):
        return None
    mean = sum(numbers, Fraction()) / len(numbers)
    return sum(((n - mean) ** 2 for n in numbers), Fraction()) / len(numbers) or None


def _distance(first: Sequence[Any], second: Sequence[Any], scales: Sequence[Fraction]) -> Fraction:
    return sum(
        (
            (a - b) ** 2 / scale if scale else Fraction(a != b)
            for a, b, scale in zip(first, second, scales, strict=True)
        ),
        Fraction(),
    )


def _linked(distances: Sequence[Fraction], own_distance: Fraction) -> tuple[Fraction, Fraction]:
    """Return the lowest and the highest chance that the own original is drawn from the nearest."""
    room = CLOSE * max(own_distance, Fraction(1))
    if any(distance < own_distance - room for distance in distances):
        return Fraction(), Fraction()
    near = sum(distance <= own_distance + room for distance in distances)
    tied = sum(distance == own_distance for distance in distances)
    return (Fraction(1, tied), Fraction(1, tied)) if near == tied else (Fraction(), Fraction(1))


def _check_given_back(release: Owned) -> None:
    """An untreated column that determines a treated one is refused."""
    if release.synthetic:
        return
    known = [n for n in release.original if n in release.seen and release.roles[n] not in FREE]
    left = [name for name in known if release.after(name) == release.before(name)]
    for name in known:
        if name in left or not _often(release.original[name]):
            continue
        for other in left:
            pairs = set(zip(release.original[other], release.original[name], strict=True))
            once = len(pairs) == len(set(release.original[other]))
            if once and _often(release.original[other]):
                raise Fault("a column that was left gives back a protected one", f"{other}, {name}")


def _often(values: Sequence[Hashable]) -> bool:
    counts = Counter(values)
    # A blank is no value; what is known about a column is what its values say.
    if len(values) < LEAST_RECORDS or not {MISSING, ""}.isdisjoint(counts):
        return False
    if min(counts.values()) < PER_VALUE:
        return False
    return max(counts.values()) <= MOST_COMMON * len(values)
