"""The invented surveys have the shapes that they are named for, and columns that go together."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microdata import Kind, Microdata, Role
from discreet.models.association import associations
from discreet.models.design_matrix import ANALYSED
from discreet.testing.surveys import SURVEYS, households


@pytest.mark.parametrize(("name", "rows", "columns"), [("mixed", 1_000, 21), ("binary", 4_000, 16)])
def test_shapes(name: str, rows: int, columns: int) -> None:
    data = SURVEYS[name]()
    assert (len(data), len(data.schema.names)) == (rows, columns)


@pytest.mark.parametrize("name", SURVEYS)
def test_columns_go_together(name: str) -> None:
    data: Microdata = SURVEYS[name]()
    found = np.array(list(associations(data, data.having(*ANALYSED)).values()))
    assert np.abs(found).mean() > 0.15


def test_members_of_a_household_share_its_columns() -> None:
    data = households()
    home = data["household"]
    assert data.schema["household"].role is Role.HOUSEHOLD
    for name in ("region", "tenure", "rent", "rooms"):
        values = {int(h): v for h, v in zip(home, data[name], strict=True)}
        assert all(values[int(h)] == v for h, v in zip(home, data[name], strict=True))


def test_kinds() -> None:
    kinds = {column.attribute.kind for column in SURVEYS["mixed"](50)}
    assert kinds == set(Kind)
