"""The dictionary of an SPSS file, checked before it is read, because the reader trusts it.

A value label that points beyond the variables or at a text in the format of a number, a labelled
text that is not in the encoding of the file, or a text variable without the records that hold the
rest of it, crashes the process without a message. The layout is that of the PSPP manual, "System
File Format".
"""

from __future__ import annotations

import codecs
import struct
from mmap import ACCESS_READ, mmap
from pathlib import Path

from discreet.errors import DataError

__all__ = ["refuse_broken_dictionary"]

_HEADER = 176
_VARIABLE, _LABELS, _LABELLED, _DOCUMENT, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_WIDEST = 255
_TEXT_FORMATS = (1, 2)  # A and AHEX
_MACHINE, _ENCODING, _LONG_LABELS = 3, 20, 21  # kinds of extensions
_CODE_PAGES = {2: "ascii", 3: "ascii", 28591: "latin-1", 65000: "utf-7", 65001: "utf-8"}


def refuse_broken_dictionary(path: Path, encoding: str | None = None) -> None:
    """Refuse a .sav or .zsav file whose dictionary is not consistent."""
    keys: list[bytes] = []
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        try:
            written = _encoding(content, keys)
        except (struct.error, IndexError):
            written = None
    if written is None:
        raise DataError(
            f"the list of variables in the SPSS file '{path.name}' is damaged; copy the file "
            "again, or save it once more in SPSS"
        )
    if not all(_is_text(value, encoding or written) for value in keys):
        raise DataError(
            f"labelled texts in the SPSS file '{path.name}' are not valid '{encoding or written}'; "
            "name the encoding of the file (encoding=)"
        )


def _is_text(value: bytes, encoding: str) -> bool:
    """Whether bytes can be decoded.

    >>> _is_text(b"N", "no such"), _is_text(b"\\xe9", "cp1252"), _is_text(b"\\xe9", "utf-8")
    (True, True, False)
    """
    if value.isascii():
        return True
    try:
        codecs.decode(value, encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _encoding(content: mmap, keys: list[bytes]) -> str | None:
    """Return the encoding and add the texts that have labels; None for a damaged file."""
    if content[:3] != b"$FL":
        return ""  # some other format: the reader says so
    encoding, values = "cp1252", list[bytes]()
    # The layout code is 2 or 3, in the byte order of the machine that wrote it.
    order = "<" if content[64] else ">"
    place, rest = _HEADER, 0
    fit_for_labels, texts_at = list[bool](), list[bool]()
    while True:
        (kind,) = struct.unpack_from(order + "i", content, place)
        place += 4
        if kind == _VARIABLE:
            width, labelled, missing, *formats = struct.unpack_from(order + "5i", content, place)
            if (width == -1) != (rest > 0) or not -1 <= width <= _WIDEST or abs(missing) > 3:
                return None
            rest = rest - 1 if width == -1 else max(0, (width - 1) // 8)
            texts = {(format >> 16) & 0xFF in _TEXT_FORMATS for format in formats}
            fit_for_labels.append(width != -1 and texts == {width > 0})
            texts_at.append(width > 0)
            place += 28
            if labelled:
                place += 4 + _padded(_count(order, content, place), 4)
            place += 8 * abs(missing)
        elif kind == _LABELS:
            count = _count(order, content, place)
            place += 4
            values = []
            for _ in range(count):
                values.append(content[place : place + 8])
                place += 8 + _padded(content[place + 8] + 1, 8)
        elif kind == _LABELLED:
            count = _count(order, content, place)
            for number in struct.unpack_from(f"{order}{count}i", content, place + 4):
                if not 1 <= number <= len(fit_for_labels) or not fit_for_labels[number - 1]:
                    return None
                keys += values if texts_at[number - 1] else []
            place += 4 + 4 * count
        elif kind == _DOCUMENT:
            place += 4 + 80 * _count(order, content, place)
        elif kind == _EXTENSION:
            size, count = _count(order, content, place + 4), _count(order, content, place + 8)
            (extension,) = struct.unpack_from(order + "i", content, place)
            payload = content[place + 12 : place + 12 + size * count]
            if extension == _MACHINE and encoding == "cp1252" and len(payload) >= 32:
                (page,) = struct.unpack_from(order + "i", payload, 28)
                encoding = _CODE_PAGES.get(page, f"cp{page}")
            elif extension == _ENCODING:
                encoding = payload.decode("latin-1").strip("\0 ")
            elif extension == _LONG_LABELS:
                keys += _long_labelled(order, payload)
            place += 12 + size * count
        else:
            return encoding if kind == _END and rest == 0 else None


def _long_labelled(order: str, payload: bytes) -> list[bytes]:
    """Return the texts of more than eight bytes that have labels."""
    place, values = 0, list[bytes]()
    while place < len(payload):
        place += 4 + _count(order, payload, place)
        number = _count(order, payload, place + 4)
        place += 8
        for _ in range(number):
            size = _count(order, payload, place)
            values.append(payload[place + 4 : place + 4 + size])
            place += 4 + size
            place += 4 + _count(order, payload, place)
    return values


def _count(order: str, content: mmap | bytes, place: int) -> int:
    (count,) = struct.unpack_from(order + "i", content, place)
    if count < 0 or count > len(content):
        raise IndexError("a count beyond the file")
    return int(count)


def _padded(size: int, unit: int) -> int:
    return -(-size // unit) * unit
