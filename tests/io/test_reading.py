"""Reading: a release is read as its original was."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

import discreet
from discreet.io.reading import like_original

QI = "quasi-identifier"


def test_categories_that_read_the_same_are_the_same() -> None:
    data = discreet.read({"g": ["1", "2", "2", None]}, roles={"g": QI}, kinds={"g": ["2", "1"]})
    table = like_original(data, pd.DataFrame({"g": pd.Series([2, 2, 1, None], dtype="Int64")}))
    assert table.schema == data.schema
    assert table["g"].tolist() == [0, 0, 1, -1]


def test_a_recoded_column_keeps_its_new_scale() -> None:
    data = discreet.read({"age": [21, 40], "t": ["a", "b"]}, roles={"age": QI, "t": QI})
    table = like_original(data, pa.table({"age": ["20-39", "40-59"], "t": ["a|b", "a|b"]}))
    assert table.schema["age"].categories == ("20-39", "40-59")
    assert table.schema["t"].categories == ("a|b",)
    assert table.quasi_identifiers == ("age", "t")
