"""t-closeness: how far a class's confidential values are from those of the whole release."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, MeasureSpec, Question, Side
from discreet.measures.confidential import WorstClassMeasure
from discreet.measures.tally import Tally
from discreet.microdata import Column, Kind

EXACT = 2**62
"""Below this, sums are of 64-bit whole numbers and not rounded."""


class TCloseness(WorstClassMeasure):
    """The largest distance of a class's confidential values from those of the whole release.

    The distance of the shares p of a class to the shares q of all records is the earth mover's:

    - nominal: ½ Σ |pᵢ − qᵢ|, since every value is as far from every other;
    - ordinal and continuous: Σᵢ |Σⱼ≤ᵢ (pⱼ − qⱼ)| / (m − 1), the values in their order and
      neighbours 1 / (m − 1) apart; m counts the categories that occur in the release, or the
      different numbers, so that a continuous column needs no classes.

    To and from a missing value the way is 1: with p₀ and q₀ the missing shares, an ordered column
    has |p₀ − q₀| + min(1 − p₀, 1 − q₀) · E, where E is the distance of the values present.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [30, 30, 41, 41], "ill": ["a", "a", "a", "b"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> TCloseness().score(data, data, Context()).value   # 1 and ½ of "a" against ¾
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="t-closeness",
        title="t-closeness of the release",
        citation="Li, Li & Venkatasubramanian, t-Closeness (2007); Li & Sarkar (2013), §6.1",
        missing="a category of its own, a whole step from every value",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        of_release=True,
        formula="t = max over the classes of E(p, q), p the shares in the class, q those of all "
        "records\n"
        "nominal:  E(p, q) = ½ Σᵢ |pᵢ − qᵢ|\n"
        "ordered:  E(p, q) = Σᵢ |Σ_{j≤i} (pⱼ − qⱼ)| / (m − 1)",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def by_class(self, column: Column, counts: Tally) -> NDArray[np.float64]:
        """Return the distance of each class, by the kind of the column."""
        nominal = column.attribute.kind is Kind.NOMINAL
        return counts.for_groups(nominal_distance if nominal else ordered_distance)


def nominal_distance(counts: Tally) -> NDArray[np.float64]:
    """Return ½ Σ |p − q| for each group, which is the sum of p − q where p is larger.

    The sums are of whole numbers and divided once, so that a group right at a bound is there.
    """
    sizes, total = counts.sizes, int(counts.totals.sum())
    surplus = counts.count * total - counts.totals[counts.value] * sizes[counts.group]
    np.maximum(surplus, 0, out=surplus)
    return np.asarray(_sums(surplus, counts.group, len(sizes)) / (sizes * float(total)))


def ordered_distance(counts: Tally) -> NDArray[np.float64]:
    """Return the ordered earth mover's distance for each group, missing values a step away."""
    last = len(counts.totals) - 1
    total, absent = int(counts.totals.sum()), int(counts.totals[last])
    gone = np.zeros_like(counts.sizes)
    is_missing = counts.value == last
    gone[counts.group[is_missing]] = counts.count[is_missing]
    missing = np.abs(gone * total - absent * counts.sizes) / (counts.sizes * float(total))
    in_group, in_file = counts.sizes - gone, total - absent
    kept = ~is_missing
    if in_file == 0 or last < 2 or not kept.any():
        return np.asarray(missing)
    group, value, count = (
        a if kept.all() else a[kept] for a in (counts.group, counts.value, counts.count)
    )
    moved = _moved(group, value, count, in_group, counts.totals)
    order = moved / (np.maximum(in_group, 1) * float(in_file) * (last - 1))
    return np.asarray(missing + np.minimum(in_group / counts.sizes, in_file / total) * order)


def _moved(
    group: NDArray[np.int64],
    value: NDArray[np.int64],
    count: NDArray[np.int64],
    group_sizes: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return Σᵢ |Pᵢ·N − Qᵢ·n| for each group, P and Q the cumulated counts of group and whole.

    P stays the same from one value of the group to the next, and over such a stretch Q crosses
    it at most once: prefix sums of Q give the stretch in one step, whatever its length. So the
    work is that of the values that occur, not of groups × values.
    """
    last = len(totals) - 1
    cumulated = np.cumsum(totals[:last])
    whole = int(cumulated[-1])
    # Whole numbers as long as they fit.
    number = np.int64 if whole * whole * last < EXACT else np.float64
    prefix = np.concatenate([[0], np.cumsum(cumulated, dtype=number)])
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    begins = np.concatenate([[0], np.cumsum(group_sizes[group[starts]])[:-1]])
    level = np.cumsum(count) - np.repeat(begins, np.diff(starts, append=len(group)))
    # From this value up to the group's next one; after its last, where P is n, to the end.
    until = np.append(value[1:], last)
    until[np.append(starts[1:] - 1, len(group) - 1)] = last
    size = group_sizes[group]
    crossing = np.searchsorted(cumulated, -(-level * whole // size))
    crossing = np.clip(crossing, value, until)
    height = (level * whole).astype(number)
    amounts = (crossing - value) * height - size * (prefix[crossing] - prefix[value])
    amounts += size * (prefix[until] - prefix[crossing])
    amounts -= (until - crossing) * height
    # Before the group's first value P is 0, and all of Q is a difference.
    first = np.zeros(len(group_sizes), dtype=number)
    first[group[starts]] = size[starts] * prefix[value[starts]]
    return np.asarray(_sums(amounts, group, len(group_sizes)) + first, dtype=np.float64)


def _sums(amounts: NDArray[np.number], group: NDArray[np.int64], groups: int) -> NDArray[np.number]:
    """Return the sum over each group's run of entries; 0 for a group without entries."""
    sums = np.zeros(groups, dtype=amounts.dtype)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    if len(starts):
        sums[group[starts]] = np.add.reduceat(amounts, starts)
    return sums
