"""SAS transport files, and SAS data files, which are written as the former."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from discreet.errors import DataError
from discreet.io.formats import register
from discreet.io.stat_file import Ready, StatFile

if TYPE_CHECKING:
    import pyarrow as pa


@register
class SasTransport(StatFile):
    """SAS transport files.

    >>> SasTransport.suffixes
    ('.xpt', '.xport')
    """

    name = "xpt"
    title = "SAS transport"
    suffixes: ClassVar[tuple[str, ...]] = (".xpt", ".xport")
    reader = "read_xport"
    release_suffix = ".xpt"
    stamp = re.compile(rb"[0-9]{2}[A-Z]{3}[0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{2}")
    no_time = b"01JAN70:00:00:00"

    def _version(self, path: Path) -> int | None:
        with path.open("rb") as file:
            return 8 if b"LIBV8" in file.read(80) else 5

    def _save(self, pyreadstat: ModuleType, path: Path, ready: Ready) -> None:
        _check_range(ready.table)
        pyreadstat.write_xport(
            ready.frame,
            str(path),
            table_name=ready.format.details.table_name or "DATASET",
            file_format_version=ready.format.details.version or 8,
            **ready.shared,
        )


@register
class SasData(SasTransport):
    """SAS data files, which are written as .xpt because only SAS can write the original format.

    >>> SasData.release_suffix
    '.xpt'
    """

    name = "sas7bdat"
    title = "SAS"
    suffixes: ClassVar[tuple[str, ...]] = (".sas7bdat",)
    reader = "read_sas7bdat"

    def _version(self, path: Path) -> int | None:
        return 8


def _check_range(table: pa.Table) -> None:
    """Refuse numbers that SAS transport files, with their old exponents, would make infinite."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for item in table.schema:
        if pa.types.is_floating(item.type):
            sizes = pc.abs(table.column(item.name).cast(pa.float64()))
            if pc.any(pc.and_(pc.is_finite(sizes), pc.greater(sizes, 7e75))).as_py():
                raise DataError(
                    f"a SAS transport file holds numbers up to 7e75, but column '{item.name}' goes "
                    "beyond; write CSV or Parquet"
                )
