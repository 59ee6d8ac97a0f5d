"""What the cells of a released file mean to a reader who counts them.

Two questions, kept apart:

- Are two cells *written* alike? Records look alike only if the cells of their quasi-identifiers
  are: -0 and 0, "Ayle" and "ayle", an empty text and a missing one look different on paper.
- Do two cells *mean* the same? A confidential value is no more diverse for being written in two
ways: 0 and -0 are one number, "flu" and "Flu " one diagnosis, an empty text is a missing one.

Nothing here is shared with the code that reads files into microdata, since it checks that code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

Ints = NDArray[np.int64]

MISSING = -1
TWO_DIGITS = 1930
"""Two-digit years belong to the hundred years that begin with this one."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*|(?=\.))(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"-?inf(inity)?", re.IGNORECASE)
_DATE = re.compile(
    r"(?P<date>-?[0-9]{4,}-[0-9]{2}-[0-9]{2})"
    r"([ T](?P<time>[0-9]{2}:[0-9]{2}(:[0-9]{2})?)(\.(?P<fraction>[0-9]+))?"
    r"(?P<zone>Z|(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?)?"
)
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?")
_TRUTHS = {"false": 0, "true": 1}


@dataclass(frozen=True)
class Writing:
    """How a column is written: its kind, and what is needed to read its texts.

    `order` has the texts of an ordinal column in their order, `missing` the text that stands for a
    missing value, `decimal` the decimal mark of numbers that are written as text, `form` how dates
    or amounts are written where that is not 1990-12-31 or 1234.5, `codes` the texts that say why a
    value is missing.
    """

    kind: str
    order: Sequence[str] = ()
    missing: str | None = None
    decimal: str = "."
    form: Mapping[str, str] = field(default_factory=dict)
    codes: frozenset[str] = frozenset()


def written(column: pa.ChunkedArray) -> Ints:
    """Return a number for each cell; cells that are written alike have the same number.

    >>> import pyarrow as pa
    >>> written(pa.chunked_array([[0.0, -0.0, None, 0.0]])).tolist()
    [0, 1, -1, 0]
    """
    return _codes(_encoded(column))


def meant(column: pa.ChunkedArray, writing: Writing) -> tuple[Ints, int]:
    """Return a number for each cell according to its meaning, and the number of meanings.

    The meanings of an ordered column (kind continuous or ordinal) are numbered in order; a missing
    value has the number -1.

    >>> import pyarrow as pa
    >>> cells = pa.chunked_array([["1,5", "-0", "0", "NA", "1,50"]])
    >>> codes, count = meant(cells, Writing("continuous", missing="NA", decimal=","))
    >>> codes.tolist(), count
    ([1, 0, 0, -1, 1], 2)
    >>> meant(pa.chunked_array([["flu", "Flu ", "cold"]]), Writing("nominal"))[0].tolist()
    [0, 0, 1]
    """
    if writing.kind == "continuous" and holds_numbers(column) and not writing.codes:
        return _numbers_meant(column)
    encoded = _encoded(column)
    readings = _readings(encoded.dictionary, writing)
    present = dict.fromkeys(reading for reading in readings if reading is not None)
    ordered: Sequence[Any] = list(present) if writing.kind == "nominal" else sorted(present)
    rank = {reading: place for place, reading in enumerate(ordered)}
    table = [*(MISSING if reading is None else rank[reading] for reading in readings), MISSING]
    # A missing cell has the code -1, which selects the last entry.
    return np.array(table, dtype=np.int64)[_codes(encoded)], len(rank)


def holds_numbers(column: pa.ChunkedArray) -> bool:
    """Whether a column is stored as numbers, and not as text that can be read as some.

    >>> import pyarrow as pa
    >>> holds_numbers(pa.chunked_array([[1.5]])), holds_numbers(pa.chunked_array([["1.5"]]))
    (True, False)
    """
    import pyarrow.types as types

    return bool(types.is_floating(column.type) or types.is_integer(column.type))


def _numbers_meant(column: pa.ChunkedArray) -> tuple[Ints, int]:
    """Return `meant` of a column of numbers, without looking at each one individually."""
    import pyarrow.compute as pc

    missing = np.asarray(pc.is_null(column, nan_is_null=True).to_numpy(), dtype=bool)
    # Whole numbers keep all their digits: a missing one is 0 until it is marked.
    values = np.asarray(column.fill_null(0).to_numpy())
    present, places = np.unique(values[~missing], return_inverse=True)
    codes = np.full(len(values), MISSING, dtype=np.int64)
    codes[~missing] = places
    return codes, len(present)


def texts_of(values: pa.Array) -> list[str | None]:
    """Return each value as text, None where it is missing.

    >>> import pyarrow as pa
    >>> texts_of(pa.array([1.0, float("nan"), None]))
    ['1.0', None, None]
    """
    return [None if v is None or v != v else str(v) for v in _plain(values)]


def _encoded(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return the column as codes into what is stored, bit for bit."""
    import pyarrow as pa
    import pyarrow.types as types

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = column.cast(kind.storage_type)
    elif types.is_run_end_encoded(kind):
        column = column.cast(kind.value_type)
    elif types.is_dictionary(kind):
        return _encoded_again(column)
    if types.is_float16(column.type):  # Arrow encodes them only from version 26 on
        column = column.cast(pa.float32())
    if types.is_decimal32(column.type) or types.is_decimal64(column.type):
        column = column.cast(pa.decimal128(38, column.type.scale))
    try:
        return column.combine_chunks().dictionary_encode()
    except pa.ArrowException:
        raise DataError(f"values of type {kind} cannot be counted") from None


def _encoded_again(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column that is stored as codes with every value once among those they stand for."""
    import pyarrow as pa

    whole = column.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.array([], column.type) if not whole.num_chunks else whole.chunk(0)
    once = _encoded(pa.chunked_array([whole.dictionary]))
    return pa.DictionaryArray.from_arrays(once.indices.take(whole.indices), once.dictionary)


def _codes(encoded: pa.DictionaryArray) -> Ints:
    import pyarrow as pa

    codes = encoded.indices.cast(pa.int64()).fill_null(MISSING)
    return np.asarray(codes.to_numpy(zero_copy_only=False))


def _plain(values: pa.Array) -> list[Any]:
    """Return Arrow values as Python values; moments as whole numbers, which keeps every digit."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_date32(values.type) or types.is_time32(values.type):
        values = values.cast(pa.int32())
    elif types.is_temporal(values.type) and not types.is_interval(values.type):
        values = values.cast(pa.int64())
    return list(values.to_pylist())


def _readings(values: pa.Array, writing: Writing) -> list[Any]:
    """Return what each value means, None for a missing one."""
    if writing.kind == "continuous":
        amounts = [_amount(value, writing) for value in _plain(values)]
        if len({isinstance(value, tuple) for value in amounts if value is not None}) > 1:
            raise DataError("it is declared continuous, but holds both dates and numbers")
        return amounts
    gone = {writing.missing, *writing.codes}
    texts = [None if text in gone else text for text in texts_of(values)]
    if writing.kind != "ordinal":
        return [None if text is None else _folded(text) for text in texts]
    places = {text: place for place, text in enumerate(writing.order)}
    if not {text for text in texts if text is not None} <= set(places):
        raise DataError("it is declared ordinal, but holds a value that its order does not list")
    return [None if text is None else places[text] for text in texts]


def _amount(value: Any, writing: Writing) -> Any:
    """Return a value as a number, or a moment as a pair that sorts by time."""
    if value is None or value != value or value == writing.missing or str(value) in writing.codes:
        return None
    if not isinstance(value, str):
        return value
    if "date" in writing.form:
        return _moment(value, str(writing.form["date"]), writing.form.get("months", "").split())
    text = plain_number(value, writing)
    if _NUMBER.fullmatch(text) or _INFINITE.fullmatch(text):
        return Decimal(text)
    if text in _TRUTHS:
        return _TRUTHS[text]
    if _TIME.fullmatch(text):
        return 0, text
    moment = _DATE.fullmatch(value)
    if moment is None:
        raise DataError("it is declared continuous, but holds text")
    try:
        clock = np.datetime64(f"{moment['date']}T{moment['time'] or '00:00'}", "s")
    except ValueError:
        raise DataError("it is declared continuous, but holds text") from None
    seconds = int(clock.astype(np.int64))
    if moment["sign"]:
        ahead = 3600 * int(moment["hours"]) + 60 * int(moment["minutes"])
        seconds -= ahead if moment["sign"] == "+" else -ahead
    return seconds, (moment["fraction"] or "").rstrip("0")


def plain_number(text: str, writing: Writing) -> str:
    """Return a number as it would be written without signs of thousands, currency or percent.

    >>> plain_number("1.234,5 %", Writing("continuous", form={"thousands": ".", "decimal": ",",
    ...                                                       "prefix": "", "suffix": " %"}))
    '1234.5'
    """
    form = writing.form
    if form.get("prefix"):
        text = text.removeprefix(form["prefix"])
    if form.get("suffix"):
        text = text.removesuffix(form["suffix"])
    if form.get("thousands"):
        text = text.replace(form["thousands"], "")
    return text.replace(form.get("decimal", writing.decimal), ".")


def _moment(text: str, pattern: str, months: Sequence[str]) -> tuple[int, str]:
    """Return a date that is written by a pattern of strftime as a pair that sorts by time.

    `months` are the names that stand for `%b`.
    """
    if months:
        month = max((name for name in months if name in text), key=len, default="")
        if month:
            number = f"{months.index(month) + 1:02d}"
            text, pattern = text.replace(month, number), pattern.replace("%b", "%m")
    quarter = re.fullmatch(r"([0-9]{4})-?Q([1-4])", text) if pattern.endswith("Q") else None
    if quarter is not None:
        text, pattern = f"{quarter[1]}-{3 * int(quarter[2]) - 2}", "%Y-%m"
    if "%V" in pattern:
        text, pattern = f"{text} 1", f"{pattern} %u"
    try:
        moment = datetime.strptime(text, pattern).replace(tzinfo=UTC)
    except ValueError:
        raise DataError("it is declared continuous, but holds text") from None
    if "%y" in pattern and moment.year >= TWO_DIGITS + 100:
        moment = moment.replace(year=moment.year - 100)
    fraction = f"{moment.microsecond:06d}".rstrip("0")
    return int(moment.replace(microsecond=0).timestamp()), fraction


def _folded(text: str) -> Hashable:
    """Return a text as a reader understands it: ignoring case, the forms of letters and blanks, and
    signs without width; numbers by value."""
    # Format characters direct how others are shown, and are not seen themselves.
    folded = "".join(c for c in text if unicodedata.category(c) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
    folded = re.sub(r"\s+", " ", folded).strip()
    if _NUMBER.fullmatch(folded):
        return Decimal(folded)
    return folded or None
