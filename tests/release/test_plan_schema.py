"""A plan on the next file: columns that come and go, types that change, categories that are new."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, Plan, UsageError
from discreet.release.plan_schema import Expectation, types_of
from tests.command_line import Discreet

ROWS = [f"{20 + i % 9},{'ab'[i % 2]},0{1000 + i % 3},{100 + i}" for i in range(36)]
HEAD = "age,town,postcode,pay"
COLUMNS = """
  age: {role: quasi-identifier, kind: continuous}
  town: {role: quasi-identifier, kind: nominal, categories: [a, b], type: text}
  postcode: {role: quasi-identifier, kind: nominal, type: text}
  pay: {role: confidential, kind: continuous}
"""
STEPS = "steps:\n  - microaggregation: {partition: {mdav: {k: 3}}}\n"
STRICT = f"schema: strict\ncolumns:{COLUMNS}{STEPS}"
OPEN = f"columns:{COLUMNS}{STEPS}"


def csv(folder: Path, head: str = HEAD, rows: list[str] = ROWS) -> Path:
    path = folder / "month.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def with_new_column(folder: Path) -> Path:
    return csv(folder, f"{HEAD},shoe", [f"{row},{38 + i % 5}" for i, row in enumerate(ROWS)])


DRIFT: dict[str, tuple[Any, str]] = {
    "a new column": (with_new_column, "does not name the column 'shoe' that the file has"),
    "a missing column": (
        lambda folder: csv(folder, "age,town,postcode", [row.rpartition(",")[0] for row in ROWS]),
        "'pay', which is not in the data",
    ),
    "a changed type": (
        lambda folder: csv(folder, rows=[row.replace(",0", ",1") for row in ROWS]),
        "says 'type: text' for column 'postcode', but the file holds numbers",
    ),
    "a new category": (
        lambda folder: csv(folder, rows=[*ROWS, "25,c,01001,130"]),
        "column 'town' holds a category that the plan does not allow (first in row 37)",
    ),
    "text for numbers": (
        lambda folder: csv(folder, rows=[*ROWS, "old,a,01001,130"]),
        "a continuous column must hold numbers, but column 'age'",
    ),
}


@pytest.mark.parametrize("what", DRIFT)
def test_a_strict_plan_stops_with_one_sentence(
    what: str, tmp_path: Path, discreet_command: Discreet
) -> None:
    change, words = DRIFT[what]
    (tmp_path / "plan.yaml").write_text(STRICT, encoding="utf-8")
    data = str(change(tmp_path))
    out = tmp_path / "out"
    outcome = discreet_command(
        "protect", str(tmp_path / "plan.yaml"), "--data", data, "--out", str(out)
    )
    assert outcome.code == 1
    assert outcome.is_one_sentence()
    assert words in outcome.err
    assert not out.exists()


def test_the_file_that_the_plan_is_for_runs(tmp_path: Path) -> None:
    plan = Plan.parse(STRICT)
    assert plan.run(plan.read(csv(tmp_path)), seed=1).data.schema.names == tuple(HEAD.split(","))


def test_a_column_that_the_plan_does_not_name_is_not_released(tmp_path: Path) -> None:
    plan = Plan.parse(OPEN)
    data = plan.read(with_new_column(tmp_path))
    assert "shoe" not in data.schema
    assert data.source is not None
    assert "not named in the plan and therefore not released: shoe;" in data.source.notes[-1]
    given = discreet.read(with_new_column(tmp_path), roles=plan.roles, kinds=plan.kinds)
    assert "shoe" not in plan.run(given, seed=1).data.schema
    # A role that is stated where the data are read is a statement, too.
    stated = {**plan.roles, "shoe": "other"}
    given = discreet.read(with_new_column(tmp_path), roles=stated, kinds=plan.kinds)
    assert "shoe" in plan.run(given, seed=1).data.schema


def test_all_others_are_released_if_the_plan_says_so(tmp_path: Path) -> None:
    plan = Plan.parse(f"{OPEN}release: {{unnamed: keep}}\n")
    released = plan.run(plan.read(with_new_column(tmp_path)), seed=1).data
    assert "shoe" in released.schema
    assert Plan.parse(plan.dump()).keep_unnamed


def test_without_strict_the_plan_of_a_file_is_wrong_and_another_file_lacks_a_column(
    tmp_path: Path,
) -> None:
    file = DRIFT["a missing column"][0](tmp_path)
    with pytest.raises(UsageError, match="'pay', which is not in the data"):
        replace(Plan.parse(OPEN), file=str(file)).read()
    with pytest.raises(DataError, match="'pay', which is not in the data"):
        Plan.parse(OPEN).read(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schema: loose\nsteps: [rounding]", "key 'schema': this must be 'strict'"),
        ("schema: strict\ncolumns: {age: other}\nsteps: [rounding]", "states the kind of every"),
        ("steps: [rounding]\nrelease: {unnamed: yes}", "this must be drop or keep"),
        ("columns: {age: {type: int}}\nsteps: [rounding]", "a type is one of number, text"),
        (
            "columns: {age: {kind: continuous, categories: [1]}}\nsteps: [rounding]",
            "only ordinal and nominal columns have categories",
        ),
    ],
)
def test_what_a_plan_may_not_say(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Plan.parse(text)


def test_identifiers_need_no_kind_in_a_strict_plan() -> None:
    assert Plan.parse("schema: strict\ncolumns: {name: identifier}\nsteps: [rounding]").strict


def test_a_dumped_plan_expects_the_same() -> None:
    plan = Plan.parse(STRICT)
    assert Plan.parse(plan.dump()) == plan


def test_types_are_those_of_the_file_whatever_the_kind() -> None:
    import datetime

    data = discreet.read(
        {
            "code": [1, 2], "day": [datetime.date(2026, 1, 2)] * 2, "well": [True, False],
            "word": ["a", None], "size": [1.5, None], "none": [None, None],
        },
        kinds={"code": "nominal"},
    )  # fmt: skip
    assert types_of(data) == {
        "code": "number", "day": "date", "well": "truth", "word": "text", "size": "number",
    }  # fmt: skip
    assert types_of(data.take(np.array([0]))) == types_of(data)


def test_several_new_columns_and_categories_are_counted() -> None:
    data = discreet.read({"town": ["a", "b", "c"], "x": [1, 2, 3], "y": [1, 2, 3]})
    with pytest.raises(DataError, match="'x' \\(and 1 more\\) that the file has"):
        Expectation(("town",), strict=True).met_by(data)
    with pytest.raises(DataError, match="'x' \\(and 1 more\\), but the file does not have it"):
        Expectation(("x", "town", "y"), strict=True).met_by(data.drop(["x", "y"]))
    with pytest.raises(DataError, match="holds 2 categories that the plan does not allow"):
        Expectation(("town",), categories={"town": ["a"]}).met_by(data)
