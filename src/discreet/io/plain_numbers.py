"""Numbers as nearly all files write them, recognised by a column's bytes, not text by text.

That is digits with at most a minus before them and a point among them: no leading zeros, no space,
no exponent. A pattern does the same several times more slowly; whatever else is written is left to
patterns (`csv_types`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PlainNumbers", "plain_numbers"]

MINUS, POINT, ZERO, NINE = b"-.09"
WIDE = 16
"""Digits of a whole number that a float may not hold exactly."""


class PlainNumbers(NamedTuple):
    """A column as whole numbers or floats, and whether some of its texts have a point."""

    values: pa.ChunkedArray
    pointed: bool


def plain_numbers(text: pa.ChunkedArray) -> PlainNumbers | None:
    """Return a column of texts as whole numbers or floats; None if some are not written plainly.

    As whole numbers each prints back as it was. As floats some text has a point, or is -0, and none
    is a whole number of more digits than a float may hold.

    >>> import pyarrow as pa
    >>> plain_numbers(pa.chunked_array([["7", None], ["-12"]])).values.to_pylist()
    [7, None, -12]
    >>> plain_numbers(pa.chunked_array([["7", "0.50"]])).values.to_pylist()
    [7.0, 0.5]
    >>> [plain_numbers(pa.chunked_array([[t]])) for t in ("007", "+7", "7.", "7e1", " 7", "")]
    [None, None, None, None, None, None]
    """
    import pyarrow as pa

    if text.type != pa.string() or text.null_count == len(text):
        return None
    points, longest, zeros = 0, 0, False
    for chunk in text.chunks:
        chunk_form = _points(chunk)
        if chunk_form is None:
            return None
        points, longest = points + chunk_form[0], max(longest, chunk_form[1])
        zeros = zeros or chunk_form[2]
    try:
        if not points and not zeros:
            return PlainNumbers(_in_one_piece(text.cast(pa.int64())), False)
        if longest >= WIDE and _wide(text, points):
            return None
        return PlainNumbers(_in_one_piece(text.cast(pa.float64())), points > 0)
    except pa.ArrowInvalid:
        return None


def _in_one_piece(numbers: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the numbers in one piece, so that microdata can share them with the table."""
    import pyarrow as pa

    if numbers.num_chunks == 1:
        return numbers  # combining would copy it
    return pa.chunked_array([numbers.combine_chunks()])


def _points(chunk: pa.StringArray) -> tuple[int, int, bool] | None:
    """Return how many points a chunk's texts have, the length of the longest, and if one is -0.

    None if some cannot be plain numbers. Where else a minus or a point stands is not checked: only
    one position of each makes a number.
    """
    offsets, signs = _bytes_of(chunk)
    # Between the minus and the nine there are only the point, the slash and the other digits.
    if len(signs) and (signs.min() < MINUS or signs.max() > NINE):
        return None
    starts, stops = offsets[:-1], offsets[1:]
    if chunk.null_count:
        present = chunk.is_valid().to_numpy(zero_copy_only=False)
        starts, stops = starts[present], stops[present]
    lengths = stops - starts
    if not lengths.all():
        return None
    points = int(np.count_nonzero(signs == POINT))
    first = signs.take(starts)
    below = first == MINUS
    if below.any():
        starts = starts + below
        if (starts == stops).any():
            return None
        first = signs.take(starts)
    if points and (signs.take(stops - 1) == POINT).any():
        return None
    zero = np.flatnonzero(first == ZERO)
    after = starts.take(zero) + 1
    alone = after == stops.take(zero)
    # A leading zero is followed by a point, or stands alone.
    if (signs.take(after[~alone]) != POINT).any():
        return None
    return points, int(lengths.max(initial=0)), bool((alone & below.take(zero)).any())


def _bytes_of(chunk: pa.StringArray) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the bytes of all texts of a chunk, and where each of them begins and the last ends."""
    _, offsets, content = chunk.buffers()
    at = np.frombuffer(offsets, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]
    if content is None:
        return np.zeros(len(chunk) + 1, np.int32), np.zeros(0, np.uint8)
    return at - at[0], np.frombuffer(content, np.uint8)[at[0] : at[-1]]


def _wide(text: pa.ChunkedArray, points: int) -> bool:
    """Whether a text without a point has more digits than a float may hold."""
    import pyarrow.compute as pc

    if points == len(text) - text.null_count:
        return False  # a text with two points is no number
    long = text.filter(pc.greater_equal(pc.binary_length(text), WIDE))
    return bool(pc.any(pc.invert(pc.match_substring(long, "."))).as_py())
