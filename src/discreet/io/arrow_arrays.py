"""Arrow arrays as NumPy arrays: numbers and moments in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import Kind
from discreet.microdata.dates import DAY

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""The first day of the year 1 and the last of 9999, counted from 1970."""

LARGEST = 1e140
"""Squares of values are summed in many places; beyond this they could overflow."""

EXACT = 2**53
"""The largest whole number up to which a float represents every whole number."""

NEGATIVE_ZERO = np.iinfo(np.int64).min
"""The bits of −0 as a whole number."""


def opaque(arrow_type: pa.DataType) -> bool:
    """Whether values of this type cannot be categories: lists, structs and the like."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_dictionary(arrow_type):
        return opaque(arrow_type.value_type)
    return types.is_nested(arrow_type) or isinstance(arrow_type, pa.BaseExtensionType)


def in_words(array: pa.Array | pa.ChunkedArray, name: str) -> pa.Array:
    """Return lists, structs and the like as texts that differ where the values do.

    They can then be compared, though not measured, which shows whether they tell records apart.

    >>> import pyarrow as pa
    >>> in_words(pa.array([[1, 2], [], None]), "visits").to_pylist()
    ['[1, 2]', '[]', None]
    """
    import pyarrow as pa

    try:
        values = array.to_pylist()
    except (ArithmeticError, KeyError, TypeError, ValueError, pa.ArrowException):
        # The message of the library may quote the value.
        raise DataError(
            f"column '{name}' holds values of type {array.type}, some of which cannot be read; "
            "drop it with the role identifier, or split it into plain columns"
        ) from None
    return pa.array([None if value is None else repr(value) for value in values], pa.string())


def kind_of(arrow_type: pa.DataType) -> Kind:
    """Return the default kind of a type."""
    import pyarrow.types as types

    if types.is_dictionary(arrow_type):
        return Kind.ORDINAL if arrow_type.ordered else Kind.NOMINAL
    numeric = (
        types.is_integer(arrow_type)
        or types.is_floating(arrow_type)
        or types.is_decimal(arrow_type)
        or (types.is_temporal(arrow_type) and not types.is_interval(arrow_type))
    )
    return Kind.CONTINUOUS if numeric else Kind.NOMINAL


def numbers_of(array: pa.Array, name: str, *, immutable: bool = False) -> NDArray[np.float64]:
    """Return a column as floats, NaN for missing; text is refused.

    The floats of an immutable array are returned without a copy where possible.
    """
    import pyarrow as pa
    import pyarrow.types as types

    arrow_type = array.type
    if types.is_dictionary(arrow_type):
        array = array.dictionary_decode()
        arrow_type = array.type
    if array.null_count == len(array):
        # A file without types cannot say what type an empty column has.
        return np.full(len(array), np.nan)
    if types.is_temporal(arrow_type) and not types.is_interval(arrow_type):
        array = _since_epoch(array)
    elif not (
        types.is_integer(arrow_type)
        or types.is_floating(arrow_type)
        or types.is_decimal(arrow_type)
        or types.is_boolean(arrow_type)
    ):
        raise DataError(
            f"a continuous column must hold numbers, but column '{name}' holds "
            f"{_content(array)}; correct the file, or declare the column nominal"
        )
    if immutable and types.is_float64(arrow_type) and not array.null_count:
        shared: NDArray[np.float64] = array.to_numpy(zero_copy_only=True)
        if not (shared.view(np.int64) == NEGATIVE_ZERO).any():
            return shared
    if types.is_integer(arrow_type) and not array.null_count:
        return np.asarray(array.to_numpy(zero_copy_only=False).astype(np.float64))
    floats = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    if types.is_decimal(arrow_type):
        floats = _nearest(floats, arrow_type.scale)
    # Adding 0 makes −0 an ordinary 0.
    return np.asarray(floats, dtype=np.float64) + 0.0


def _nearest(floats: NDArray[np.float64], decimals: int) -> NDArray[np.float64]:
    """Return the floats nearest to decimals; Arrow's conversion is sometimes off in the last digit.

    >>> _nearest(np.array([9.620000000000001]), 2).tolist()
    [9.62]
    """
    with np.errstate(invalid="ignore"):
        known = np.abs(floats) < EXACT / 10.0**decimals
    return np.where(known, np.round(floats, decimals), floats)


def _content(array: pa.Array) -> str:
    """Describe where a column stops being numeric, without quoting a value."""
    import pyarrow.compute as pc
    import pyarrow.types as types

    if not (types.is_string(array.type) or types.is_large_string(array.type)):
        return f"values of type {array.type}"
    numeric = pc.match_substring_regex(array, r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$")
    flags = numeric.fill_null(True).to_numpy(zero_copy_only=False)
    if flags.all() or not flags.any():
        return "text"
    return f"text as well as numbers (first in row {int(np.argmin(flags)) + 1})"


def _since_epoch(array: pa.Array) -> pa.Array:
    """Dates as days, times as microseconds: whole numbers that a float holds exactly."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_timestamp(array.type):
        array = array.cast(pa.timestamp("us", tz=array.type.tz), safe=False)
    elif types.is_duration(array.type):
        array = array.cast(pa.duration("us"), safe=False)
    elif types.is_time(array.type):
        array = array.cast(pa.time64("us"), safe=False)
    elif types.is_date(array.type):
        return array.cast(pa.date32()).cast(pa.int32())
    return array.cast(pa.int64())


def require_measurable(values: NDArray[np.float64], name: str) -> None:
    """Refuse values that cannot be computed with, by row and column."""
    bad = np.isinf(values)
    if bad.any():
        raise DataError(
            f"continuous values must be finite, but column '{name}' is infinite in row "
            f"{int(np.argmax(bad)) + 1}; make it missing or correct it"
        )
    with np.errstate(invalid="ignore"):
        bad = np.abs(values) > LARGEST
    if bad.any():
        raise DataError(
            f"continuous values must lie within ±{LARGEST:g}, but column '{name}' goes further in "
            f"row {int(np.argmax(bad)) + 1}; use a larger unit"
        )


def require_exact(array: pa.Array, values: NDArray[np.float64], name: str) -> None:
    """Refuse numbers with more digits than a float holds: different records would look alike."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as types

    if types.is_dictionary(array.type):
        array = array.dictionary
        values = numbers_of(array, name)
    arrow_type = array.type
    if types.is_floating(arrow_type) or array.null_count == len(array):
        return
    if types.is_integer(arrow_type):
        # Before the conversion: ±(2⁵³ + 1) is converted to its neighbour.
        exact = all(abs(end) <= EXACT for end in pc.min_max(array).as_py().values())
    else:
        missing = np.isnan(values)
        try:
            if types.is_temporal(arrow_type):
                back = from_epoch(np.where(missing, 0, values), missing, arrow_type)
            else:
                back = pa.array(values, mask=missing).cast(arrow_type, safe=False)
        except pa.ArrowInvalid:
            exact = False
        else:
            exact = bool(back.equals(array))
    if not exact:
        raise DataError(
            f"column '{name}' holds numbers of more than 15 digits, which cannot be computed with "
            "exactly; declare it nominal, or use a coarser unit"
        )


def is_text(kind: pa.DataType) -> bool:
    """Whether values of a type are texts."""
    import pyarrow.types as types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def from_epoch(
    values: NDArray[np.float64], missing: NDArray[np.bool_], target: pa.DataType
) -> pa.Array:
    """Return days or microseconds since 1970 as dates or times of the given type."""
    import pyarrow as pa
    import pyarrow.types as types

    whole = pa.array(values.astype(np.int64), mask=missing)
    if types.is_date(target):
        return whole.cast(pa.int32()).cast(pa.date32()).cast(target)
    if types.is_timestamp(target):
        return whole.cast(pa.timestamp("us", tz=target.tz)).cast(target, safe=False)
    if types.is_duration(target):
        return whole.cast(pa.duration("us")).cast(target, safe=False)
    return whole.cast(pa.time64("us")).cast(target, safe=False)


def require_writable_times(values: NDArray[np.float64], target: pa.DataType, name: str) -> None:
    """Refuse days and moments that the type of a column, or any calendar, does not hold.

    If written anyway, a moment in nanoseconds after 2262 comes back as one after 1677.
    """
    low, after, held = _writable(target)
    if len(values) and not (values.min() >= low and values.max() < after):
        raise DataError(
            f"column '{name}' can hold {held}, but its protected values go further; change "
            "them less, or supply the column as plain numbers"
        )


def _writable(target: pa.DataType) -> tuple[float, float, str]:
    """Return the first day or microsecond that a type holds, the first after, and what it holds."""
    import pyarrow.types as types

    nanoseconds = 9_223_372_036_854_000.0
    if types.is_time(target):
        return 0, DAY["us"], "times from 0:00 to 24:00"
    if types.is_duration(target):
        most = nanoseconds if target.unit == "ns" else 2.0**62
        return -most, most, "292 years" if target.unit == "ns" else "146,000 years"
    if types.is_timestamp(target) and target.unit == "ns":
        return -nanoseconds, nanoseconds, "moments from 1678 to 2262"
    # In local time the last day may already be the next one.
    margin = 1 if types.is_timestamp(target) and target.tz is not None else 0
    day = 1.0 if types.is_date(target) else DAY["us"]
    return (FIRST_DAY + margin) * day, (LAST_DAY + 1 - margin) * day, "the years 1 to 9999"


def without_time_of_day(array: pa.Array) -> bool:
    """Whether an array holds only midnights, in local time."""
    import pyarrow.types as types

    if not types.is_timestamp(array.type):
        return False
    return not (_by_the_clock(array.drop_null()) % DAY["us"]).any()


def midnights(
    values: NDArray[np.float64], missing: NDArray[np.bool_], target: pa.DataType
) -> pa.Array:
    """Return microseconds since 1970 as the nearest midnights in local time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    local = _by_the_clock(from_epoch(values, missing, pa.timestamp("us", target.tz)))
    days = np.rint(np.where(missing, 0, local) / DAY["us"]) * DAY["us"]
    naive = from_epoch(days, missing, pa.timestamp(target.unit))
    if target.tz is None:
        return naive
    # Where clocks go forward at midnight the day begins with the next existing moment.
    return pc.assume_timezone(naive, target.tz, ambiguous="earliest", nonexistent="latest")


def _by_the_clock(moments: pa.Array) -> NDArray[np.float64]:
    import pyarrow.compute as pc

    return numbers_of(moments if moments.type.tz is None else pc.local_timestamp(moments), "")
