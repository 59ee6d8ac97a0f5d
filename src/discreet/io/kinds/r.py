"""R's .rds and .RData files: a data frame is read; it is released as CSV, which R reads itself."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.extras import needing
from discreet.io.formats import FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table
from discreet.io.released_as import ReleasedAs
from discreet.io.sql import chosen_table

__all__ = ["RData"]

_UNPACKED = 12
"""A file is compressed to about a sixth, and is held twice while it is read."""


@register
class RData(ReleasedAs):
    """A data frame of R, alone in a file or one of several.

    >>> RData.suffixes
    ('.rds', '.rdata', '.rda')
    """

    name = "r"
    suffixes = (".rds", ".rdata", ".rda")
    options = ("table",)
    release_suffix = ".csv"

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the columns asked for; a factor is nominal, and its levels are its categories."""
        with needing("r", "an R file"):
            import pyreadr
        import pyarrow as pa

        require_memory(path, _UNPACKED * path.stat().st_size)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                frames = {name or "": frame for name, frame in pyreadr.read_r(str(path)).items()}
        except MemoryError:
            raise
        except Exception:
            # Messages of the library may quote a value of a record.
            raise DataError(
                f"the file '{path.name}' cannot be read as an R file with data frames; check that "
                "it is complete, or save the data frame alone with saveRDS()"
            ) from None
        wanted = options.get("table")
        name = "" if wanted is None and list(frames) == [""] else None
        if name is None:
            name = chosen_table(list(frames), wanted, path)
        frame = frames[name]
        require_names(map(str, frame.columns), path)
        frame = frame[chosen_columns(columns, list(frame.columns), path)]
        try:
            table = bare_table(pa.Table.from_pandas(frame, preserve_index=False))
        except (pa.ArrowException, TypeError, ValueError):
            raise DataError(
                f"each column of '{path.name}' must hold values of one type, but one does not"
            ) from None
        note = f"R, data frame '{name}'" if name else "R"
        return FileTable(table, self.format_for(suffix, {}), (note,))
