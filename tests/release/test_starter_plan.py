"""Starter plans: whatever the columns are called, the plan that is written can be read."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Plan, datasets
from discreet.microdata import Kind, Role
from discreet.release.describing import Description, Suggestion
from discreet.release.starter_plan import starter_plan

LAW = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

HOSTILE = [
    "it's",
    '"quoted"',
    "a: b",
    "a:",
    ":a",
    "{brace}",
    "[x]",
    "# hash",
    "a #b",
    "a,b",
    " leading",
    "trailing ",
    "null",
    "~",
    "1",
    "1.0",
    "1e5",
    "1.5e3",
    "true",
    "no",
    "Größe",
    "年齢",
    "😀",
    "-",
    "- a",
    "--- a",
    "...",
    "?",
    "? a",
    "!tag",
    "&anchor",
    "*alias",
    "<<",
    "=",
    "%",
    "@at",
    "`tick",
    "|",
    ">",
    "back\\slash",
    "tab\there",
    "\t",
    " ",
    "x" * 500,
    "\u00a0",
    "\u200b",
    "2020-01-01",
    "12:30",
    "0x1F",
    "1_000",
    ".inf",
    ".nan",
    "+1",
    "'",
    '"',
    "''",
]
BREAKS = ["two\nlines", "\n", "a\n", "\na", "a\rb", "a\r\nb", "a\x85b", "a\u2028b", "a\u2029b"]
CONTROLS = ["\x00", "a\x07b", "\x1b[0m", "\x7f", "\ufeffbom", "\ufffe"]

names = st.one_of(
    st.sampled_from(HOSTILE + BREAKS + CONTROLS),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
    st.text(st.sampled_from("'\":{}[],#&*!|>%@`?- \\\n\tax1"), min_size=1, max_size=8),
)


def described(columns: list[str], categories: tuple[str, ...] = ()) -> Description:
    kind = Kind.ORDINAL if categories else Kind.CONTINUOUS
    data = discreet.read({"a": [1]})
    return Description(
        data,
        tuple(
            Suggestion(name, kind, Role.QUASI_IDENTIFIER, "because", 1, 0.0, categories)
            for name in columns
        ),
        (),
    )


def check_names(columns: list[str]) -> None:
    plan = Plan.parse(starter_plan(described(columns), "file.csv"))
    assert list(plan.roles) == columns
    assert plan.roles == dict.fromkeys(columns, "quasi-identifier")


def check_categories(categories: list[str]) -> None:
    plan = Plan.parse(starter_plan(described(["a"], tuple(categories)), "file.csv"))
    assert plan.kinds == {"a": categories}


@pytest.mark.parametrize("name", HOSTILE + BREAKS + CONTROLS)
def test_hostile_column_names_survive(name: str) -> None:
    check_names([name])


@pytest.mark.parametrize("name", HOSTILE + BREAKS + CONTROLS)
def test_hostile_categories_survive(name: str) -> None:
    check_categories([name, "other"])


@pytest.mark.parametrize("name", [n for n in HOSTILE + BREAKS if len(n) < 200])
def test_hostile_file_names_survive(name: str) -> None:
    assert Plan.parse(starter_plan(described(["a"]), name)).file == name


@LAW
@given(st.lists(names, min_size=1, max_size=5, unique=True))
def test_any_column_names_survive(columns: list[str]) -> None:
    check_names(columns)


@LAW
@given(st.lists(names, min_size=1, max_size=5, unique=True))
def test_any_categories_survive(categories: list[str]) -> None:
    check_categories(categories)


@pytest.mark.parametrize("value", [0, -3, 1.5, 1e-5, 1e300, True, 2**70])
def test_categories_that_are_not_text_keep_their_type(value: object) -> None:
    plan = Plan.parse(starter_plan(described(["a"], (value,)), "file.csv"))  # type: ignore[arg-type]
    assert plan.kinds["a"] == [value]
    assert type(plan.kinds["a"][0]) is type(value)


def test_options_of_the_file_are_written_down() -> None:
    text = starter_plan(described(["a"]), "file.csv", {"delimiter": ";", "decimal": ","})
    assert Plan.parse(text).options == {"delimiter": ";", "decimal": ","}
    tab = starter_plan(described(["a"]), "file.csv", {"delimiter": "\t"})
    assert Plan.parse(tab).options == {"delimiter": "\t"}


def test_a_plan_without_quasi_identifiers_says_so() -> None:
    text = starter_plan(discreet.describe({"remark": ["x", "y"]}), "file.csv")
    assert "No column looks like a quasi-identifier" in text
    Plan.parse(text)


def test_the_starter_plan_of_the_demo_data_runs() -> None:
    text = starter_plan(discreet.describe(datasets.path()), datasets.path())
    plan = Plan.parse(text)
    release = plan.run(seed=1)
    assert release.claims[0].measured is not None
    assert release.claims[0].measured >= 5
    assert "name" not in release.data.schema


def test_the_order_of_an_ordered_column_is_kept() -> None:
    grade = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2]), pa.array(["no", "1e5", "yes"]), ordered=True
    )
    description = discreet.describe(pa.table({"grade": grade}))
    plan = Plan.parse(starter_plan(description, "file.parquet"))
    assert plan.kinds == {"grade": ["no", "1e5", "yes"]}


def test_ordered_numbers_can_be_read_with_their_plan() -> None:
    grade = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array([10, 5, 1]), ordered=True)
    table = pa.table({"grade": grade})
    plan = Plan.parse(starter_plan(discreet.describe(table), "file.parquet"))
    data = discreet.read(table, plan.roles, plan.kinds)
    assert data.schema["grade"].categories == (10, 5, 1)
