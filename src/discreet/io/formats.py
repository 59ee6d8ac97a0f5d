"""What is known about a file's format, and the contract that one format fulfils.

A format is one module of the folder `kinds` that registers a `FileKind`; `known_kinds` finds it
there, so adding a format edits no other file.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from discreet.errors import UsageError, nearest
from discreet.io.packing import PACKINGS
from discreet.microdata.unknown_column import look_like_values, named_by_header

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.io.date_forms import DateForm
    from discreet.io.number_forms import NumberForm

__all__ = [
    "FileFormat",
    "FileKind",
    "FileTable",
    "chosen_columns",
    "format_for",
    "kind_named",
    "kind_of_path",
    "known_kinds",
    "register",
]


@dataclass(frozen=True)
class FileFormat:
    """What was detected about a file: all that is needed to write a table in the same format.

    `details` belongs to the kind (delimiter and encoding of a CSV file, formats and missing
    ranges of an SPSS file); what other layers read is in the named fields. Entries of columns
    that are no longer in a table are left out when it is written.

    >>> FileFormat.default().suffix
    '.csv'
    """

    kind: str
    suffix: str
    details: Any = None
    #: Columns that the file declares 'continuous', 'ordinal' or 'nominal'.
    kinds: Mapping[str, str] = field(default_factory=dict)
    variable_labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    #: How a file with types of its own writes dates and amounts that it keeps as text.
    forms: Mapping[str, DateForm | NumberForm] = field(default_factory=dict)

    @property
    def written_forms(self) -> Mapping[str, DateForm | NumberForm]:
        """How dates and amounts are written as text, by column."""
        return getattr(self.details, "forms", self.forms)

    @classmethod
    def default(cls) -> FileFormat:
        """Return the format for a frame that came from no file: UTF-8 CSV with commas.

        >>> FileFormat.default().kind
        'csv'
        """
        return format_for(".csv")


@dataclass(frozen=True)
class FileTable:
    """A table as read, with its format and what was detected, in plain words.

    `with_own_codes` returns the format of a release that has the codes for missing values which the
    file itself declares, and which code stood where, by column. Columns made here from checked text
    are `sound`; those that a file brings along may be damaged.
    """

    table: pa.Table
    format: FileFormat
    notes: tuple[str, ...] = ()
    with_own_codes: Callable[[], tuple[FileFormat, Mapping[str, pa.Array]]] | None = None
    sound: bool = False


class FileKind(ABC):
    """One file format: which suffixes it has, how it is read and how it is written."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    #: The names that `read_table(path, **options)` accepts for this format.
    options: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the file; `columns` is None for all."""

    @abstractmethod
    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the file's cells uninterpreted.

        They check what `read` makes of a file: the texts of a text file, the stored values of a
        typed one. `options` are those of `options_of`.
        """

    @abstractmethod
    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the table to exactly this path."""

    def read_back(self, path: Path, format: FileFormat, schema: pa.Schema) -> pa.Table:
        """Return a table that was written in this format, when it had the types of `schema`."""
        return self.read(path, format.suffix, None, self.options_of(format)).table

    @abstractmethod
    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format for a table that comes from elsewhere."""

    def options_of(self, format: FileFormat) -> dict[str, Any]:
        """Return the options with which a file of this format is read without detection."""
        return {}


_registered: dict[str, FileKind] = {}

Kind = TypeVar("Kind", bound=type[FileKind])


def register(kind: Kind) -> Kind:
    """Make a format known (a class decorator)."""
    _registered[kind.name] = kind()
    return kind


@cache
def _scan() -> None:
    package = importlib.import_module("discreet.io.kinds")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"discreet.io.kinds.{module.name}")


def known_kinds() -> Mapping[str, FileKind]:
    """Return the formats by name: every module of the folder `kinds`.

    >>> "csv" in known_kinds()
    True
    """
    _scan()
    return _registered


def _by_suffix() -> dict[str, FileKind]:
    return {suffix: kind for kind in known_kinds().values() for suffix in kind.suffixes}


def kind_named(name: str) -> FileKind:
    """Return the format of this name.

    >>> kind_named("parquet").suffixes[0]
    '.parquet'
    """
    kinds = known_kinds()
    if name not in kinds:
        raise UsageError(
            f"the file format must be one of {', '.join(sorted(kinds))}, "
            f"and '{name}' was given{nearest(name, kinds) or ''}"
        )
    return kinds[name]


def kind_of_path(path: Path) -> tuple[FileKind, str]:
    """Return the format that the file name's suffix indicates, and that suffix.

    >>> kind, suffix = kind_of_path(Path("people.CSV"))
    >>> kind.name, suffix
    ('csv', '.csv')
    """
    known = _by_suffix()
    name = path.name.lower()
    for suffix in sorted(known, key=len, reverse=True):
        if name.endswith(suffix) and name != suffix:
            return known[suffix], suffix
    received = f"the suffix '{path.suffix}'" if path.suffix else "no suffix"
    hint = nearest(path.suffix.lower(), known) if path.suffix else ""
    if path.suffix.lower() in PACKINGS:
        hint = f"; name it after what it holds, as in {path.stem}.csv{path.suffix}"
    raise UsageError(
        f"a file's format is recognised by its suffix ({', '.join(sorted(known))}), "
        f"and '{path.name}' has {received}{hint or '; rename or convert the file'}"
    )


def format_for(suffix: str, **options: Any) -> FileFormat:
    """Return the format in which to write a table from elsewhere, by suffix or name.

    >>> format_for("parquet").suffix
    '.parquet'
    >>> format_for(".csv", delimiter=";", decimal=",").details.decimal
    ','
    """
    wanted = "." + suffix.lower().removeprefix(".")
    known = _by_suffix()
    if wanted not in known:
        writable = sorted(s for s, kind in known.items() if kind.format_for(s, {}).suffix == s)
        raise UsageError(
            f"the output format must be one of {', '.join(writable)}, "
            f"and '{suffix}' was given{nearest(wanted, writable) or ''}"
        )
    kind = known[wanted]
    check_options(kind, options)
    return kind.format_for(wanted, options)


def check_options(kind: FileKind, options: Mapping[str, Any]) -> None:
    """Refuse an option that the format does not have."""
    for name in options:
        if name not in kind.options:
            accepted = ", ".join(kind.options) or "no options"
            others = sorted(s for s, other in _by_suffix().items() if name in other.options)
            of_others = f", which is for names that end in {', '.join(others)}" if others else ""
            raise UsageError(
                f"a {kind.name} file takes {accepted}, but the option '{name}' "
                f"was given{nearest(name, kind.options) or of_others}"
            )


def chosen_columns(columns: Sequence[str] | None, names: Sequence[str], path: Path) -> list[str]:
    """Return the columns to read, in the file's order; a name not in the file is refused.

    >>> chosen_columns(["b", "a"], ["a", "b", "c"], Path("x.csv"))
    ['a', 'b']
    """
    if columns is None:
        return list(names)
    if isinstance(columns, str):
        raise UsageError(
            f"the columns to read are a list of names, but the text '{columns}' was given; "
            f"write ['{columns}']"
        )
    known = set(names)
    for name in columns:
        if name not in known:
            header = named_by_header(columns, names) or not look_like_values(names)
            raise UsageError(
                f"the columns to read must be in the file, but '{path.name}' has no column "
                f"'{name}'{nearest(str(name), names) if header else ''}"
            )
    if not columns:
        raise UsageError(
            f"at least one column must be read, but none was named for '{path.name}'; "
            "name some, or leave columns out to read all"
        )
    wanted = set(columns)
    return [name for name in names if name in wanted]
