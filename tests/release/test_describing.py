"""Describing: suggestions with reasons, on the embedded and on real files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet import DataError, Kind, Role, datasets
from discreet.microdata import Level
from discreet.release.describing import WIDEST, Description
from discreet.release.starter_plan import starter_plan
from discreet.report.description import render_description
from tests.io.survey_files import make_sav

FILES = [
    "medicare_nmes1988.csv", "sdcmicro_testdata.csv", "adult_arx_30162.csv", "pima_diabetes.csv",
    "casc_census.csv", "casc_tarragona.csv", "casc_eia.csv", "thyroid_2800.csv",
    "alcohol_kenkel_terza.csv", "sdcmicro_francdat.csv",
]  # fmt: skip


def roles(description: Description) -> dict[str, Role]:
    return {column.name: column.role for column in description.columns}


def kinds(description: Description) -> dict[str, Kind]:
    return {column.name: column.kind for column in description.columns}


def test_the_embedded_data_are_recognised() -> None:
    description = discreet.describe(datasets.path())
    stated = {name: Role(role) for name, role in datasets.roles().items()}
    found = roles(description)
    for name in ("patient_id", "name", "insurance_no", "email"):
        assert found[name] is Role.IDENTIFIER, name
    for name in ("household_id", "sampling_weight", "postcode", "sex", "age", "education"):
        assert found[name] is stated[name], name
    for name in ("income", "diagnosis", "cost", "cholesterol", "systolic_bp"):
        assert found[name] is Role.CONFIDENTIAL, name


@pytest.mark.parametrize("file", FILES)
def test_every_suggestion_has_a_reason(data_files: Path, file: str) -> None:
    description = discreet.describe(data_files / file)
    assert len(description.columns) == len(description.data.schema)
    for column in description.columns:
        assert column.reason, column.name
        assert 0 <= column.missing <= 1
        assert 0 <= column.distinct <= len(description.data)
    text = repr(description)
    assert all(column.name in text for column in description.columns)
    assert "please check each of them" in text


def test_weights_and_households_of_a_survey(data_files: Path) -> None:
    found = roles(discreet.describe(data_files / "sdcmicro_testdata.csv"))
    assert found["ori_hid"] is Role.HOUSEHOLD
    assert found["sampling_weight"] is Role.WEIGHT
    assert found["household_weights"] is Role.WEIGHT
    assert found["age"] is found["sex"] is found["urbrur"] is Role.QUASI_IDENTIFIER
    assert found["income"] is found["expend"] is found["savings"] is Role.CONFIDENTIAL


def test_the_adult_file(data_files: Path) -> None:
    description = discreet.describe(data_files / "adult_arx_30162.csv")
    found = roles(description)
    for name in (
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
    ):
        assert found[name] is Role.QUASI_IDENTIFIER, name
    assert found["salary-class"] is Role.CONFIDENTIAL
    assert kinds(description)["age"] is Kind.CONTINUOUS
    assert kinds(description)["sex"] is Kind.NOMINAL
    assert 0 < description.unique_share < 1


def test_the_medicare_file(data_files: Path) -> None:
    description = discreet.describe(data_files / "medicare_nmes1988.csv")
    found = roles(description)
    for name in ("age", "gender", "married", "school", "region"):
        assert found[name] is Role.QUASI_IDENTIFIER, name
    assert found["income"] is Role.CONFIDENTIAL
    assert found["insurance"] is not Role.IDENTIFIER, "yes and no identify nobody"


def test_kinds_of_numbers() -> None:
    description = discreet.describe(
        {
            "flag": [0, 1] * 60,
            "grade": [1, 2, 3, 4, 5, 6] * 20,
            "count": [i % 40 for i in range(120)],
            "share": [i / 120 for i in range(120)],
            "nothing": pa.nulls(120, pa.float64()),
        }
    )
    assert kinds(description) == {
        "flag": Kind.NOMINAL,
        "grade": Kind.ORDINAL,
        "count": Kind.CONTINUOUS,
        "share": Kind.CONTINUOUS,
        "nothing": Kind.CONTINUOUS,
    }
    assert roles(description)["nothing"] is Role.OTHER


def test_figures_of_a_column_by_hand() -> None:
    (column,) = discreet.describe({"town": ["a", None, "b", "a"]}).columns
    assert (column.distinct, column.missing) == (2, 0.25)


def test_the_share_of_unique_records_by_hand() -> None:
    description = discreet.describe({"age": [30, 30, 41, 50], "sex": ["f", "f", "m", "m"]})
    assert description.quasi_identifiers == ("age", "sex")
    assert description.unique_share == 0.5
    assert "50.0% of the records are unique" in repr(description)


def test_no_records_and_no_columns() -> None:
    description = discreet.describe(pa.table({"age": pa.array([], pa.int64())}))
    assert description.unique_share == 0.0
    assert "0 records" in repr(description)
    with pytest.raises(DataError, match="no columns"):
        discreet.describe(pa.table({}))


def test_numbers_of_a_few_records_are_no_identifier_by_accident() -> None:
    assert roles(discreet.describe({"x": [1, 2, 3]}))["x"] is Role.CONFIDENTIAL
    assert roles(discreet.describe({"x": list(range(20))}))["x"] is Role.IDENTIFIER


def test_a_wide_file_asks_for_the_types_of_its_columns_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A frame makes its schema anew each time, of all columns: once for each is quadratic.
    asked: list[int] = []
    schema = nw.DataFrame.schema.fget  # type: ignore[attr-defined]

    def counted(frame: Any) -> Any:
        asked.append(len(frame.columns))
        return schema(frame)

    monkeypatch.setattr(nw.DataFrame, "schema", property(counted))
    wide = {f"item {i}": [i, i + 1, i + 2] for i in range(200)}
    assert len(discreet.describe(wide).columns) == 200
    assert len(asked) <= 3


def test_levels_and_derived_columns_of_a_survey_are_shown(data_files: Path) -> None:
    found = {c.name: c for c in discreet.describe(data_files / "sdcmicro_testdata.csv").columns}
    for name in ("urbrur", "roof", "walls", "water", "electcon"):
        assert found[name].level is Level.HOUSEHOLD
        assert found[name].reason.endswith("one value in each household")
    for name in ("relat", "sex", "age", "income", "ori_hid"):
        assert found[name].level is None


def test_the_size_of_a_household_is_recognised_and_planned() -> None:
    home = np.repeat(np.arange(60), 1 + np.arange(60) % 4)
    frame = {"hid": home, "hsize": np.bincount(home)[home], "age": np.arange(len(home)) % 50}
    description = discreet.describe(frame)
    assert "the number of members in each household" in repr(description)
    assert "level: household" in starter_plan(description, "survey.csv")


def test_cells_that_a_spreadsheet_would_run_are_noted(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("town,x\n=1+1,-3.5\nAyle,2.5\n")
    assert any("'town' as formulas" in note for note in discreet.describe(file).notes)


def test_labels_of_columns_and_values_are_shown(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    described = discreet.describe(tmp_path / "x.sav")
    assert "Sex of the person: man, woman" in repr(described)
    assert "Sex of the person: man, woman" in render_description(described)
    long = replace(described.columns[0], label="a" * 90)
    assert len(long.labels) == WIDEST


@pytest.mark.parametrize("name", ["income", "weight", "Gewicht", "pension", "cost_code"])
@pytest.mark.parametrize("records", [60, 400])
def test_numbers_that_may_identify_are_asked_about(name: str, records: int) -> None:
    random = np.random.default_rng(3)
    codes = 10_000 + random.choice(90_000, records, replace=False)
    money = random.lognormal(9.5, 0.5, records).round()
    found = discreet.describe({name: codes, "wage": money})
    suggested = found.columns[0]
    asked = f"Identifiers by another name? {name}" in found.unsure
    assert asked == (suggested.role is not Role.IDENTIFIER), suggested
    assert "identifier" not in found.columns[1].reason


@pytest.mark.parametrize(("shared", "role"), [(True, "weight"), (False, "confidential")])
def test_members_of_a_household_do_not_weigh_the_same(shared: bool, role: str) -> None:
    rng = np.random.default_rng(4)
    homes = np.repeat(np.arange(1000, 1100), 3)
    weight = np.round(rng.uniform(40, 120, 100 if shared else 300), 1)
    table = {
        "household_id": homes.tolist(),
        "age": rng.integers(0, 90, 300).tolist(),
        "weight": (np.repeat(weight, 3) if shared else weight).tolist(),
    }
    found = {column.name: column.role.value for column in discreet.describe(table).columns}
    assert found["weight"] == role


def test_lists_and_records_are_not_to_be_released_as_they_are() -> None:
    table = pa.table({"age": [31, 47, 31], "visits": pa.array([[1, 2], [3], []])})
    (_, visits) = discreet.describe(table).columns
    assert visits.role is Role.IDENTIFIER
    assert "lists or records" in visits.reason
