"""Tables with a column for each parameter, of every entry and in frames."""

from __future__ import annotations

import pyarrow as pa

import discreet
from discreet.contracts.flattening import columns_of, flat, of_one_type
from discreet.contracts.registry import entries


def test_every_recipe_is_flat_and_a_column_of_one_type() -> None:
    rows = [flat(entry.example().recipe()) for entry in entries()]
    assert all(value is None or isinstance(value, str | int | float | bool)
               for row in rows for value in row.values())  # fmt: skip
    table = pa.table(of_one_type(columns_of(rows)))
    assert table.num_rows == len(rows)
    assert len(set(table.column_names)) == table.num_columns


def test_an_assessment_has_a_column_for_each_parameter_of_its_measures() -> None:
    data = discreet.read(
        {"age": [21, 22, 40, 41], "sick": ["y", "n", "y", "n"]},
        roles={"age": "quasi-identifier", "sick": "confidential"},
    )
    release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=2)))
    frame = discreet.assess(data, release, ["k-anonymity", "l-diversity"]).to_frame()
    assert "l-diversity.variant" in frame.column_names
    listed = frame.column("l-diversity.variant").to_pylist()
    assert listed[0] is None
    assert listed[1] is not None
