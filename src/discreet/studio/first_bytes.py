"""What a file holds by its first bytes: a name can say anything.

Every reader would notice eventually; here a steward is told at once, before a file is kept or read,
and only tables reach a reader.
"""

from __future__ import annotations

from pathlib import Path

from discreet.errors import DataError
from discreet.io.formats import kind_of_path
from discreet.io.packing import PACKINGS

HEAD = 4096
"""Bytes by which the content is recognised."""
SIGNATURES: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"PAR1", "a Parquet file", ("parquet",)),
    (b"ARROW1", "an Arrow file", ("arrow",)),
    (b"PK\x03\x04", "a spreadsheet or a zip archive", ("excel",)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old spreadsheet", ("excel",)),
    (b"SQLite format 3\x00", "an SQLite database", ("sqlite",)),
    (b"$FL2", "an SPSS file", ("sav",)),
    (b"$FL3", "an SPSS file", ("sav",)),
    (b"<stata_dta>", "a Stata file", ("dta",)),
    (b"\x1f\x8b", "a compressed file", ("r",)),
    (b"BZh", "a compressed file", ("r",)),
    (b"\xfd7zXZ\x00", "a compressed file", ("r",)),
    (b"\x28\xb5\x2f\xfd", "a compressed file", ()),
    (b"%PDF", "a PDF", ()),
    (b"\x89PNG", "a picture", ()),
    (b"\xff\xd8\xff", "a picture", ()),
    (b"GIF8", "a picture", ()),
    (b"\x7fELF", "a program", ()),
    (b"MZ", "a program", ()),
)
"""How files of some formats begin, what they are, and the formats of ours that begin so."""
TEXT = ("csv", "fixed width", "json lines")
EXACT = ("parquet", "excel", "sqlite", "sav")
"""Formats whose files always begin with one of their signatures."""
LETTERS = (b"MZ", b"BZh", b"GIF8", b"PAR1", b"$FL2", b"$FL3")
"""Signatures that a text file may begin with, too."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def refuse_other_content(name: str, head: bytes) -> None:
    """Refuse a file whose first bytes are of another format than its name says.

    >>> refuse_other_content("people.csv", b"age,sex")
    >>> refuse_other_content("people.csv", b"PK\\x03\\x04")
    Traceback (most recent call last):
    discreet.errors.DataError: 'people.csv' is called a csv file but holds a spreadsheet or a zip
        archive; ...
    """
    kind, suffix = kind_of_path(Path(name))
    if not head or suffix.endswith(tuple(PACKINGS)):
        return
    begin, content, kinds = next((s for s in SIGNATURES if head.startswith(s[0])), (b"", "", ()))
    if kind.name in TEXT:
        binary = b"\0" in head and not head.startswith(UTF_16)
        if binary or (content and begin not in LETTERS):
            raise DataError(_words(name, kind.name, content or "something other than text"))
    elif kind.name not in kinds and (content or kind.name in EXACT):
        raise DataError(_words(name, kind.name, content or "something else"))


def refuse_other_file(path: Path) -> None:
    """Refuse a file of the folder in the same way."""
    with path.open("rb") as file:
        refuse_other_content(path.name, file.read(HEAD))


def _words(name: str, kind: str, content: str) -> str:
    return (
        f"'{name}' is called a {kind} file but holds {content}; rename it after what it holds, or "
        "save it in another format"
    )
