"""Counts of the characters that show how a text can be split, made on all cores as it is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata.all_cores import for_each

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Signs", "read_with_signs", "signs_of"]

_PART = 1 << 22
_CACHED = 1 << 18
"""Bytes that stay in the cache while one character after another is counted in them."""


class Signs(NamedTuple):
    """How many quotes, line feeds and carriage returns there are, and whether all bytes are plain.

    Plain bytes are those of ASCII but for 0, which no text has.
    """

    quotes: int
    lines: int
    returns: int
    plain: bool


def signs_of(data: pa.Buffer) -> Signs:
    """Return the counts for a text.

    >>> import pyarrow as pa
    >>> signs_of(pa.py_buffer(b'a,b\\n"1",2\\n'))
    Signs(quotes=2, lines=2, returns=0, plain=True)
    """
    content = np.frombuffer(data, np.uint8)
    return _together(for_each(lambda at: _signs(content[at]), _parts(len(content)), len(content)))


def read_with_signs(path: Path) -> tuple[pa.Buffer, Signs]:
    """Return the bytes of a file, and their counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.csv")
    ...     _ = path.write_bytes(b"a,b\\n1,2\\n")
    ...     data, signs = read_with_signs(path)
    >>> data.to_pybytes(), signs.lines
    (b'a,b\\n1,2\\n', 2)
    """
    import pyarrow as pa

    # NumPy uses large pages for it, which costs half as much as an Arrow buffer.
    content = np.empty(path.stat().st_size, np.uint8)

    def part_of_file(at: slice) -> Signs:
        part = content[at]
        with path.open("rb") as file:
            file.seek(at.start)
            if file.readinto(part.data) < len(part):
                raise DataError(f"'{path.name}' became shorter while it was read; read it again")
        return _signs(part)

    signs = _together(for_each(part_of_file, _parts(len(content)), len(content)))
    return pa.py_buffer(content), signs


def _parts(size: int) -> list[slice]:
    return [slice(start, start + _PART) for start in range(0, size, _PART)]


def _together(parts: list[Signs]) -> Signs:
    if not parts:
        return Signs(0, 0, 0, True)
    quotes, lines, returns, plain = zip(*parts, strict=True)
    return Signs(sum(quotes), sum(lines), sum(returns), all(plain))


def _signs(content: NDArray[np.uint8]) -> Signs:
    parts = []
    for start in range(0, len(content), _CACHED):
        part = content[start : start + _CACHED]
        quotes, lines, returns = (int(np.count_nonzero(part == sign)) for sign in b'"\n\r')
        # With a sign, the bytes beyond ASCII are negative.
        parts.append(Signs(quotes, lines, returns, bool(part.view(np.int8).min() > 0)))
    return _together(parts)
