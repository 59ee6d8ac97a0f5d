"""A drawn table as the frame or file that a user would hand over."""

from __future__ import annotations

import csv
import gzip
import io
import warnings
from pathlib import Path
from typing import Any

from bench.campaign import values
from bench.campaign.tables import FRAMES, STATISTICAL, Table


def frame_of(table: Table) -> Any:
    """Return the table as a frame of its library."""
    known = values.names()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        columns = {column.name: eval(column.source, known) for column in table.columns}
        if table.form == "polars":
            return known["pl"].DataFrame(columns)
        if table.form == "pandas" or table.form in STATISTICAL:
            return _pandas(columns, dict(table.options).get("index", "plain"))
        return known["pa"].table(columns)


def _pandas(columns: dict[str, Any], index: str) -> Any:
    import pandas as pd

    frame = pd.DataFrame(columns)
    if index == "text":
        frame.index = pd.Index([f"Rechnung-{number:04}" for number in range(len(frame))])
    elif index == "double":
        frame.index = pd.Index([0] * len(frame))
    return frame


def frame_source(table: Table) -> str:
    """Return the frame as Python source."""
    columns = ",\n".join(f"    {c.name!r}: {c.source}" for c in table.columns)
    maker = {"polars": "pl.DataFrame", "pandas": "pd.DataFrame", "arrow": "pa.table"}
    return f"{maker[table.form]}({{\n{columns},\n}})"


def suffix_of(table: Table) -> str:
    """Return the suffix of the file that the table becomes."""
    packed = ".gz" if dict(table.options).get("compressed") else ""
    return f".{table.form}{packed}"


def write_input(table: Table, folder: Path) -> Path:
    """Write the table as a file of its format."""
    assert table.form not in FRAMES
    path = folder / f"data{suffix_of(table)}"
    if table.form == "csv":
        path.write_bytes(_csv(table))
    elif table.form == "parquet":
        from pyarrow import parquet

        parquet.write_table(frame_of(table), path)
    else:
        _statistical(table, path)
    return path


def _csv(table: Table) -> bytes:
    options = dict(table.options)
    known = values.names()
    out = io.StringIO()
    writer = csv.writer(
        out,
        delimiter=options["delimiter"],
        quoting=csv.QUOTE_ALL if options["quoted"] else csv.QUOTE_MINIMAL,
        lineterminator=options["newline"],
    )
    writer.writerow([column.name for column in table.columns])
    columns = []
    for column in table.columns:
        texts = [eval(cell, known) for cell in column.cells]
        if column.make == "decimals" and options["decimal"] == ",":
            texts = [text.replace(".", ",") for text in texts]
        columns.append(texts)
    writer.writerows(zip(*columns, strict=True))
    content = out.getvalue().encode(options["encoding"], errors="replace")
    return gzip.compress(content, mtime=0) if options["compressed"] else content


def _statistical(table: Table, path: Path) -> None:
    import pyreadstat

    writers = {
        "sav": pyreadstat.write_sav,
        "zsav": lambda frame, target: pyreadstat.write_sav(frame, target, compress=True),
        "dta": pyreadstat.write_dta,
        "xpt": pyreadstat.write_xport,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writers[table.form](frame_of(table), str(path))
