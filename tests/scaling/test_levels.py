"""Levels of a large file, and what follows from the members of households, are as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.errors import UnknownColumn, UsageError
from discreet.io.reading import read
from discreet.microdata.clusters import clusters_of
from discreet.microdata.derived import derived_columns
from discreet.microdata.levels import corrected
from discreet.scaling.engine import Engine
from discreet.scaling.levels import households_in, with_levels_of
from discreet.scaling.source import large_file
from discreet.scaling.storing import stored
from tests.scaling.homes import ROLES, store_of_homes
from tests.scaling.people import COLUMNS, written


@pytest.mark.parametrize("given", [{}, {"rent": "person", "pay": "household"}])
def test_levels_and_derived_columns(tmp_path: Path, given: dict[str, str]) -> None:
    store = with_levels_of(store_of_homes(tmp_path), given)
    known = households_in(store)
    data = read(tmp_path / "homes.parquet", ROLES, levels=given)
    assert known is not None
    theirs = clusters_of(data)
    assert theirs is not None
    for name in known.before.apart:
        assert store.attributes[name].level is data.schema[name].level, name
    table, notes = corrected(data, theirs)
    assert known.notes == notes
    for name in table.schema.names:
        if name in known.before.apart:
            assert np.array_equal(known.corrected.values(name, 0, len(store)), table[name]), name
    assert known.derived == derived_columns(table, theirs)
    assert set(known.derived) == ({"size", "total"} if not given else {"size"})


def test_levels_need_a_key_and_a_column(tmp_path: Path) -> None:
    with pytest.raises(UnknownColumn, match="the list of levels"):
        with_levels_of(store_of_homes(tmp_path), {"rnt": "household"})
    written(tmp_path, "  - rounding", rows=10)
    file = large_file(tmp_path / "people.parquet")
    store = stored(file, COLUMNS, None, tmp_path, Engine(), 10**8)
    with pytest.raises(UsageError, match="which records form a household"):
        with_levels_of(store, {"region": "household"})
    assert households_in(with_levels_of(store, {})) is None
