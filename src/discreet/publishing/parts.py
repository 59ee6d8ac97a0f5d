"""A release in parts: a folder of Parquet files that together are the released file.

Its figures are counted by DuckDB, on the cells of all parts, within a limit of memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.counting import class_sizes_of_parts, least_distinct_of_parts
from discreet.publishing.cells import Ints, meant
from discreet.publishing.released_cells import NotCountable, ReleasedColumn
from discreet.publishing.second_count import COUNTS

if TYPE_CHECKING:
    import pyarrow as pa

ORIGIN = "origin"
"""The private folder that says where the rows of each part came from."""

USUAL = 2_000_000_000
"""Bytes of memory for counting."""

BY_SIZES = ("k-anonymity", "average-group-size", "prosecutor-risk")
"""What follows from the sizes of the classes alone."""


class PartedCells:
    """The cells of a release in parts, counted where they are."""

    def __init__(
        self, folder: Path, columns: Sequence[ReleasedColumn], memory: int = USUAL
    ) -> None:
        self.folder, self.memory = folder, memory
        self.columns = {column.name: column for column in columns}

    def having(self, role: str) -> list[str]:
        """Return the names of the columns with a role."""
        return [name for name, column in self.columns.items() if column.role == role]

    @cached_property
    def class_sizes(self) -> Ints:
        """How many records each class has."""
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as scratch:
            return class_sizes_of_parts(self.folder, self._known(), self.memory, Path(scratch))

    def diversity(self, variant: str = "distinct", confidential: str | None = None) -> float:
        """Return l: the least number of different values over all classes and columns."""
        names = self.having("confidential") if confidential is None else [confidential]
        if variant != "distinct" or confidential is not None or not names:
            raise NotCountable("of a release in parts only distinct l-diversity is counted")
        least = []
        for name in names:
            with tempfile.TemporaryDirectory(dir=self.folder.parent) as scratch:
                place = self.folder, self._known(), name, self.memory, Path(scratch)
                least.append(least_distinct_of_parts(*place, self._meanings(name)))
        return float(min(least))

    def _meanings(self, name: str) -> Callable[[pa.ChunkedArray], Ints] | None:
        """Return how cells are read: "flu" and "Flu " are one value; numbers stay as they are."""
        writing = self.columns[name].writing
        if writing.kind == "continuous":
            return None
        return lambda cells: meant(cells, writing)[0]

    def counted(self, measure: str, parameters: Mapping[str, Any]) -> float:
        """Return a measure's figure, or raise `NotCountable` with the reason."""
        given = {name: value for name, value in parameters.items() if name != "missing_matches"}
        if parameters.get("missing_matches", "nothing") != "nothing":
            raise NotCountable("a missing value that matches anything is not counted a second time")
        try:
            if measure == "sample-uniqueness" and not given:
                return float((self.class_sizes == 1).sum() / self.class_sizes.sum())
            if measure in BY_SIZES:
                return COUNTS[measure].of(self, **given)
            if measure == "l-diversity":
                return self.diversity(given.get("variant", "distinct"), given.get("confidential"))
        except TypeError:
            raise NotCountable("its parameters are unknown to this version of discreet") from None
        raise NotCountable("of a release in parts it is not counted a second time")

    def _known(self) -> list[str]:
        known = self.having("quasi-identifier")
        if not known:
            raise NotCountable("no released column is a quasi-identifier")
        return known


def schema_and_rows(folder: Path) -> tuple[list[str], int]:
    """Return the columns that all parts have, and the number of their rows."""
    import pyarrow as pa
    from pyarrow import parquet

    names: list[str] | None = None
    rows = 0
    for part in sorted(folder.glob("*.parquet")):
        try:
            with parquet.ParquetFile(part) as file:
                own, count = file.schema_arrow.names, file.metadata.num_rows
        except (pa.ArrowException, OSError):
            raise DataError(f"'{part.name}' is not a complete Parquet file") from None
        if names not in (None, own):
            raise DataError(f"the parts of the release differ in their columns ('{part.name}')")
        names, rows = own, rows + count
    return names or [], rows


def private_rows(folder: Path, name: str) -> NDArray[np.int64]:
    """Return a column of the private files beside a release: of all parts, in their order."""
    from pyarrow import parquet

    columns = [
        parquet.read_table(part, columns=[name]).column(name).to_numpy()
        for part in sorted(folder.glob("*.parquet"))
    ]
    return np.concatenate([*columns, np.zeros(0, dtype=np.int64)])
