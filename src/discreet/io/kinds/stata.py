"""Stata data files."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from discreet.io.formats import register
from discreet.io.stat_file import Ready, StatFile

if TYPE_CHECKING:
    pass


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

    def _save(self, pyreadstat: ModuleType, path: Path, ready: Ready) -> None:
        pyreadstat.write_dta(
            ready.frame,
            str(path),
            # Version 14 is what every Stata since 2015 reads.
            version=ready.format.details.version or 14,
            variable_value_labels=ready.labels,
            missing_user_values=ready.tags or None,
            **ready.shared,
        )
