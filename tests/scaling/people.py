"""An invented file slightly longer than a stretch, with all kinds of columns and gaps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ROWS = 70_000
LITTLE = 460_000_000
"""Memory that leaves ten megabytes for records, so that everything is done in parts."""

COLUMNS = {
    "id": "identifier",
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "region": "quasi-identifier",
    "income": "quasi-identifier",
    "ill": "confidential",
    "hours": "other",
    "since": "other",
}


def people(rows: int = ROWS) -> pa.Table:
    """Return the table."""
    rng = np.random.default_rng(1)
    regions = np.array([f"r{i:02d}" for i in range(12)])
    gaps = rng.random(rows) < 0.01
    return pa.table(
        {
            "id": np.arange(rows),
            "age": pa.array(rng.integers(18, 90, rows), mask=gaps),
            "sex": rng.choice(["f", "m"], rows),
            "region": pa.array(rng.choice(regions, rows, p=_falling(12)), mask=gaps[::-1]),
            "income": rng.lognormal(10, 0.6, rows).round(),
            "ill": rng.choice(["flu", "cold", "none"], rows),
            "hours": rng.normal(40, 8, rows).round(1),
            "since": pa.array(rng.integers(0, 20_000, rows).astype("int32")).cast(pa.date32()),
        }
    )


def _falling(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    shares = 0.6 ** np.arange(count)
    return np.asarray(shares / shares.sum())


def written(folder: Path, steps: str, more: str = "", rows: int = ROWS) -> Path:
    """Write the file and a plan for it; return the plan."""
    parquet.write_table(people(rows), folder / "people.parquet", row_group_size=30_000)
    columns = "\n".join(f"  {name}: {{role: {role}}}" for name, role in COLUMNS.items())
    plan = folder / "plan.yaml"
    plan.write_text(
        f"data: {{file: people.parquet}}\ncolumns:\n{columns}\nsteps:\n{steps}\n"
        f"measures: [k-anonymity, sample-uniqueness, l-diversity, marginals]\n{more}\n",
        encoding="utf-8",
    )
    return plan


def released(directory: Path) -> pa.Table:
    """Return the records of all parts of a release."""
    parts = sorted((directory / "release.parquet").iterdir())
    return pa.concat_tables([parquet.read_table(part) for part in parts]).combine_chunks()
