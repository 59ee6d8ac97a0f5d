"""Stata data files."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from discreet.io.formats import FileFormat, register
from discreet.io.stat_file import StatFile

if TYPE_CHECKING:
    import pyarrow as pa


@register
class Stata(StatFile):
    """Stata data files.

    >>> Stata.suffixes
    ('.dta',)
    """

    name = "dta"
    title = "Stata"
    suffixes: ClassVar[tuple[str, ...]] = (".dta",)
    reader = "read_dta"
    release_suffix = ".dta"
    has_tags = True
    only_doubles = False
    stamp = re.compile(rb"[0-9]{2} [A-Za-z]{3} [0-9]{4} [0-9]{2}:[0-9]{2}")
    no_time = b"01 Jan 1970 00:00"

    def _version(self, path: Path) -> int | None:
        """Return the Stata version of the file: its release number is in its first bytes."""
        with path.open("rb") as file:
            start = file.read(64)
        match = re.match(rb"<stata_dta><header><release>([0-9]+)</release>", start)
        release = int(match[1]) if match else start[0]
        return {113: 8, 114: 10, 115: 12, 117: 13, 118: 14, 119: 15}.get(release)

    def _save(
        self,
        pyreadstat: ModuleType,
        frame: Any,
        path: Path,
        format: FileFormat,
        shared: dict[str, Any],
        labels: dict[str, dict[Any, str]],
        tags: dict[str, list[str]],
        table: pa.Table,
    ) -> None:
        pyreadstat.write_dta(
            frame,
            str(path),
            # Version 14 is what every Stata since 2015 reads.
            version=format.details.version or 14,
            variable_value_labels=labels,
            missing_user_values=tags or None,
            **shared,
        )
