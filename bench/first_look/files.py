"""The files of the benchmark: those of the reference data by name, and lists of invented ones.

`invented.txt` was written together with the words on which suggestions are based; `public.txt`,
with the headers of files that many people know, `fresh.txt`, `abroad.txt`, `later.txt`,
`unseen.txt` and `untried.txt` were written and labelled before any of their files was described.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bench.first_look.makers import Makers

HERE = Path(__file__).parent
SET_ASIDE = 4
"""One column in this many is set aside: it shows how well the tuning generalises."""
WHOLE_FILES_ASIDE = 2
"""Of the files with public headers, one in this many is set aside as a whole."""


@dataclass(frozen=True)
class Labelled:
    """A column with the role and kind that a steward would give it; other/weight allows either."""

    file: str
    name: str
    role: str
    kind: str
    recipe: str = ""
    label: str = ""
    list: str = ""

    @property
    def set_aside(self) -> bool:
        """Whether the column is examined only once everything is settled."""
        if self.list in ("fresh", "untried"):
            return False
        if self.list == "later":
            return True
        if self.list in ("public", "abroad", "unseen"):
            return zlib.crc32(self.file.encode()) % WHOLE_FILES_ASIDE == 0
        return zlib.crc32(f"{self.file}/{self.name}".encode()) % SET_ASIDE == 0

    @property
    def missing_code(self) -> str:
        """The number that stands for missing values, or an empty string."""
        code = self.recipe.partition("~")[2].partition("=")[2]
        return code if code.lstrip("-").isdigit() else ""


@dataclass(frozen=True)
class LabelledFile:
    """A file with its labelled columns; `layout` says how an invented one is written."""

    name: str
    layout: tuple[str, ...]
    columns: tuple[Labelled, ...]


def listed(name: str) -> list[LabelledFile]:
    """Return the files of a list, such as reference, invented, public or unseen."""
    by_file: list[tuple[list[str], list[Labelled]]] = []
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            by_file.append((line[3:].split(), []))
        elif line and not line.startswith("#"):
            file = by_file[-1][0][0]
            parts = (part.strip() for part in line.split("|"))
            by_file[-1][1].append(replace(Labelled(file, *parts), list=name))
    return [LabelledFile(head[0], tuple(head[1:]), tuple(columns)) for head, columns in by_file]


def invented(name: str, folder: Path) -> Iterator[tuple[LabelledFile, Path]]:
    """Write the invented files of a list to a folder and yield each with its path."""
    for file in listed(name):
        path = folder / file.name
        rows, delimiter, decimal = int(file.layout[0]), file.layout[1], file.layout[2]
        makers = Makers(rows, np.random.default_rng(zlib.crc32(file.name.encode())), decimal)
        texts = {column.name: makers.make(column.recipe) for column in file.columns}
        if path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
                writer.writerow(texts)
                writer.writerows(zip(*texts.values(), strict=True))
        else:
            _write_typed(path, file, {name: _typed(values) for name, values in texts.items()})
        yield file, path


def _typed(texts: list[str]) -> pa.Array:
    for kind in (pa.int64(), pa.float64(), pa.timestamp("s")):
        try:
            return pa.array(texts).cast(kind)
        except pa.ArrowInvalid:
            continue
    return pa.array(texts)


def _write_typed(path: Path, file: LabelledFile, columns: dict[str, pa.Array]) -> None:
    import pyarrow.parquet as pq

    table = pa.table(columns)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return
    if path.suffix == ".jsonl":
        lines = (json.dumps(record, default=str) for record in table.to_pylist())
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    if path.suffix == ".xlsx":
        table.to_pandas().to_excel(path, index=False)
        return
    import pyreadstat

    labels: dict[str, dict[int | float, str]] = {
        column.name: {
            int(value): text.replace("_", " ")
            for value, _, text in (entry.partition("=") for entry in column.recipe.split()[1:])
        }
        for column in file.columns
        if column.recipe.startswith("labelled")
    }
    frame = table.to_pandas()
    described: dict[str, str | None] = {column.name: column.label for column in file.columns}
    if path.suffix == ".dta":
        pyreadstat.write_dta(
            frame, str(path), column_labels=described, variable_value_labels=labels
        )
        return
    declared = {float(code) for code in file.layout[3:]}
    ranges: dict[str, list[Any]] = {
        name: sorted(declared.intersection(listed))
        for name, listed in labels.items()
        if declared.intersection(listed)
    }
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels=described,
        variable_value_labels=labels,
        missing_ranges=ranges,
    )
