"""Types of columns that are kept without the columns, for records that are drawn later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.io.frames import array_of, to_table
from discreet.microdata import Microdata

if TYPE_CHECKING:
    import pyarrow as pa


def serialised_types(data: Microdata) -> NDArray[np.uint8]:
    """Return the types of the columns as Arrow serialises them, without anything else.

    >>> import pyarrow as pa
    >>> from discreet.io.frames import from_native
    >>> types = serialised_types(from_native(pa.table({"age": pa.array([31], pa.int16())})))
    >>> pa.ipc.read_schema(pa.py_buffer(types.tobytes())).field("age").type
    DataType(int16)
    """
    schema = to_table(data.take(np.arange(min(1, len(data))))).schema
    plain = schema.remove_metadata()
    return np.frombuffer(plain.serialize().to_pybytes(), dtype=np.uint8)


def dates_of(types: NDArray[np.uint8]) -> dict[str, str]:
    """Return the serialised types of the columns that hold dates, in words.

    >>> import datetime
    >>> from discreet.io.frames import from_native
    >>> data = from_native({"born": [datetime.date(1990, 5, 17)], "age": [31]})
    >>> dates_of(serialised_types(data))
    {'born': 'date32[day]'}
    """
    import pyarrow as pa

    schema = pa.ipc.read_schema(pa.py_buffer(types.tobytes()))
    return {field.name: str(field.type) for field in schema if pa.types.is_temporal(field.type)}


def typed_table(data: Microdata, types: NDArray[np.uint8]) -> pa.Table:
    """Return microdata as a pyarrow table, in these serialised types where they fit.

    >>> import pyarrow as pa
    >>> from discreet.io.frames import from_native
    >>> data = from_native(pa.table({"age": pa.array([31, 47], pa.int16())}))
    >>> typed_table(data, serialised_types(data)).schema.field("age").type
    DataType(int16)
    """
    import pyarrow as pa

    schema = pa.ipc.read_schema(pa.py_buffer(types.tobytes()))

    def like(name: str) -> pa.Array:
        type = schema.field(name).type
        # A moment with a time of day, so that those of the column keep theirs.
        if pa.types.is_timestamp(type):
            return pa.array([1], pa.int64()).cast(type)
        return pa.array([], type)

    return pa.table({c.name: array_of(c, like(c.name)) for c in data})
