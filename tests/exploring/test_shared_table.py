"""The table that workers share: the same values, in memory that nobody copies or writes to."""

from __future__ import annotations

import os

import numpy as np
import pytest

import discreet
from discreet.exploring.shared_table import release, share, table_of
from discreet.microdata import Microdata


def _table() -> Microdata:
    return discreet.read(
        {"age": [20.0, None, 40.5], "sex": ["m", "f", None]},
        roles={"quasi-identifier": ["age", "sex"]},
    )


@pytest.mark.parametrize("has_memory", [True, False])
def test_the_same_table(has_memory: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_memory:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    data = _table()
    shared = share(data)
    table = table_of(shared)
    assert table.schema == data.schema
    assert all(table.column(name).same_as(data.column(name)) for name in data.schema.names)
    release(shared)
    assert table["age"][2] == 40.5, "what is seen stays after the memory is closed"


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the system has no such memory")
def test_numbers_do_not_travel_with_the_message() -> None:
    data = discreet.read({"pay": np.arange(100_000.0)}, roles={"pay": "confidential"})
    shared = share(data)
    assert len(shared.content) < 5_000
    with pytest.raises(ValueError, match="read-only"):
        table_of(shared)["pay"][0] = 1.0
    assert shared.file is not None
    release(shared)
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(shared.file)


def test_a_table_without_records() -> None:
    data = _table().take(np.arange(0))
    shared = share(data)
    assert len(table_of(shared)) == 0
    release(shared)
