"""Compressed files: gzip, Zstandard, and zip archives that hold one file."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from discreet.errors import DataError
from discreet.io.memory_guard import require_memory

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PACKINGS", "packing_of", "unpacked", "writing_packed"]

PACKINGS = {".gz": "gzip", ".zst": "Zstandard", ".zip": "zip"}
"""The kinds of compression, by the end of the file name."""

_BLOCK = 1 << 24


def packing_of(name: str) -> str:
    """Return the suffix of compression that a file name ends in, or nothing.

    >>> packing_of("people.csv.zst"), packing_of("people.csv")
    ('.zst', '')
    """
    return next((suffix for suffix in PACKINGS if name.lower().endswith(suffix)), "")


def unpacked(path: Path, memory_factor: int) -> pa.Buffer:
    """Return a file's content, unpacked; one that does not fit in memory is refused.

    `memory_factor` is how many times the content's size is needed to work with it.
    """
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    try:
        with _opened(path) as stream:
            while block := stream.read(_BLOCK):
                sink.write(block)
                require_memory(path, memory_factor * sink.tell())
    except (EOFError, OSError, zlib.error, zipfile.BadZipFile):
        kind = PACKINGS.get(packing_of(path.name), "readable")
        raise DataError(
            f"the file '{path.name}' is not a complete {kind} file; copy it again or unpack it "
            "first"
        ) from None
    except NotImplementedError:  # what zipfile raises about methods that Python lacks
        raise DataError(
            f"the archive '{path.name}' is packed by a method that cannot be read here; unpack it "
            "first"
        ) from None
    except RuntimeError:
        raise DataError(
            f"the archive '{path.name}' is protected by a password; unpack it first"
        ) from None
    return sink.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import pyarrow as pa

    packing = packing_of(path.name)
    if packing == ".gz":
        with gzip.open(path) as stream:
            yield stream
    elif packing == ".zst":
        with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
            yield stream
    elif packing == ".zip":
        with zipfile.ZipFile(path) as archive, archive.open(_member(archive, path)) as stream:
            yield stream
    else:
        with path.open("rb") as stream:
            yield stream


def _member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    """Return the only file of an archive, not counting what macOS adds to each."""
    files = [
        item
        for item in archive.infolist()
        if not item.is_dir() and not item.filename.startswith("__MACOSX/")
    ]
    if len(files) != 1:
        raise DataError(
            f"a zip archive of data must hold one file, but '{path.name}' holds {len(files)}; "
            "unpack it and name the file"
        )
    return files[0]


@contextmanager
def writing_packed(path: Path, packing: str) -> Iterator[IO[bytes]]:
    """Open a file for writing, compressed on request; the same content gives the same bytes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing_packed(Path(folder, "x.csv.zip"), ".zip") as file:
    ...         _ = file.write(b"age")
    ...     unpacked(Path(folder, "x.csv.zip"), 1).to_pybytes()
    b'age'
    """
    import pyarrow as pa

    with path.open("wb") as file:
        if packing == ".gz":
            # No time stamp and no name.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                yield cast(IO[bytes], packed)
        elif packing == ".zst":
            with pa.CompressedOutputStream(pa.PythonFile(file, "w"), "zstd") as packed:
                yield packed
        elif packing == ".zip":
            item = zipfile.ZipInfo(path.name.removesuffix(packing))
            item.compress_type = zipfile.ZIP_DEFLATED
            with (
                zipfile.ZipFile(file, "w") as archive,
                archive.open(item, "w", force_zip64=True) as packed,
            ):
                yield packed
        else:
            yield file
