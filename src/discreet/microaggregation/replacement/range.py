"""Range: every record of a group gets the range of the group's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Replacement, Spec
from discreet.microdata import MISSING_CODE, Column, Kind, Microdata
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import text_of

MISSING = "missing"


class Range(Replacement):
    """From the smallest to the largest value; for nominal columns, the set of the values.

    Numbers become text such as "[20–35]", ordinal categories "low–middle", nominal ones
    "{Ayle, Bron}" in the order of the categories. A value that the whole group shares stays
    itself. Where values are missing in a group, the label says so: "{[20–35], missing}",
    "{low–middle, missing}", "{Ayle, Bron, missing}"; a group without any value stays missing.

    Note for stewards: ranges publish the exact smallest and largest value of each group, so that
    those of the file can be read in the release. Top and bottom coding beforehand, or a hierarchy
    with the replacement "generalisation", withholds them.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 40]})
    >>> groups = Groups(np.array([0, 0, 1, 1]))
    >>> [column] = Range().replace(data, ["age"], groups, Context())
    >>> column.attribute.categories
    ('[21–23]', '40')
    >>> column.values
    array([0, 0, 1, 1], dtype=int32)
    """

    equalises = True
    spec: ClassVar[Spec] = Spec(
        name="range",
        title="Range: smallest to largest value of the group",
        citation="LeFevre, DeWitt & Ramakrishnan (2006), Mondrian multidimensional k-anonymity; "
        "Samarati & Sweeney (1998)",
        missing="named in the label of the group; a group without any value stays missing",
        guarantees=("k-anonymity",),
        formula="x′ᵢ = [min_g x – max_g x]",
        cost="n·c time",
    )

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns as nominal ones, with one label per group."""
        return [ranged(data, name, groups) for name in columns]


def ranged(data: Microdata, name: str, groups: Groups) -> Column:
    """Return a column with the range, or the set, of the values of each group.

    >>> import discreet
    >>> data = discreet.read({"town": ["Bron", "Ayle", None]})
    >>> ranged(data, "town", Groups(np.array([0, 0, 0]))).attribute.categories
    ('{Ayle, Bron, missing}',)
    """
    column = data.column(name)
    nominal = column.attribute.kind is Kind.NOMINAL
    return labelled(column, groups, *(_sets if nominal else _ranges)(data, column, groups))


def labelled(
    column: Column, groups: Groups, labels: Sequence[str | None], decoding: Decoding
) -> Column:
    """Return a nominal column that has the label of each group; None is missing.

    `decoding` says what the label of each group means. Where a group has missing values
    besides others, its label says so.
    """
    with_missing = np.zeros(groups.count, dtype=bool)
    with_missing[groups.labels[column.missing]] = True
    texts = [
        text if text is None or not some else _with_missing(text)
        for text, some in zip(labels, with_missing.tolist(), strict=True)
    ]
    position = {text: i for i, text in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    codes = [MISSING_CODE if text is None else position[text] for text in texts]
    values = np.array(codes, dtype=np.int32)[groups.labels]
    group = {text: number for number, text in enumerate(texts)}
    first = np.array([group[text] for text in position], dtype=np.int64)
    meaning = decoding.take(first).with_missing(with_missing[first])
    return column.recoded(values, Kind.NOMINAL, position, meaning)


def _with_missing(text: str) -> str:
    """Add "missing" to a set, or make a set of a label and "missing"."""
    if text.startswith("{") and text.endswith("}"):
        return f"{text[:-1]}, {MISSING}}}"
    return f"{{{text}, {MISSING}}}"


def _sets(data: Microdata, column: Column, groups: Groups) -> tuple[list[str | None], Decoding]:
    present = ~column.missing
    categories = [text_of(category) for category in column.attribute.categories]
    width = max(1, len(categories))
    pairs = np.unique(groups.labels[present] * width + column.values[present])
    group, code = np.divmod(pairs, width)
    ends = np.searchsorted(group, np.arange(groups.count + 1))
    members = [categories[c] for c in code.tolist()]
    labels: list[str | None] = []
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        several = "{" + ", ".join(members[start:end]) + "}"
        labels.append(None if start == end else members[start] if end - start == 1 else several)
    return labels, Decoding.sets(column.attribute, ends, code)


def _ranges(data: Microdata, column: Column, groups: Groups) -> tuple[list[str | None], Decoding]:
    """Return the ranges by the records at both ends, whose texts are known."""
    rows = np.flatnonzero(~column.missing)
    rows = rows[np.lexsort((column.values[rows], groups.labels[rows]))]
    group = groups.labels[rows]
    filled, firsts = np.unique(group, return_index=True)
    lasts = np.append(firsts[1:], len(rows))[: len(firsts)] - 1
    low, high = rows[firsts], rows[lasts]
    single = column.values[low] == column.values[high]
    form = "[{}–{}]" if column.attribute.continuous else "{}–{}"
    labels: list[str | None] = [None] * groups.count
    for at, is_single, a, b in zip(
        filled.tolist(), single.tolist(), _texts(data, column, low), _texts(data, column, high),
        strict=True,
    ):  # fmt: skip
        labels[at] = a if is_single else form.format(a, b)
    return labels, _between(column, column.values[low], column.values[high], filled, groups.count)


def _between(
    column: Column,
    low: NDArray[Any],
    high: NDArray[Any],
    filled: NDArray[np.int64],
    count: int,
) -> Decoding:
    """Return what the ranges of the groups mean; a group without values has none."""
    if column.attribute.continuous:
        spans = Decoding.spans(column.attribute, low, high)
    else:
        # Every category from the lowest to the highest.
        starts = np.append(0, np.cumsum(high - low + 1))
        steps = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
        spans = Decoding.sets(column.attribute, starts, np.repeat(low, np.diff(starts)) + steps)
    place = np.full(count, -1, dtype=np.int64)
    place[filled] = np.arange(len(filled))
    return spans.take(place)


def _texts(data: Microdata, column: Column, rows: NDArray[np.int64]) -> list[str]:
    if not column.attribute.continuous:
        categories = column.attribute.categories
        return [text_of(categories[code]) for code in column.values[rows].tolist()]
    if not _numeric(data, column.name):
        # Dates are stored as counts of days; readers want to see dates.
        from discreet.io.frames import to_table

        table = to_table(Microdata([column], data.source).take(rows))
        return [str(value) for value in table[column.name].to_pylist()]
    return [text_of(value) for value in column.values[rows].tolist()]


def _numeric(data: Microdata, name: str) -> bool:
    """Whether the column came as numbers, and not as dates or times."""
    if data.source is None:
        return True
    dtype: Any = data.source.frame[name].dtype
    return bool(dtype.is_numeric())
