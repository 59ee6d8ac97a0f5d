"""Types that are kept without the columns."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pyarrow as pa

from discreet.io.frames import from_native
from discreet.io.kept_types import serialised_types, typed_table
from discreet.microdata import Microdata


def test_records_without_a_frame_get_the_types_of_one_that_was() -> None:
    table = pa.table(
        {
            "age": pa.array([31, 47], pa.int16()),
            "born": [date(1990, 5, 17), date(1970, 1, 2)],
            "seen": [datetime(2020, 1, 1, 8, 30), datetime(2020, 1, 2, 9, 0)],
            "town": pa.array(["a", "b"]).dictionary_encode(),
            "pay": pa.array([1.5, None], pa.float32()),
        }
    ).replace_schema_metadata({"title": "patients of Dr Roe"})
    data = from_native(table)
    types = serialised_types(data)
    assert b"Roe" not in types.tobytes()
    alone = Microdata(list(data))
    made = typed_table(alone, types)
    assert made.schema.equals(table.schema.remove_metadata())
    assert made.to_pydict() == table.to_pydict()
    assert typed_table(alone.take(np.zeros(0, dtype=np.int64)), types).num_rows == 0
