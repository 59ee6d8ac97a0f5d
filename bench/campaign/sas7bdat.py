"""The smallest possible SAS data set: no library writes this format, but people have such files.

Laid out after the public descriptions of the format (little-endian, 32 bits, not compressed): a
header, one page of metadata, one page of rows.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

HEADER, PAGE = 1024, 4096
MAGIC = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
ROW_SIZE, COLUMN_SIZE, COUNTS = b"\xf7" * 4, b"\xf6" * 4, b"\x00\xfc\xff\xff"
TEXT, NAMES = b"\xfd\xff\xff\xff", b"\xff\xff\xff\xff"
ATTRIBUTES, FORMAT = b"\xfc\xff\xff\xff", b"\xfe\xfb\xff\xff"
NUMBER, CHARACTERS = 1, 2


def sas7bdat(columns: Mapping[str, Sequence[float] | Sequence[str]]) -> bytes:
    """Return columns of numbers and texts as a SAS data set."""
    widths = {
        name: 8 if isinstance(values[0], float) else max(len(str(v).encode()) for v in values)
        for name, values in columns.items()
    }
    rows = b"".join(
        b"".join(_cell(value, width) for value, width in zip(row, widths.values(), strict=True))
        for row in zip(*columns.values(), strict=True)
    )
    length = sum(widths.values())
    return _header() + _metadata(columns, widths, len(rows) // length, length) + _data(rows, length)


def _cell(value: float | str, width: int) -> bytes:
    if isinstance(value, float):
        return struct.pack("<d", value)
    return value.encode().ljust(width)


def _header() -> bytes:
    page = bytearray(HEADER)
    page[: len(MAGIC)] = MAGIC
    page[32], page[35], page[37], page[39] = 0x22, 0x22, 1, ord("1")
    page[70] = 20  # UTF-8
    page[84:92] = b"SAS FILE"
    page[92:156] = b"PEOPLE".ljust(64)
    page[156:164] = b"DATA    "
    struct.pack_into("<iii", page, 196, HEADER, PAGE, 2)
    page[216:224] = b"9.0401M6"
    return bytes(page)


def _metadata(
    columns: Mapping[str, Sequence[float] | Sequence[str]],
    widths: Mapping[str, int],
    rows: int,
    length: int,
) -> bytes:
    count = len(columns)
    row_size = bytearray(480)
    row_size[:4] = ROW_SIZE
    struct.pack_into("<ii", row_size, 20, length, rows)
    struct.pack_into("<ii", row_size, 36, count, 0)
    struct.pack_into("<i", row_size, 52, PAGE)
    struct.pack_into("<i", row_size, 60, 0)
    text = bytearray(28)
    places = {}
    for name in columns:
        places[name] = len(text)
        text += name.encode().ljust(-(-len(name) // 4) * 4, b"\0")
    struct.pack_into("<H", text, 0, len(text))
    text += bytes(8)
    names = bytearray(12 + 8 * count + 8)
    names[:4] = NAMES
    struct.pack_into("<H", names, 4, len(names) - 20 + 8)
    kinds = bytearray(12 + 12 * count + 8)
    kinds[:4] = ATTRIBUTES
    struct.pack_into("<H", kinds, 4, len(kinds) - 20 + 8)
    at = 0
    for place, (name, values) in enumerate(columns.items()):
        struct.pack_into("<HHH", names, 12 + 8 * place, 0, places[name], len(name))
        kind = NUMBER if isinstance(values[0], float) else CHARACTERS
        struct.pack_into("<iiHBB", kinds, 12 + 12 * place, at, widths[name], 0x400, kind, 0)
        at += widths[name]
    formats = [FORMAT + bytes(48) for _ in columns]
    parts = [
        bytes(row_size),
        COLUMN_SIZE + struct.pack("<ii", count, 0),
        COUNTS + bytes(300),
        TEXT + bytes(text),
        bytes(names),
        bytes(kinds),
        *formats,
    ]
    page = bytearray(PAGE)
    struct.pack_into("<HHH", page, 16, 0, len(parts), len(parts))
    end = PAGE
    for place, part in enumerate(parts):
        end -= len(part)
        page[end : end + len(part)] = part
        struct.pack_into("<iiBB", page, 24 + 12 * place, end, len(part), 0, 0)
    return bytes(page)


def _data(rows: bytes, length: int) -> bytes:
    page = bytearray(PAGE)
    struct.pack_into("<HHH", page, 16, 0x100, len(rows) // length, 0)
    page[24 : 24 + len(rows)] = rows
    return bytes(page)
