"""Columns are read one by one, and let go of."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io.columns import from_series
from discreet.io.frames import series_of
from discreet.microdata import Source


def test_cells_do_not_lie_beside_all_values() -> None:
    columns = series_of(pa.table({"age": [31, 47], "town": ["Ayle", "Bron"], "bad": ["x", "y"]}))
    with pytest.raises(DataError, match="must hold numbers"):
        from_series(columns, None, {"town": "continuous"}, Source(None))
    assert list(columns) == ["bad"]
