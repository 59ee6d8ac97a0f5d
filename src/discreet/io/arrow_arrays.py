"""Arrow arrays as NumPy arrays: numbers, moments in time and categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import MISSING_CODE, Kind
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

AT_ONCE, FEW = 1 << 15, 200
"""Values that are coded at once, in the processor's cache, and distinct ones that are a few."""


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
    converted = array.cast(pa.float64(), safe=False)
    floats: NDArray[np.float64] = converted.to_numpy(zero_copy_only=False)
    if types.is_integer(arrow_type) and not array.null_count:
        return floats  # nobody else holds them, and none is −0
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


def encoded_once(array: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """Return the values as codes into those that occur.

    >>> import pyarrow as pa
    >>> encoded_once(pa.array([1.5, 2.5, 1.5], pa.float32()).cast(pa.float16())).indices.to_pylist()
    [0, 1, 0]
    """
    import pyarrow as pa

    # Arrow encodes half floats only from version 26 on; single ones hold them exactly.
    encoded = (
        array.cast(pa.float32()) if pa.types.is_float16(array.type) else array
    ).dictionary_encode()
    # All chunks share one list; joined earlier, the texts would be copied, not only their codes.
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


def codes_of(
    array: pa.Array, name: str, order: Sequence[Any] | None
) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes into sorted categories (or into `order`, or into the dtype's own order)."""
    import pyarrow as pa
    import pyarrow.types as types

    given = types.is_dictionary(array.type)
    if order is None and not given and (is_text(array.type) or types.is_integer(array.type)):
        return _codes_in_order(array)
    encoded = array if given else encoded_once(array)
    categories = _python_values(encoded.dictionary)
    indices = encoded.indices.cast(pa.int64()).fill_null(MISSING_CODE).to_numpy()
    codes = np.asarray(indices, dtype=np.int64)
    missing = [c is None or c != c for c in categories]
    if order is None:
        keep = [i for i in range(len(categories)) if not missing[i]]
        if not given:
            keep = _sorted(categories, keep)
        final = [categories[i] for i in keep]
    else:
        final = list(order)
        if any(isinstance(category, list | dict | set) for category in final):
            raise UsageError(f"the categories of column '{name}' must be plain values, not lists")
        if len(set(final)) != len(final):
            raise UsageError(f"the categories of column '{name}' must differ from each other")
    position = {category: i for i, category in enumerate(final)}
    translation = np.full(len(categories) + 1, MISSING_CODE, dtype=np.int32)
    for i, category in enumerate(categories):
        if missing[i]:
            continue
        if category not in position:
            raise DataError(
                f"column '{name}' holds a value that is not among its {len(final)} declared "
                f"categories (first in row {int(np.argmax(codes == i)) + 1}); add it to the "
                "categories or correct the file"
            )
        translation[i] = position[category]
    return translation[codes], tuple(final)


def is_text(kind: pa.DataType) -> bool:
    """Whether values of a type are texts."""
    import pyarrow.types as types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _codes_in_order(
    array: pa.Array | pa.ChunkedArray,
) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes into sorted texts or numbers; those of UTF-8 are sorted as those of Python."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # Arrow has large pages for arrays of a million codes, for which NumPy has none.
    codes = np.frombuffer(pa.allocate_buffer(4 * len(array)), np.int32)
    listed = _codes_of_few(array, codes)
    if listed is None:
        encoded = encoded_once(array)
        listed, indices = encoded.dictionary, encoded.indices
        codes[:] = indices.fill_null(MISSING_CODE) if indices.null_count else indices
    order = pc.sort_indices(listed)
    in_order = np.arange(len(order))
    if not np.array_equal(order, in_order):
        places = np.full(len(order) + 1, MISSING_CODE, dtype=np.int32)
        places[order] = in_order
        for start in range(0, len(codes), AT_ONCE):
            some = codes[start : start + AT_ONCE]
            # A missing value has the code -1, which selects the last place.
            some[:] = places.take(some, mode="wrap")
    return codes, tuple(listed.take(order).to_pylist())


def _codes_of_few(array: pa.Array | pa.ChunkedArray, codes: NDArray[np.int32]) -> pa.Array | None:
    """Write the places of values in a list, and return it; None if there are more than a few.

    Looking values up in a list is faster than making one of all of them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    listed = pa.array([], array.type)
    for start in range(0, len(array), AT_ONCE):
        some = array.slice(start, AT_ONCE)
        found = pc.index_in(some, value_set=listed)
        if found.null_count > some.null_count:
            unseen = some.filter(found.is_null()).unique().drop_null()
            if len(listed) + len(unseen) > FEW:
                return None
            listed = pa.concat_arrays([listed, unseen.take(pc.sort_indices(unseen))])
            found = pc.index_in(some, value_set=listed)
        codes[start : start + len(some)] = found.fill_null(MISSING_CODE)
    return listed


def _python_values(listed: pa.Array) -> list[Any]:
    """Return categories as Python values; moments that Python cannot hold become integers."""
    import pyarrow as pa
    import pyarrow.types as types

    if not types.is_temporal(listed.type) or types.is_interval(listed.type):
        return list(listed.to_pylist())
    try:
        values = list(listed.to_pylist())
        if len(set(values)) == len(listed.unique()):
            return values
    except (OverflowError, ValueError):
        pass
    whole = pa.int32() if types.is_time32(listed.type) or types.is_date32(listed.type) else None
    return list(listed.cast(whole or pa.int64()).to_pylist())


def _sorted(categories: Sequence[Any], keep: list[int]) -> list[int]:
    try:
        return sorted(keep, key=lambda i: categories[i])
    except TypeError:
        return sorted(keep, key=lambda i: str(categories[i]))


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
