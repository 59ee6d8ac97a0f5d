"""Which encoding a text file has, and its content as UTF-8.

A byte order mark decides; else a valid UTF-8 file is UTF-8; else it is Windows' cp1252,
or latin-1 where cp1252 has no character for a byte. A file that is UTF-8 except for a few bytes is
damaged, not cp1252, and is refused rather than read with wrong letters.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import DataError, UsageError, nearest
from discreet.io.csv_signs import Signs

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["checked_encoding", "to_utf8"]

_CHUNK = 1 << 18
"""Bytes examined at a time, which fit in the processor's cache."""
LAST_ASCII = 0x7F
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COMMON = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1", "cp1250", "iso8859-15", "cp437")
_UNDEFINED_IN_CP1252 = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")
_UTF8_SEQUENCE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")


def checked_encoding(name: str) -> str:
    """Return Python's name of an encoding for text; an unknown one is refused.

    >>> checked_encoding("UTF8")
    'utf-8'
    """
    try:
        codec = codecs.lookup(name)
        "".encode(name)  # refuses codecs that are not for text, such as base64
    except (LookupError, TypeError, ValueError):
        raise UsageError(
            f"the encoding must be one that Python knows, such as {', '.join(_COMMON[:4])}, "
            f"and {name!r} was given{nearest(str(name), _COMMON) or ''}"
        ) from None
    return "latin-1" if codec.name == "iso8859-1" else codec.name


def to_utf8(
    raw: pa.Buffer, encoding: str | None, path: Path, signs: Signs | None = None
) -> tuple[pa.Buffer, str]:
    """Return the content as UTF-8 without byte order mark, and the encoding it had.

    `signs` are those of the content, if they are already known.

    >>> import pyarrow as pa
    >>> data, encoding = to_utf8(pa.py_buffer("é".encode("cp1252")), None, Path("x.csv"))
    >>> data.to_pybytes().decode(), encoding
    ('é', 'cp1252')
    """
    if signs is not None and signs.plain and encoding is None:
        return raw, "utf-8"
    detected = _detect(raw, path) if encoding is None else checked_encoding(encoding)
    if detected in ("utf-8", "utf-8-sig"):
        has_mark = raw[:3].to_pybytes() == codecs.BOM_UTF8
        if encoding is not None:
            _check_utf8(raw, path)
        data = raw[3:] if has_mark else raw
        detected = "utf-8-sig" if has_mark else "utf-8"
    else:
        data = _transcoded(raw, detected, path)
    _refuse_nul(data, path)
    return data, detected


def _detect(raw: pa.Buffer, path: Path) -> str:
    start = raw[:4].to_pybytes()
    for mark, name in _MARKS:
        if start.startswith(mark):
            if name == "utf-8-sig":
                _check_utf8(raw, path)
            return name
    bad = _first_bad_byte(raw)
    if bad is None:
        return "utf-8"
    content = raw.to_pybytes()
    sequences = sum(len(match) for match in _UTF8_SEQUENCE.findall(content))
    if 2 * sequences > len(_HIGH_BYTE.findall(content)):
        raise _undecodable(raw, bad, "utf-8", path)
    return "latin-1" if any(byte in content for byte in _UNDEFINED_IN_CP1252) else "cp1252"


def _chunks(raw: pa.Buffer) -> list[pa.Buffer]:
    return [raw[start : start + _CHUNK] for start in range(0, raw.size, _CHUNK)]


def _first_bad_byte(raw: pa.Buffer) -> int | None:
    """Return the offset of the first byte that is not UTF-8, if there is one."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in _chunks(raw):
            if np.frombuffer(chunk, np.uint8).max() > LAST_ASCII or decoder.getstate()[0]:
                decoder.decode(chunk.to_pybytes())
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        try:
            raw.to_pybytes().decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start
    return None


def _check_utf8(raw: pa.Buffer, path: Path) -> None:
    bad = _first_bad_byte(raw)
    if bad is not None:
        raise _undecodable(raw, bad, "utf-8", path)


def _transcoded(raw: pa.Buffer, encoding: str, path: Path) -> pa.Buffer:
    import pyarrow as pa

    decoder = codecs.getincrementaldecoder(encoding)()
    sink = pa.BufferOutputStream()
    try:
        for chunk in _chunks(raw):
            sink.write(decoder.decode(chunk.to_pybytes()).encode("utf-8"))
        sink.write(decoder.decode(b"", final=True).encode("utf-8"))
    except UnicodeError:
        try:
            raw.to_pybytes().decode(encoding)
            bad = 0
        except UnicodeDecodeError as error:
            bad = error.start
        except UnicodeError:
            bad = 0
        raise _undecodable(raw, bad, encoding, path) from None
    return sink.getvalue()


def _line_of(raw: pa.Buffer, offset: int) -> int:
    before: bytes = raw[:offset].to_pybytes()
    return before.count(b"\n") + 1


def _undecodable(raw: pa.Buffer, offset: int, encoding: str, path: Path) -> DataError:
    other = "cp1252" if encoding.startswith("utf-8") else "utf-8"
    return DataError(
        f"the file '{path.name}' is not {encoding} text: byte {offset} on line "
        f"{_line_of(raw, offset)} does not fit; repair the file or name its encoding "
        f"(encoding='{other}', for instance)"
    )


def _refuse_nul(data: pa.Buffer, path: Path) -> None:
    before = 0
    for chunk in _chunks(data):
        if not np.frombuffer(chunk, np.uint8).min():
            at = chunk.to_pybytes().find(b"\0")
            raise DataError(
                f"a text file holds no NUL bytes, but '{path.name}' has one at byte "
                f"{before + at} on line {_line_of(data, before + at)}; if it is UTF-16 without "
                "a byte order mark, say encoding='utf-16-le'; otherwise it is damaged or not text"
            )
        before += chunk.size
