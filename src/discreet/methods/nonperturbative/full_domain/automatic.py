"""Levels for a column that was given no hierarchy.

- Numbers: intervals of a round width, then twice as wide at every further level.
- Dates: months, years, then spans of 5, 10, 20 years and so on.
- Ordinal categories: neighbours in pairs, then pairs of pairs.
- Nominal categories: codes of equal length lose a character from the right at each level, as
  postcodes do; rare words of other kinds become "(other)", those below 5 % of the records first,
  then those below 20 %.

The last level is always `*`. Which values belong together is for the steward to decide: a hierarchy
file that somebody thought about is better than these, above all for nominal columns.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import (
    Levels,
    decoded_by_values,
    encoded,
    leveled,
    value_texts,
)
from discreet.microdata import Column, Kind, Numbers
from discreet.microdata.dates import calendar
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import TOP, Hierarchy, text_of
from discreet.microdata.intervals import interval_label, places_between, round_width
from discreet.microdata.labels import read_labels

OTHER = "(other)"
RARE = (0.05, 0.2)
"""Shares of the records below which a nominal category is rare, level by level."""

LONGEST_CODE = 12
"""Words longer than this are not taken for codes."""

MOST_INTERVALS = 1_000_000
"""More intervals than this describe a column as precisely as its values do."""


def automatic(
    column: Column,
    width: float | None = None,
    unit: str | None = None,
    times: NDArray[np.int64] | None = None,
) -> Levels:
    """Return levels made from the values alone; `width` is that of the narrowest intervals.

    `unit` is what a column of dates counts (dates.py), `times` how many records each row stands
    for, by default one.

    >>> import discreet
    >>> data = discreet.read({"age": [18, 21, 24, 39], "town": ["Ayle", "Ayle", "Bron", "Cull"]})
    >>> automatic(data.column("age"), width=5).labels[1]
    ('15–19', '20–24', '35–39')
    >>> automatic(data.column("town")).labels
    ((), ('*',))
    """
    distinct, numbers = encoded(column)
    if unit is not None:
        levels, labels = calendar(distinct, unit)
    else:
        levels, labels = drafted(column, distinct, numbers, width, times)
    decodings = [
        read_labels(texts, column.attribute, unit)
        if column.attribute.continuous
        else decoded_by_values(column, distinct, level, len(texts))
        for level, texts in zip(levels, labels, strict=True)
    ]
    levels.append(np.zeros(len(distinct), dtype=np.int64))
    labels.append([TOP])
    decodings.append(Decoding.of(column.attribute, [[]]))
    return leveled(column, numbers, levels, labels, decodings, unit=unit)


Drafted = tuple[list[NDArray[np.int64]], list[list[str]]]


def drafted(
    column: Column,
    distinct: Numbers,
    numbers: NDArray[np.int32],
    width: float | None = None,
    times: NDArray[np.int64] | None = None,
) -> Drafted:
    """Return the label number of each distinct value and the labels, level by level, below `*`."""
    if column.attribute.kind is Kind.CONTINUOUS:
        return intervals(column.name, distinct, width, narrowest_width, lambda wide: 2 * wide)
    if column.attribute.kind is Kind.ORDINAL:
        return _neighbours(column, distinct)
    return _nominal(column, distinct, numbers, times)


def intervals(
    name: str,
    distinct: Numbers,
    given: float | None,
    narrowest: Callable[[Numbers], Decimal],
    wider: Callable[[Decimal], Decimal],
) -> Drafted:
    """Return intervals of the given width, by default the `narrowest`, and then `wider` ones.

    Each width is a multiple of the one before, so that intervals lie within wider ones.

    >>> ages = np.array([18.0, 21.0, 39.0])
    >>> intervals("age", ages, 5, narrowest_width, lambda wide: 2 * wide)[1]
    [['15–19', '20–24', '35–39'], ['10–19', '20–29', '30–39'], ['0–19', '20–39']]
    """
    if not len(distinct) or (given is None and distinct[0] == distinct[-1]):
        return [], []
    step = narrowest(distinct) if given is None else Decimal(text_of(given))
    least, greatest = (Decimal(text_of(v)) for v in (distinct[0].item(), distinct[-1].item()))
    apart, whole = spread(distinct)
    if apart > step * MOST_INTERVALS:
        raise UsageError(
            f"the width {text_of(given)} makes more than {MOST_INTERVALS:,} intervals of column "
            f"'{name}'; give a larger one"
        )
    whole = whole and step == step.to_integral_value()
    first = int((least / step).to_integral_value(rounding="ROUND_FLOOR"))
    last = int((greatest / step).to_integral_value(rounding="ROUND_FLOOR"))
    # Interval i begins at (first + i) steps; wider ones begin at multiples of their own width.
    edges = [(first + i) * step for i in range(1, last - first + 1)]
    at = places_between(distinct, edges)
    levels, labels = [], []
    width = step
    while width < max(apart, step * 2):
        times = int(width / step)
        # The number of the first interval may be too large for an array.
        begin, rest = divmod(first, times)
        used, level = np.unique((at + rest) // times, return_inverse=True)
        levels.append(level)
        starts = [(begin + i) * width for i in used.tolist()]
        labels.append([interval_label(start, width, whole) for start in starts])
        width = wider(width)
    return levels, labels


def narrowest_width(distinct: Numbers) -> Decimal:
    """Return the width of the intervals of level 1; each further level is twice as wide.

    >>> narrowest_width(np.array([18.0, 21.0, 90.0]))
    Decimal('2')
    """
    return round_width(*spread(distinct))


def spread(distinct: Numbers) -> tuple[Decimal, bool]:
    """Return how far sorted numbers lie apart, and whether all of them are whole.

    >>> spread(np.array([18.0, 21.0, 90.0]))
    (Decimal('72'), True)
    """
    whole = (distinct == np.floor(distinct)).all() and abs(distinct).max() < 2**53
    least, greatest = (Decimal(text_of(value.item())) for value in distinct[[0, -1]])
    return greatest - least, bool(whole)


def _neighbours(column: Column, distinct: Numbers) -> Drafted:
    texts = value_texts(column, distinct)
    levels, labels = [], []
    size = 2
    while size < len(texts):
        levels.append(np.arange(len(texts)) // size)
        starts = range(0, len(texts), size)
        ends = [min(start + size, len(texts)) - 1 for start in starts]
        labels.append(
            [
                texts[a] if a == b else f"{texts[a]}–{texts[b]}"
                for a, b in zip(starts, ends, strict=True)
            ]
        )
        size *= 2
    return levels, labels


def _nominal(
    column: Column,
    distinct: Numbers,
    numbers: NDArray[np.int32],
    times: NDArray[np.int64] | None,
) -> Drafted:
    texts = value_texts(column, distinct)
    lengths = {len(text) for text in texts}
    if len(texts) > 1 and len(lengths) == 1 and all(_is_code(text) for text in texts):
        codes = Hierarchy.of_text(texts)
        return list(codes.codes[1:-1].astype(np.int64)), [list(t) for t in codes.labels[1:-1]]
    records = len(numbers) if times is None else int(times.sum())
    shares = np.bincount(numbers, times, len(texts))[: len(texts)] / max(1, records)
    levels, labels = [], []
    before = 0
    for limit in RARE:
        rare = shares < limit
        if before < rare.sum() < len(texts) and rare.sum() > 1:
            common = np.flatnonzero(~rare)
            level = np.full(len(texts), len(common))
            level[common] = np.arange(len(common))
            levels.append(level)
            labels.append([*(texts[i] for i in common), _unused(OTHER, texts)])
            before = int(rare.sum())
    return levels, labels


def _is_code(text: str) -> bool:
    return 1 < len(text) <= LONGEST_CODE and text.isalnum() and any(c.isdigit() for c in text)


def _unused(label: str, texts: list[str]) -> str:
    """Return the label, in extra brackets while it is the name of a category."""
    return _unused(f"({label})", texts) if label in texts else label
