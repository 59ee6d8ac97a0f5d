from __future__ import annotations

import csv
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from discreet import datasets

Rows = list[dict[str, str]]
Numbers = Callable[..., npt.NDArray[np.float64]]


@pytest.fixture(scope="session")
def rows() -> Rows:
    with datasets.path().open(newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def adults(rows: Rows) -> Rows:
    return [row for row in rows if int(row["age"]) >= 18]


@pytest.fixture(scope="session")
def numbers() -> Numbers:
    """The numeric columns asked for, one per line, of the rows where none of them is missing."""

    def extract(rows: Rows, *columns: str) -> npt.NDArray[np.float64]:
        complete = [row for row in rows if all(row[column] for column in columns)]
        return np.array([[float(row[column]) for row in complete] for column in columns])

    return extract
