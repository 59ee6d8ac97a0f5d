"""Codes for missing values: read as missing, and kept apart on the way back if wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet
from discreet import Plan, UsageError
from discreet.publishing.verifying import verify

ROWS = 40


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    lines = [
        f"{20 + i % 30},{(-999, -9, 1500 + i, 1700 + i)[i % 4]},{('refused', i)[i % 2]},"
        f"{('none', 'flu', 'n.a.')[i % 3]}"
        for i in range(ROWS)
    ]
    path.write_text("\n".join(["age,income,visits,illness", *lines]) + "\n")
    return path


PLAN = """
data: survey.csv
columns:
  age: quasi-identifier
  income: confidential
  visits: confidential
  illness: confidential
missing:
  income: [-999, -9]
  "*": [refused, n.a.]
steps:
  - microaggregation: {partition: {mdav: {k: 4}}}
claims: {k-anonymity: 4, l-diversity: 1}
"""


def test_codes_are_missing_and_the_rest_is_typed(survey: Path) -> None:
    codes: dict[str, list[Any]] = {"income": [-999, -9], "*": ["refused", "n.a."]}
    data = discreet.read(survey, missing=codes)
    assert np.nanmin(data["income"]) == 1502
    assert data.column("income").missing.sum() == ROWS / 2
    assert data.schema["visits"].continuous
    assert data.schema["illness"].categories == ("flu", "none")
    assert data.source is not None
    assert any("read as missing in: income, visits, illness" in n for n in data.source.notes)


@pytest.mark.parametrize("keep", [False, True])
def test_codes_come_back_if_the_steward_wants(survey: Path, keep: bool) -> None:
    text = PLAN + ("release: {missing_codes: keep}\n" if keep else "")
    (survey.parent / "plan.yaml").write_text(text)
    plan = Plan.load(survey.parent / "plan.yaml")
    assert Plan.parse(plan.dump()).missing == plan.missing
    release = plan.run(seed=1)
    folder = release.write(survey.parent / "out")
    assert verify(folder).faults == ()
    rows = [line.split(",") for line in (folder / "release.csv").read_text().splitlines()[1:]]
    incomes = [row[1] for row in rows]
    illnesses = [row[3] for row in rows]
    assert incomes.count("-999") == incomes.count("-9") == (ROWS / 4 if keep else 0)
    assert incomes.count("") == (0 if keep else ROWS / 2)
    assert ("n.a." in illnesses) is keep
    again = plan.read_release(folder / "release.csv", plan.read())
    assert again.column("income").missing.sum() == ROWS / 2


def test_codes_of_quasi_identifiers_do_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("age,pay\n" + "".join(f"{(-9, -8, 30)[i % 3]},{i % 4}\n" for i in range(30)))
    data = discreet.read(
        path, {"age": "quasi-identifier"}, missing={"age": [-9, -8]}, keep_codes=True
    )
    release = discreet.protect(data, "rounding", seed=1)
    assert set(release.frame()["age"].to_pylist()) <= {None, 30}


@pytest.mark.parametrize(
    ("codes", "words"),
    [({"pay": [-9]}, "no.* 'pay'|'pay', which is not"), ({"age": [[1]]}, "numbers or texts")],
)
def test_wrong_codes_are_explained(survey: Path, codes: dict[str, list[int]], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        discreet.read(survey, missing=codes)


def test_suspicious_codes_are_noticed(tmp_path: Path) -> None:
    columns = {
        "income": [-999 if i % 9 == 0 else 1500 + 7 * i for i in range(200)],
        "mood": [99 if i % 9 == 0 else 1 + i % 5 for i in range(200)],
        "age": [20 + i % 75 for i in range(200)],
        "change": [i % 30 - 15 for i in range(200)],
    }
    found = {c.name: c.missing_codes for c in discreet.describe(columns).columns}
    assert found == {"income": (-999.0,), "mood": (99.0,), "age": (), "change": ()}


def test_user_defined_missing_values_of_spss_come_back(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    ages, pays = [20, 21, 22, 23] * 5, [100.0, -8.0, -9.0, 250.0] * 5
    pyreadstat.write_sav(
        pa.table({"age": ages, "pay": pays}).to_pandas(),
        str(tmp_path / "x.sav"),
        variable_value_labels={"pay": {-8: "does not know", -9: "refused"}},
        missing_ranges={"pay": [{"lo": -9, "hi": -8}]},
    )
    (tmp_path / "plan.yaml").write_text(
        "version: 1\ndata: {file: x.sav}\n"
        "columns: {age: {role: quasi-identifier}, pay: {role: confidential, kind: continuous}}\n"
        "steps: [{microaggregation: {partition: {mdav: {k: 5}}}}]\n"
        "claims: {k-anonymity: 5}\nrelease: {missing_codes: keep}\n"
    )
    folder = Plan.load(tmp_path / "plan.yaml").run(seed=1).write(tmp_path / "out")
    assert verify(folder).faults == ()
    plain, _ = pyreadstat.read_sav(str(folder / "release.sav"))
    told, head = pyreadstat.read_sav(str(folder / "release.sav"), user_missing=True)
    assert plain["pay"].isna().sum() == 10
    assert sorted(told["pay"]) == [-9.0] * 5 + [-8.0] * 5 + [100.0] * 5 + [250.0] * 5
    assert head.variable_value_labels["pay"][-9] == "refused"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_codes_of_a_frame_are_missing(library: str) -> None:
    table = pa.table({"pay": [5, -9, 7], "town": ["A", "NA", "-9"]})
    frame = {
        "pandas": table.to_pandas,
        "polars": lambda: pl.from_arrow(table),
        "pyarrow": lambda: table,
    }[library]()
    data = discreet.read(frame, missing={"pay": [-9], "*": ["NA"]})
    assert data.column("pay").missing.tolist() == [False, True, False]
    assert data.schema["town"].categories == ("-9", "A")
    assert isinstance(data.frame(), type(frame))
    with pytest.raises(discreet.UsageError, match="keep_codes"):
        discreet.read(frame, keep_codes=True)


@pytest.mark.parametrize("name", ["*", "^.*$", "^a", "a|b"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_codes_of_a_column_whose_name_is_an_expression_elsewhere(library: Any, name: str) -> None:
    data = discreet.read(library({"age": [7, -9], name: [-9, 8]}), missing={name: [-9]})
    assert data.column(name).missing.tolist() == [True, False]
    # '*' stands for every column, one of that name among them
    assert data.column("age").missing.tolist() == [False, name == "*"]
