r"""Value concatenation: several categories written as one, and split again.

A group of records that holds `unskilled` and `technical` gets `unskilled+technical` (Li & Sarkar,
Table 3), or, with how often each occurs, `unskilled4+technical1` (the weighted form, in the text
after that table). The parts are in the order in which the categories first appear in the file,
so that one set of categories has one label in all groups.

- A `+` or a backslash inside a category is escaped by a backslash, in the weighted form a digit
  too; in the plain form digits mean themselves, so that codes such as 3 stay readable.
- A category that is alone in its group stays itself, without a number.
- Missing values are a part called `missing`, the last one; a category of that name is written
  `\missing`. A group without any value stays missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata.arrays import Numbers
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import text_of
from discreet.microdata.schema import Attribute, Kind, Role
from discreet.microdata.table import MISSING_CODE, Column, Microdata

MISSING = "missing"
MOST_RECORDS = 20_000_000
"""The most fractional records that an expansion makes."""

_SPECIAL = {False: re.compile(r"([\\+])"), True: re.compile(r"([\\+0-9])")}
_PIECE = re.compile(r"(?:[^\\+]|\\.)*", re.DOTALL)
_COUNTED = re.compile(r"((?:[^\\0-9]|\\.)*)([1-9][0-9]{0,17})?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

Parts = dict[str | None, int]
"""How often each category occurs, None being a missing value; once each in the plain form."""


def join(parts: Mapping[str | None, int], *, weighted: bool = False) -> str:
    r"""Return categories as one label, in their order.

    >>> join({"unskilled": 4, "technical": 1})
    'unskilled+technical'
    >>> join({"unskilled": 4, "technical": 1}, weighted=True)
    'unskilled4+technical1'
    >>> print(join({"C++": 1, "grade 2": 3}, weighted=True), join({"missing": 1, None: 1}))
    C\+\+1+grade \23 \missing+missing
    """
    if not parts:
        raise ValueError("a label has at least one part")
    counted = weighted and len(parts) > 1
    return "+".join(
        _escaped(category, weighted) + (str(count) if counted else "")
        for category, count in parts.items()
    )


def _escaped(category: str | None, weighted: bool) -> str:
    if category is None:
        return MISSING
    return "\\" + category if category == MISSING else _SPECIAL[weighted].sub(r"\\\1", category)


def take_apart(label: str, *, weighted: bool = False) -> Parts:
    r"""Return the categories of a label, with how often each occurs.

    >>> take_apart("unskilled4+technical1", weighted=True)
    {'unskilled': 4, 'technical': 1}
    >>> take_apart("C\\+\\++missing")
    {'C++': 1, None: 1}
    """
    parts: Parts = {}
    for piece in _pieces(label):
        name, count = piece, 1
        if weighted:
            match = _COUNTED.fullmatch(piece)
            if match is None:
                raise DataError(
                    "a label of the weighted form has a positive whole number after each "
                    "category, and a backslash before each digit of a category, but one does not; "
                    "take it apart in the plain form"
                )
            name, count = match[1], int(match[2] or 1)
        category = None if name == MISSING else _ESCAPED.sub(r"\1", name)
        if category in parts:
            raise DataError(
                "a label names each of its categories once, but one names a category twice; it was "
                "not made by value concatenation of this form"
            )
        parts[category] = count
    return parts


def _pieces(label: str) -> list[str]:
    """Return a label cut at every `+` that is not escaped."""
    pieces, at = [], 0
    while True:
        match = _PIECE.match(label, at)
        assert match is not None  # the pattern also matches nothing
        pieces.append(match[0])
        at = match.end()
        if at == len(label):
            return pieces
        if label[at] != "+":
            raise DataError(
                "a backslash in a label must precede another character, but one label ends with "
                "a single backslash; it was not made by value concatenation"
            )
        at += 1


def concatenated(
    column: Column, groups: NDArray[np.int64], count: int, *, weighted: bool = False
) -> Column:
    """Return a nominal column in which each of `count` groups has the label of its categories.

    A column in which every group has one value that is its own label is returned unchanged.

    >>> import discreet
    >>> data = discreet.read({"job": ["unskilled", "technical", "unskilled", "managerial"]})
    >>> joined = concatenated(data.column("job"), np.array([0, 1, 1, 2]), 3)
    >>> [joined.attribute.categories[code] for code in joined.values]
    ['unskilled', 'unskilled+technical', 'unskilled+technical', 'managerial']
    """
    texts: list[str | None] = [*map(text_of, column.attribute.categories), None]
    places = _appearance(column)
    width = len(texts)
    by_place = np.argsort(places)
    pairs, times = np.unique(
        groups * width + places[column.values].astype(np.int64), return_counts=True
    )
    group, place = np.divmod(pairs, width)
    ends = np.searchsorted(group, np.arange(count + 1)).tolist()
    names = [texts[code] for code in by_place[place].tolist()]
    numbers = times.tolist()
    labels: list[str | None] = []
    for start, end in pairwise(ends):
        parts: Parts = {}
        for name, number in zip(names[start:end], numbers[start:end], strict=True):
            parts[name] = parts.get(name, 0) + number
        labels.append(join(parts, weighted=weighted) if set(parts) - {None} else None)
    single = len(group) == np.count_nonzero(np.diff(group, prepend=-1))
    if single and all(labels[g] == name for g, name in zip(group.tolist(), names, strict=True)):
        return column
    position = {text: i for i, text in enumerate(dict.fromkeys(t for t in labels if t is not None))}
    codes = [MISSING_CODE if text is None else position[text] for text in labels]
    # The last place is missing.
    members = np.where(by_place[place] == width - 1, np.nan, by_place[place])
    shares = times.astype(np.float64) if weighted else np.ones(len(times))
    of_groups = Decoding.joined(column.attribute, np.array(ends), members, members.copy(), shares)
    first = {text: number for number, text in enumerate(labels)}
    decoding = of_groups.take(np.array([first[text] for text in position], dtype=np.int64))
    released = np.array(codes, dtype=np.int32)[groups]
    return column.recoded(released, Kind.NOMINAL, position, decoding)


def _appearance(column: Column) -> NDArray[np.int64]:
    """Return the place of each category by its first appearance; the last one is missing."""
    width = len(column.attribute.categories)
    first = np.full(width, len(column.values), dtype=np.int64)
    seen, at = np.unique(column.values, return_index=True)
    first[seen[seen >= 0]] = at[seen >= 0]
    places = np.empty(width + 1, dtype=np.int64)
    places[np.argsort(first, kind="stable")] = np.arange(width)
    places[width] = width
    return places


def parts_of(column: Column, *, weighted: bool = False) -> list[Parts]:
    """Return the parts of each category of a concatenated column.

    >>> import discreet
    >>> column = discreet.read({"job": ["technical+unskilled", "managerial"]}).column("job")
    >>> parts_of(column)   # in the order of the column's categories
    [{'managerial': 1}, {'technical': 1, 'unskilled': 1}]
    """
    if column.attribute.kind is not Kind.NOMINAL:
        raise UsageError(
            f"only a nominal column can be taken apart, but '{column.name}' is "
            f"{column.attribute.kind}"
        )
    try:
        return [
            take_apart(text_of(label), weighted=weighted) for label in column.attribute.categories
        ]
    except DataError as error:
        raise DataError(f"column '{column.name}' cannot be taken apart: {error}") from None


def expand(
    data: Microdata,
    columns: Iterable[str],
    *,
    weighted: bool = False,
    weight: str = "weight",
) -> Microdata:
    """Return a table in which each record is split into one for each category of its labels.

    The fractional records of one record have weights that sum to 1: equal ones in the plain form,
    by the numbers of the label in the weighted form. A release does not show how several
    concatenated columns go together within a group, so their parts are combined as if
    independent. The weights are in a column called `weight`; an existing column of weights
    is multiplied instead.

    >>> import discreet
    >>> data = discreet.read({"job": ["unskilled3+technical1", "managerial"], "pay": [40, 70]})
    >>> whole = expand(data, ["job"], weighted=True)
    >>> whole.frame().to_pydict()
    {'job': ['unskilled', 'technical', 'managerial'], 'pay': [40, 40, 70],
     'weight': [0.75, 0.25, 1.0]}
    """
    rows = np.arange(len(data))
    weights = np.ones(len(data))
    singles: list[Column] = []
    for name in dict.fromkeys(columns):
        column = data.column(name)
        parts = parts_of(column, weighted=weighted)
        # The parts of all labels one after another, and last that of a missing value.
        known = [c for c in dict.fromkeys(c for p in parts for c in p) if c is not None]
        position: dict[str | None, int] = {c: i for i, c in enumerate(known)}
        position[None] = MISSING_CODE
        codes = np.array([*(position[c] for p in parts for c in p), MISSING_CODE], dtype=np.int32)
        shares = np.array([*(n / sum(p.values()) for p in parts for n in p.values()), 1.0])
        lengths = np.array([*map(len, parts), 1])
        labels = column.values[rows]
        times = lengths[labels]
        _bounded(int(times.sum()), name)
        within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        at = np.repeat((np.cumsum(lengths) - lengths)[labels], times) + within
        singles = [single.with_values(np.repeat(single.values, times)) for single in singles]
        singles.append(column.recoded(codes[at], Kind.NOMINAL, known))
        weights = np.repeat(weights, times) * shares[at]
        rows = np.repeat(rows, times)
    return _weighing(data.take(rows).replace(singles), weights, weight)


def _bounded(records: int, name: str) -> None:
    if records > MOST_RECORDS:
        raise DataError(
            f"taking apart column '{name}' would make {records:,} fractional records, more than "
            f"{MOST_RECORDS:,}; take fewer columns apart at a time"
        )


def _weighing(data: Microdata, weights: Numbers, name: str) -> Microdata:
    """Return the table with weights: multiplied into those that it has, or as a new column."""
    known = data.having(Role.WEIGHT)
    if known:
        return data.replace(
            data.column(n).with_values(data[n] * weights)
            for n in known
            if data.schema[n].continuous
        )
    if name in data.schema:
        raise UsageError(
            f"the data already have a column '{name}' without the role weight; give another "
            "name with weight=…"
        )
    column = Column(Attribute(name, Role.WEIGHT, Kind.CONTINUOUS), weights)
    source = data.source
    if source is not None:
        import narwhals as nw

        frame = source.frame.with_columns(nw.lit(1.0).alias(name))
        source = replace(source, frame=frame, types={}).touch([name])
    return Microdata([*data, column], source)
