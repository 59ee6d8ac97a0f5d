"""The dictionary of an SPSS file, checked before it is read, because the reader trusts it.

A value label that points beyond the variables or at a text in the format of a number, or a text
variable without the records that hold the rest of it, crashes the process without a message. The
layout is that of the PSPP manual, "System File Format".
"""

from __future__ import annotations

import struct
from mmap import ACCESS_READ, mmap
from pathlib import Path

from discreet.errors import DataError

__all__ = ["refuse_broken_dictionary"]

_HEADER = 176
_VARIABLE, _LABELS, _LABELLED, _DOCUMENT, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_WIDEST = 255
_TEXT_FORMATS = (1, 2)  # A and AHEX


def refuse_broken_dictionary(path: Path) -> None:
    """Refuse a .sav or .zsav file whose dictionary is not consistent."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        try:
            whole = _holds_together(content)
        except (struct.error, IndexError):
            whole = False
    if not whole:
        raise DataError(
            f"the list of variables in the SPSS file '{path.name}' is damaged; copy the file "
            "again, or save it once more in SPSS"
        )


def _holds_together(content: mmap) -> bool:
    if content[:3] != b"$FL":
        return True  # some other format: the reader says so
    # The layout code is 2 or 3, in the byte order of the machine that wrote it.
    order = "<" if content[64] else ">"
    place, rest = _HEADER, 0
    fit_for_labels: list[bool] = []
    while True:
        (kind,) = struct.unpack_from(order + "i", content, place)
        place += 4
        if kind == _VARIABLE:
            width, labelled, missing, *formats = struct.unpack_from(order + "5i", content, place)
            if (width == -1) != (rest > 0) or not -1 <= width <= _WIDEST or abs(missing) > 3:
                return False
            rest = rest - 1 if width == -1 else max(0, (width - 1) // 8)
            texts = {(format >> 16) & 0xFF in _TEXT_FORMATS for format in formats}
            fit_for_labels.append(width != -1 and texts == {width > 0})
            place += 28
            if labelled:
                place += 4 + _padded(_count(order, content, place), 4)
            place += 8 * abs(missing)
        elif kind == _LABELS:
            count = _count(order, content, place)
            place += 4
            for _ in range(count):
                place += 8 + _padded(content[place + 8] + 1, 8)
        elif kind == _LABELLED:
            count = _count(order, content, place)
            for number in struct.unpack_from(f"{order}{count}i", content, place + 4):
                if not 1 <= number <= len(fit_for_labels) or not fit_for_labels[number - 1]:
                    return False
            place += 4 + 4 * count
        elif kind == _DOCUMENT:
            place += 4 + 80 * _count(order, content, place)
        elif kind == _EXTENSION:
            size, count = _count(order, content, place + 4), _count(order, content, place + 8)
            place += 12 + size * count
        else:
            return kind == _END and rest == 0


def _count(order: str, content: mmap, place: int) -> int:
    (count,) = struct.unpack_from(order + "i", content, place)
    if count < 0 or count > len(content):
        raise IndexError("a count beyond the file")
    return int(count)


def _padded(size: int, unit: int) -> int:
    return -(-size // unit) * unit
