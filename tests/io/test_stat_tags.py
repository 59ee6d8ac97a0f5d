"""Stata's missing values .a to .z come back in a release, where the steward wants them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

from discreet.cli.main import run
from discreet.io.files import read_table
from discreet.io.reading import microdata_of
from discreet.io.stat_tags import TAG_A, numbers_and_tags, tags_of, with_tags

PLAN = """
data: {file: people.dta}
columns:
  age: {role: quasi-identifier, kind: continuous}
  pay: {role: confidential, kind: continuous}
  visits: {role: confidential, kind: continuous}
steps: [{microaggregation: {partition: {mdav: {k: 3}}}}]
release: {missing_codes: keep}
measures: [k-anonymity]
"""


@pytest.fixture
def people(tmp_path: Path) -> dict[str, list[Any]]:
    draw = np.random.default_rng(1)
    columns: dict[str, list[Any]] = {
        "age": [*draw.integers(20, 60, 58).tolist(), "a", None],
        "pay": ["a", "b", None, *draw.lognormal(8, 1, 57).round(2).tolist()],
        "visits": ["z", *draw.integers(0, 9, 59).tolist()],
    }
    letters = {"age": ["a"], "pay": ["a", "b"], "visits": ["z"]}
    labels: dict[str, Any] = {"pay": {"a": "refused"}}
    pyreadstat.write_dta(
        pl.DataFrame({n: pl.Series(n, v, dtype=pl.Object) for n, v in columns.items()}),
        str(tmp_path / "people.dta"),
        missing_user_values=letters,
        variable_value_labels=labels,
    )
    return columns


@pytest.mark.parametrize("kept", [True, False])
def test_letters_come_back_but_not_in_quasi_identifiers(
    people: dict[str, list[Any]], tmp_path: Path, kept: bool
) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN if kept else PLAN.replace("keep", "drop"))
    assert run(["protect", str(tmp_path / "plan.yaml"), "--out", str(tmp_path / "out")]) == 0
    released, head = pyreadstat.read_dta(
        str(tmp_path / "out" / "release.dta"), output_format="dict", user_missing=True
    )
    for name in ("pay", "visits"):
        expected = [v if kept or not isinstance(v, str) else None for v in people[name]]
        assert sorted(map(str, released[name])) == sorted(map(str, expected))
    assert not any(isinstance(value, str) for value in released["age"])
    labels: dict[Any, str] = dict(head.variable_value_labels["pay"])
    assert labels == {"a": "refused"}
    assert run(["verify", str(tmp_path / "out")]) == 0


def test_another_format_has_no_letters(people: dict[str, list[Any]], tmp_path: Path) -> None:
    plan = PLAN.replace("missing_codes: keep", "missing_codes: keep, format: csv")
    (tmp_path / "plan.yaml").write_text(plan)
    assert run(["protect", str(tmp_path / "plan.yaml"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "release.csv").read_text()
    assert not re.search("[a-z]|21474836", text.partition("\n")[2])


def test_by_hand() -> None:
    assert tags_of({"x": [1, None]}) == {}
    numbers, letters = numbers_and_tags(pa.chunked_array([[1.5, None, float(TAG_A + 25)]]))
    assert (numbers.to_pylist(), letters) == ([1.5, None, None], [None, None, "z"])


def test_a_sum_as_large_as_a_letter_keeps_the_column_as_it_is(tmp_path: Path) -> None:
    values = pl.Series("x", [1.0, "a", 3e9], dtype=pl.Object)
    file = tmp_path / "x.dta"
    pyreadstat.write_dta(pl.DataFrame({"x": values}), str(file), missing_user_values={"x": ["a"]})
    data = microdata_of(read_table(file), None, None, keep_codes=True)
    assert data.source is not None
    assert data.source.codes["x"].to_pylist() == [None, "a", None]
    table = pa.table({"x": [1.0, None, 3e9]})
    assert with_tags(table, data).equals(table)
