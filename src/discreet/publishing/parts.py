"""A release in parts: a folder of Parquet files that together are the released file.

Its figures are counted by DuckDB, on the cells of all parts, within a limit of memory. So are those
of a CSV file that is larger than memory: its cells are copied to such a folder as texts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.counting_engine import (
    class_sizes_of_parts,
    database,
    least_alike_of_parts,
    least_distinct_of_parts,
)
from discreet.io.csv_cells import csv_cells_as_parquet
from discreet.io.formats import kind_of_path
from discreet.io.memory_guard import available_memory
from discreet.io.packing import packing_of
from discreet.publishing.cell_meanings import Ints, meant
from discreet.publishing.released_cells import NO_KEYS, NotCountable, ReleasedColumn, unit_key
from discreet.publishing.second_count import COUNTS

if TYPE_CHECKING:
    import pyarrow as pa

ORIGIN = "origin"
"""The private folder that says where the rows of each part came from."""

HELD_BACK, HELD_ROW = "held-back", "row of the file"
"""The private folder that says which rows of the file were held back, and its column."""

USUAL = 2_000_000_000
"""Bytes of memory for counting."""

BY_SIZES = ("k-anonymity", "average-group-size", "prosecutor-risk", "sample-uniqueness")
"""What follows from the sizes of the classes alone."""
OF_WHOLE = {"household-k-anonymity": "household", "trajectory-k-anonymity": "person"}
"""What is counted of all records of a household or a person together, by the role of its key."""


TIMES_A_CSV = 10
"""Bytes of memory per byte of a CSV file if all of its cells are counted in memory."""


class PartedCells:
    """The cells of a release in parts, counted where they are.

    `texts` says that they are the cells of a text file, and numbers are written in them. What is
    opened for counting is closed with `opened`.
    """

    def __init__(
        self,
        folder: Path,
        columns: Sequence[ReleasedColumn],
        opened: ExitStack,
        memory: int = USUAL,
        *,
        texts: bool = False,
    ) -> None:
        self.folder, self.memory, self.texts, self._opened = folder, memory, texts, opened
        self.columns = {column.name: column for column in columns}

    def having(self, role: str) -> list[str]:
        """Return the names of the columns with a role."""
        return [name for name, column in self.columns.items() if column.role == role]

    @property
    def class_sizes(self) -> Ints:
        """How many records each class has, or how many persons or households."""
        return np.asarray(self._classes[0])

    @property
    def class_records(self) -> Ints:
        """How many records each class has, whatever claims count."""
        return np.asarray(self._classes[1])

    @property
    def counts(self) -> str:
        """What claims count: records, persons or households, as one of them is called."""
        key = unit_key(self.columns)
        return "record" if key is None else self.columns[key].role

    @cached_property
    def _classes(self) -> Ints:
        return self._sizes(unit_key(self.columns))

    @cached_property
    def _scratch(self) -> Path:
        """A folder for what exceeds the memory, with one database for all counts."""
        place = tempfile.TemporaryDirectory(dir=self.folder.parent)
        scratch = Path(self._opened.enter_context(place))
        self._opened.enter_context(database(self.memory, scratch))
        return scratch

    def _sizes(self, unit: str | None) -> Ints:
        place = self.folder, self._known(), self.memory, self._scratch
        return class_sizes_of_parts(*place, unit)

    def fewest_households(self) -> float:
        """Return the smallest number of households that the records of a class belong to."""
        return float(self._sizes(self.having("household")[0])[0].min())

    def least_alike(self, role: str) -> float:
        """Return how many households, or persons, are written like the rarest one."""
        named = self.having(role)
        if not named:
            raise NotCountable(f"no released column says which records belong to one {role}")
        place = self.folder, self._known(), named[0], self.memory, self._scratch
        return float(least_alike_of_parts(*place))

    def diversity(self, variant: str = "distinct", confidential: str | None = None) -> float:
        """Return l: the minimum number of different values over all classes and columns."""
        names = self.having("confidential") if confidential is None else [confidential]
        if variant != "distinct" or confidential is not None or not names:
            raise NotCountable("of a release in parts only distinct l-diversity is counted")
        least = []
        for name in names:
            place = self.folder, self._known(), name, self.memory, self._scratch
            numbers = self.texts and self._of_numbers(name)
            least.append(least_distinct_of_parts(*place, self._meanings(name), numbers))
        return float(min(least))

    def _meanings(self, name: str) -> Callable[[pa.ChunkedArray], Ints] | None:
        """Return how cells are read: "flu" and "Flu " are one value; numbers stay as they are."""
        writing = self.columns[name].writing
        if writing.kind == "continuous":
            return None
        return lambda cells: meant(cells, writing)[0]

    def _of_numbers(self, name: str) -> bool:
        """Whether the texts of a column are numbers that anybody reads alike."""
        writing = self.columns[name].writing
        if writing.kind == "continuous" and (
            writing.form or writing.codes or writing.decimal != "."
        ):
            raise NotCountable(f"the numbers of '{name}' are written in a form of their own")
        return True

    def counted(self, measure: str, parameters: Mapping[str, Any]) -> float:
        """Return a measure's figure, or raise `NotCountable` with the reason."""
        given = {name: value for name, value in parameters.items() if name != "missing_matches"}
        if parameters.get("missing_matches", "nothing") != "nothing":
            raise NotCountable("a missing value that matches anything is not counted a second time")
        try:
            if measure in BY_SIZES:
                return COUNTS[measure].of(self, **given)
            if measure in OF_WHOLE and not given:
                return self.least_alike(OF_WHOLE[measure])
            if measure == "l-diversity":
                return self.diversity(given.get("variant", "distinct"), given.get("confidential"))
        except TypeError:
            raise NotCountable("its parameters are unknown to this version of discreet") from None
        raise NotCountable("of a release in parts it is not counted a second time")

    def _known(self) -> list[str]:
        known = self.having("quasi-identifier")
        if not known:
            raise NotCountable(NO_KEYS)
        return known


def counted_on_disk(file: Path, memory: int | None) -> bool:
    """Whether the cells of a release are counted on the disk: in parts, or in a large CSV file.

    Without a limit, a CSV file may take half of the memory that is free.
    """
    from importlib.util import find_spec

    if file.is_dir():
        return True
    is_csv = kind_of_path(file)[0].name == "csv" and packing_of(file.name) != ".zip"
    free = available_memory()
    most = memory if memory is not None else None if free is None else free // 2
    large = most is not None and TIMES_A_CSV * file.stat().st_size > most
    return is_csv and large and find_spec("duckdb") is not None


@contextmanager
def parted_cells(
    file: Path, reading: Mapping[str, Any], columns: Sequence[ReleasedColumn], memory: int
) -> Iterator[tuple[PartedCells, list[str], int]]:
    """Yield the cells of a release on the disk, with the names of its columns and its rows."""
    with ExitStack() as opened:
        if file.is_dir():
            yield PartedCells(file, columns, opened, memory), *schema_and_rows(file)
            return
        place = tempfile.TemporaryDirectory(dir=file.parent)
        folder = Path(opened.enter_context(place), "cells")
        folder.mkdir()
        csv_cells_as_parquet(file, reading, folder / "cells.parquet")
        yield PartedCells(folder, columns, opened, memory, texts=True), *schema_and_rows(folder)


def schema_and_rows(folder: Path) -> tuple[list[str], int]:
    """Return the columns that all parts have, and the number of their rows."""
    import pyarrow as pa
    from pyarrow import parquet

    names: list[str] | None = None
    rows = 0
    for part in sorted(folder.glob("*.parquet")):
        try:
            with parquet.ParquetFile(part) as file:
                columns, count = file.schema_arrow.names, file.metadata.num_rows
        except (pa.ArrowException, OSError):
            raise DataError(f"'{part.name}' is not a complete Parquet file") from None
        if names not in (None, columns):
            raise DataError(f"the parts of the release differ in their columns ('{part.name}')")
        names, rows = columns, rows + count
    return names or [], rows


def private_rows(folder: Path, name: str) -> NDArray[np.int64]:
    """Return a column of the private files beside a release: of all parts, in their order."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        columns = [
            parquet.read_table(part, columns=[name]).column(name).to_numpy()
            for part in sorted(folder.glob("*.parquet"))
        ]
    except (pa.ArrowException, OSError, LookupError):
        raise DataError(
            f"a file of the private folder '{folder.name}' is damaged; restore it, or assess the "
            "release without its record"
        ) from None
    return np.concatenate([*columns, np.zeros(0, dtype=np.int64)])
