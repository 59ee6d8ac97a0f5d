"""An invented file of persons in households, not ordered by household number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from discreet.scaling.engine import Engine
from discreet.scaling.source import large_file
from discreet.scaling.store import Store
from discreet.scaling.storing import stored

ROLES = {
    "id": "identifier",
    "home": "household",
    "region": "quasi-identifier",
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "size": "other",
    "rent": "other",
    "pay": "other",
    "total": "other",
    "ill": "confidential",
}


def homes(rows: int = 4000, texts: bool = False, scattered: bool = True) -> pa.Table:
    """Return the table; some records have no number, and some households disagree on their rent."""
    rng = np.random.default_rng(3)
    sizes = rng.choice([1, 2, 3, 4, 5], rows, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    home = np.repeat(np.arange(rows), sizes)[:rows]
    size = np.bincount(home)[home]
    region = rng.choice([f"r{i}" for i in range(7)], rows, p=np.arange(1, 8) / 28)[home]
    rent = rng.integers(300, 1500, rows)[home]
    rent[rng.choice(rows, 4, replace=False)] += 7
    pay = np.round(rng.lognormal(7, 0.5, rows))
    total = np.bincount(home, pay)[home]
    order = rng.permutation(rows) if scattered else np.arange(rows)
    numbers = 70_000 + 13 * rng.permutation(rows)[home]
    alone = (size == 1) & (rng.random(rows) < 0.1)
    keys = [f"h{n}" for n in numbers.tolist()] if texts else numbers
    table = pa.table(
        {
            "id": np.arange(rows),
            "home": pa.array(keys, mask=alone),
            "region": region,
            "age": rng.integers(0, 95, rows),
            "sex": rng.choice(["f", "m"], rows),
            "size": size,
            "rent": rent,
            "pay": pay,
            "total": total,
            "ill": rng.choice(["flu", "cold", "none"], rows),
        }
    )
    return table.take(order)


def plan_of_homes(
    folder: Path, steps: str, more: str = "", table: pa.Table | None = None, role: str = "household"
) -> Path:
    """Write the file and a plan for it; return the plan."""
    parquet.write_table(homes() if table is None else table, folder / "homes.parquet")
    roles = {**ROLES, "home": role}
    columns = "\n".join(f"  {name}: {{role: {role}}}" for name, role in roles.items())
    plan = folder / "plan.yaml"
    plan.write_text(
        f"data: {{file: homes.parquet}}\ncolumns:\n{columns}\nsteps:\n{steps}\n"
        "measures: [k-anonymity, sample-uniqueness, l-diversity, household-k-anonymity, "
        f"household-risk]\n{more}\n",
        encoding="utf-8",
    )
    return plan


def store_of_homes(folder: Path, texts: bool = False) -> Store:
    """Return the table on disk."""
    path = folder / "homes.parquet"
    parquet.write_table(homes(texts=texts), path)
    work = folder / "work"
    work.mkdir()
    return stored(large_file(path), ROLES, None, work, Engine(), 10**8)
