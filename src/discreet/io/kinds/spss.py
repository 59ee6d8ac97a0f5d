"""SPSS files: system files and portable ones."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from discreet.io.formats import register
from discreet.io.sav_header import refuse_broken_dictionary
from discreet.io.stat_dictionary import StatDetails, fitting_ranges
from discreet.io.stat_file import Ready, StatFile

if TYPE_CHECKING:
    pass


@register
class Spss(StatFile):
    """SPSS system files.

    >>> Spss.suffixes
    ('.sav', '.zsav')
    """

    name = "sav"
    title = "SPSS"
    suffixes: ClassVar[tuple[str, ...]] = (".sav", ".zsav")
    reader = "read_sav"
    release_suffix = ".sav"
    declares_missing = True
    stamp = re.compile(rb"[0-9]{2} [A-Za-z]{3} [0-9]{4}:[0-9]{2}:[0-9]{2}")
    no_time = b"01 Jan 7000:00:00"

    def _suffix(self, suffix: str) -> str:
        return suffix

    def _check(self, path: Path, encoding: str | None) -> None:
        refuse_broken_dictionary(path, encoding)

    def _save(self, pyreadstat: ModuleType, path: Path, ready: Ready) -> None:
        details: StatDetails = ready.format.details
        written = set(ready.table.column_names)
        pyreadstat.write_sav(
            ready.frame,
            str(path),
            compress=ready.format.suffix == ".zsav",
            variable_value_labels=ready.labels,
            missing_ranges=fitting_ranges(details, ready.table),
            variable_measure={n: m for n, m in details.measures.items() if n in written},
            variable_display_width={n: w for n, w in details.widths.items() if n in written},
            **ready.shared,
        )


@register
class SpssPortable(Spss):
    """SPSS portable files, which are written as .sav: a portable file would lose its labels.

    >>> SpssPortable.release_suffix
    '.sav'
    """

    name = "por"
    title = "SPSS portable"
    suffixes: ClassVar[tuple[str, ...]] = (".por",)
    reader = "read_por"
    declares_missing = False
    options: ClassVar[tuple[str, ...]] = ()

    def _suffix(self, suffix: str) -> str:
        return self.release_suffix
