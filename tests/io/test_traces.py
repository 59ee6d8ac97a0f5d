"""A released frame holds its values and nothing beside them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.io.traces import without_traces

GRADES = ["b", "secret", "a"]


def frames() -> dict[str, Any]:
    codes = pa.array([0, 2, 0, 2])
    listed = pa.DictionaryArray.from_arrays(codes, pa.array(GRADES), ordered=True)
    noted = pa.schema(
        [
            pa.field("x", listed.type, metadata={"note": "secret"}),
            pa.field("y", pa.int64(), nullable=False),
        ],
        metadata={"query": "secret"},
    )
    category = pd.DataFrame(
        {"x": pd.Categorical(["b", "a", "b", "a"], categories=GRADES, ordered=True), "y": range(4)}
    )
    category.attrs["query"] = "secret"
    category.columns.name = "secret"
    category.index = pd.Index(["secret", "s", "t", "u"], name="secret")
    arrow = pd.DataFrame({"x": pd.array(listed, dtype=pd.ArrowDtype(listed.type)), "y": range(4)})
    enum = pl.Series(["b", "a", "b", "a"], dtype=pl.Enum(GRADES))
    return {
        "pyarrow": pa.table([listed, pa.array(range(4))], schema=noted),
        "pandas": category,
        "pandas arrow": arrow,
        "polars": pl.DataFrame({"x": enum, "y": list(range(4))}),
    }


def released(frame: Any) -> Any:
    return discreet.protect(
        frame,
        {"rounding": {"base": 10}},
        roles={"x": "other", "y": "quasi-identifier"},
        shuffle=False,
    ).frame()


@pytest.mark.parametrize("library", list(frames()))
def test_what_is_gone_is_gone(library: str, tmp_path: Path) -> None:
    frame = frames()[library]
    out = released(frame)
    assert type(out) is type(frame)
    assert b"secret" not in pickle.dumps(out)
    texts = out["x"].to_pylist() if isinstance(out, pa.Table) else out["x"].to_list()
    assert texts == ["b", "a", "b", "a"]
    file = tmp_path / "out.parquet"
    if isinstance(out, pa.Table):
        pq.write_table(out, file)
    elif isinstance(out, pd.DataFrame):
        out.to_parquet(file)
    else:
        out.write_parquet(file)
    assert b"secret" not in file.read_bytes()


@pytest.mark.parametrize("library", list(frames()))
def test_the_order_of_what_is_left_stays(library: str) -> None:
    out = released(frames()[library])
    data = discreet.read(out, kinds={"x": "ordinal"})
    assert data.schema["x"].categories == ("b", "a")


def test_the_users_own_frame_is_not_touched() -> None:
    frame = frames()["pandas"]
    before = frame.copy(deep=True)
    released(frame)
    assert frame.attrs == {"query": "secret"}
    assert frame.columns.name == "secret"
    pd.testing.assert_frame_equal(frame, before)
    direct = without_traces(frame)
    assert frame.attrs
    assert frame.columns.name
    assert list(frame["x"].cat.categories) == GRADES
    assert list(direct["x"].cat.categories) == ["b", "a"]


@pytest.mark.parametrize("name", ["*", "^.*$"])
def test_a_name_that_is_an_expression_to_polars_is_a_name(name: str) -> None:
    grades = pl.Series(["b", "a"], dtype=pl.Enum(GRADES))
    out = without_traces(pl.DataFrame({"x": grades, name: grades, "y": [1, 2]}))
    assert out.schema == {"x": pl.Enum(["b", "a"]), name: pl.Enum(["b", "a"]), "y": pl.Int64}
    assert out[name].to_list() == ["b", "a"]
