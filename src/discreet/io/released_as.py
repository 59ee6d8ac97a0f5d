"""Formats that are read only: a release of such a file is written in another format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from discreet.io.formats import FileFormat, FileKind, format_for

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ReleasedAs"]


class ReleasedAs(FileKind):
    """A format whose files are released in the format of another suffix."""

    release_suffix: ClassVar[str]

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the stored values."""
        return self.read(path, suffix, None, options).table

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Refuse: a file of this kind is read, and released as another."""
        raise TypeError(f"{self.name} files are released as {self.release_suffix}")

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format that such a file is released in."""
        return format_for(self.release_suffix)
