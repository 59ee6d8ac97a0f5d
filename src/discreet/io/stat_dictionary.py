"""The data dictionary of an SPSS, Stata or SAS file: what it says about its variables.

Written back for the columns that are still there, and only where it still fits them: a recoded
column may be text where it was a number, or have decimals where it had none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discreet.io.stat_columns import column_class, declares_decimals

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["StatDetails", "fitting_formats", "fitting_labels", "fitting_ranges", "is_tag"]

_KINDS = {"scale": "continuous", "ordinal": "ordinal", "nominal": "nominal"}


@dataclass(frozen=True)
class StatDetails:
    """What is kept of a statistics file besides its labels.

    `ranges` are SPSS's user-defined missing values and `classes` what each column was when the
    file was read ('number', 'text', 'date', …). `returning` are the codes of such ranges that a
    release has again, to tell why a value is missing.

    >>> StatDetails().version is None
    True
    """

    table_name: str = ""
    version: int | None = None
    formats: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, str] = field(default_factory=dict)
    widths: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    returning: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, str]:
        """The measures in the words of a schema."""
        return {
            name: _KINDS[measure] for name, measure in self.measures.items() if measure in _KINDS
        }


def is_tag(value: object) -> bool:
    """Whether a labelled value is one of Stata's or SAS's missing values .a to .z.

    >>> is_tag("a"), is_tag(1)
    (True, False)
    """
    return isinstance(value, str) and len(value) == 1 and (value.isalpha() or value == "_")


def fitting_labels(
    labels: Mapping[str, Mapping[Any, str]], table: pa.Table, tags: bool
) -> dict[str, dict[Any, str]]:
    """Return the value labels whose values occur in their column.

    The label of a category that protection removed would reveal that it existed.

    >>> import pyarrow as pa
    >>> fitting_labels({"sex": {1.0: "man"}, "gone": {1: "x"}}, pa.table({"sex": [1]}), False)
    {'sex': {1: 'man'}}
    """
    fitting: dict[str, dict[Any, str]] = {}
    for name, of_column in labels.items():
        if name not in table.column_names:
            continue
        text = column_class(table.schema.field(name).type) == "text"
        number = column_class(table.schema.field(name).type) == "number"
        occurring = set(table.column(name).unique().to_pylist())
        kept: dict[Any, str] = {}
        for value, label in of_column.items():
            if isinstance(value, str):
                if (text and value in occurring) or (number and tags and is_tag(value)):
                    kept[value] = label
            elif number and value in occurring:
                kept[int(value) if float(value).is_integer() else float(value)] = label
        if kept:
            fitting[name] = kept
    return fitting


def fitting_formats(details: StatDetails, table: pa.Table) -> dict[str, str]:
    """Return the column formats that still say how the column is shown.

    A text column gets its width from its texts, and a number that has decimals now is not shown
    as a whole one.

    >>> import pyarrow as pa
    >>> details = StatDetails(formats={"x": "F4.0"}, classes={"x": "number"})
    >>> fitting_formats(details, pa.table({"x": [1]}))
    {'x': 'F4.0'}
    >>> fitting_formats(details, pa.table({"x": [1.5]}))
    {}
    """
    import pyarrow as pa

    fitting: dict[str, str] = {}
    for item in table.schema:
        shown = details.formats.get(item.name)
        now = column_class(item.type)
        if not shown or now == "text" or now != details.classes.get(item.name):
            continue
        if (
            pa.types.is_floating(item.type)
            and shown.startswith(("F", "N"))
            and not declares_decimals(shown)
        ):
            continue
        fitting[item.name] = shown
    return fitting


def fitting_ranges(details: StatDetails, table: pa.Table) -> dict[str, list[Any]]:
    """Return the user-defined missing values of the columns that still can have them.

    They were read as missing. Where protection moved a value into such a range, the range is
    left out, or the value would be lost.

    >>> import pyarrow as pa
    >>> details = StatDetails(ranges={"x": [{"lo": 98.0, "hi": 99.0}]})
    >>> fitting_ranges(details, pa.table({"x": [1.5]}))
    {'x': [{'lo': 98.0, 'hi': 99.0}]}
    >>> fitting_ranges(details, pa.table({"x": [98.5]}))
    {}
    """
    fitting: dict[str, list[Any]] = {}
    for name, ranges in details.ranges.items():
        if name not in table.column_names:
            continue
        column = table.column(name)
        kind = column_class(column.type)
        wanted: tuple[type, ...] = (str,) if kind == "text" else (int, float)
        if kind not in ("text", "number"):
            continue
        if not all(isinstance(end, wanted) for item in ranges for end in item.values()):
            continue
        moved = _without(column, details.returning.get(name, ()))
        if any(_holds(moved, item["lo"], item["hi"]) for item in ranges):
            continue
        fitting[name] = [dict(item) for item in ranges]
    return fitting


def _without(column: pa.ChunkedArray, codes: Sequence[Any]) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not codes:
        return column
    return column.filter(pc.invert(pc.is_in(column, value_set=pa.array(codes).cast(column.type))))


def _holds(column: pa.ChunkedArray, low: Any, high: Any) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not isinstance(low, str):
        column = column.cast(pa.float64(), safe=False)
        low, high = (-math.inf if low < -1e300 else low), (math.inf if high > 1e300 else high)
    inside = pc.and_(pc.greater_equal(column, low), pc.less_equal(column, high))
    return bool(pc.any(inside).as_py())
