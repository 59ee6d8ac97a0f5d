"""Rules: their language, and that synthetic records keep them."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.contracts import Context, Randomness
from discreet.microdata import Column
from discreet.models.sequential.rules import Rule, rules_of
from discreet.models.sequential.sequence import run, visits


def persons(rows: int = 400) -> Microdata:
    generator = np.random.default_rng(1)
    age = generator.integers(0, 90, rows).astype(float)
    married = (age >= 15) & (generator.random(rows) < 0.7)
    school = np.where(age < 6, 0, generator.integers(0, 3, rows))
    return discreet.read(
        {
            "age": age,
            "marital": np.where(married, "married", "single"),
            "school": np.array(["none", "basic", "high"])[school],
            "first name": np.array(["Ann", "Bo"])[generator.integers(0, 2, rows)],
        },
        kinds={"school": ["none", "basic", "high"]},
    )


def columns(data: Microdata) -> dict[str, Column]:
    return {column.name: column for column in data}


def test_comparisons_of_every_kind() -> None:
    data = discreet.read(
        {"age": [10, 20, None], "grade": ["low", "high", "mid"], "a b": ["x", "y", "x"]},
        kinds={"grade": ["low", "mid", "high"]},
    )

    def broken(text: str) -> list[bool]:
        return list(Rule.read(text, data).broken(columns(data)))

    assert broken("if age <= 10 then grade = low") == [False, False, False]
    assert broken("if age >= 10 then grade = low") == [False, True, False]
    assert broken("if grade > low then age < 15") == [False, True, False]
    assert broken("if a b == x and grade != mid then age > 10") == [True, False, False]
    assert broken("always age < 15") == [False, True, False]
    # A missing value breaks nothing, neither as a condition nor as a conclusion.
    assert broken("if age != 7 then grade = low")[2] == False  # noqa: E712
    assert broken("if grade = mid then age > 100")[2] == False  # noqa: E712


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("age < 15", "a rule must be written as: if column"),
        ("if age then marital = single", "must compare a column with a value"),
        ("if agee < 15 then marital = single", "names column 'agee'"),
        ("if age < old then marital = single", "with a number, but 'old'"),
        ("if age < 15 then marital = widowed", "one of its 2 categories, but 'widowed'"),
        ("if age < 15 then marital > single", "its categories have no order"),
        ("__import__('os').system('true')", "a rule must be written as"),
    ],
)
def test_what_is_no_rule_is_explained(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        rules_of([text], persons(20))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    data = persons(12)
    try:
        found = Rule.read(text, data)
    except UsageError:
        return
    assert len(found.broken(columns(data))) == 12


RULES = ["if age < 15 then marital != married", "if age < 6 then school = none"]


@pytest.mark.parametrize("first", [["age"], ["marital", "school", "age"], ["school"]])
def test_rules_are_kept_whatever_the_order(first: list[str]) -> None:
    data = persons()
    rules = rules_of(RULES, data)
    names = data.schema.names
    for seed in range(3):
        made = run(
            data, (), 600, visits(data, names, (), first=first), Context(Randomness(seed)),
            rules=rules, rounded=True,
        )  # fmt: skip
        table = {column.name: column for column in made}
        assert not any(rule.broken(table).any() for rule in rules)
        free = run(data, (), 600, visits(data, names, (), first=first), Context(Randomness(seed)))
        loose = {column.name: column for column in free}
        assert any(rule.broken(loose).any() for rule in rules), "the rules have something to do"


def test_a_rule_that_nothing_keeps_is_an_error() -> None:
    data = persons()
    rules = rules_of(["if age > -1000 then age > 200"], data)
    with pytest.raises(DataError, match="no value of column 'age' that keeps the rules"):
        run(data, (), 50, visits(data, ["age"], ()), Context(Randomness(1)), rules=rules)


def test_bounds_are_kept() -> None:
    data = persons()
    rules = rules_of(["always age >= 0", "always age <= 90"], data)
    [made] = run(data, (), 900, visits(data, ["age"], ()), Context(Randomness(1)), rules=rules)
    assert made.values.min() >= 0
    assert made.values.max() <= 90
    [free] = run(data, (), 900, visits(data, ["age"], ()), Context(Randomness(1)))
    assert free.values.min() < 0


def test_a_rule_kept_by_one_value_only_finds_it() -> None:
    data = persons()
    column = data.column("age").with_values(np.where(np.arange(400) == 7, 100.0, data["age"]))
    data = data.replace([column])
    rules = rules_of(["if age > -1000 then age >= 100"], data)
    [made] = run(data, (), 50, visits(data, ["age"], ()), Context(Randomness(1)), rules=rules)
    assert (made.values >= 100).all()


def test_visits_and_predictors_that_do_not_fit_are_explained() -> None:
    data = persons(20)
    names = data.schema.names
    with pytest.raises(UsageError, match="visited before it, but 'marital' was named"):
        visits(data, names, (), predictors=["age=marital"])
    with pytest.raises(UsageError, match="must be written as pay=age"):
        visits(data, names, (), predictors=["age"])
    with pytest.raises(UsageError, match="two entries of models for column 'age'"):
        visits(data, names, (), models=["age=normal", "age=count"])
    with pytest.raises(UsageError, match="visit order of the synthesis names column 'ages'"):
        visits(data, names, (), first=["ages"])
    with pytest.raises(UsageError, match="'school', which is not synthesised"):
        visits(data, ["age"], (), models=["school=ordered"])
    with pytest.raises(UsageError, match=r"visit order of .* 'school', which is not synthesised"):
        visits(data, ["age"], ["school"], first=["school"])
    with pytest.raises(UsageError, match="names column 'schol', which is not in the data"):
        visits(data, ["age"], ["school"], predictors=["age=schol"])


def test_dates_are_written_as_dates() -> None:
    generator = np.random.default_rng(3)
    day = generator.integers(0, 20_000, 300)
    born = np.datetime64("1950-01-01") + day.astype("timedelta64[D]")
    data = discreet.read(
        {"born": born.astype(object), "licence": np.where(day < 18_000, "yes", "no")},
        roles={"born": "quasi-identifier", "licence": "confidential"},
    )
    early = Rule.read("if born < 1980-06-15 then licence = no", data)
    before = born < np.datetime64("1980-06-15")
    assert (early.broken(columns(data)) == before & (data["licence"] == 1)).all()
    made = discreet.SequentialRegression(
        rules=["always born >= 1950-01-01", "if born >= 1999-01-01 then licence = no"]
    ).protect(data, Context(Randomness(1)))
    released = np.array(made.data.frame()["born"].to_pylist(), dtype="datetime64[D]")
    assert released.min() >= np.datetime64("1950-01-01")
    late = released >= np.datetime64("1999-01-01")
    assert late.sum() > 5
    assert (made.data["licence"][late] == 0).all()
    within = ["always born > 1973-12-31", "always born < 1975-01-01"]
    method = discreet.FullySynthetic(rules=within, records=5000, round=False)
    written = method.protect(data, Context(Randomness(1))).data.frame()["born"].to_pylist()
    assert date(1973, 12, 31) < min(written) < max(written) < date(1975, 1, 1)
    with pytest.raises(UsageError, match="column of dates 'born' with a date such as 1990-05-17"):
        Rule.read("if born < 18 then licence = no", data)


@pytest.mark.parametrize("kind", [date, datetime])
def test_dates_of_pandas_may_be_objects(kind: type[date]) -> None:
    days = [kind(1950 + i % 50, 1, 1) for i in range(99)]
    frame = pd.DataFrame({"born": pd.Series([None, *days], dtype=object), "pay": range(100)})
    data = discreet.read(frame, roles={"born": "quasi-identifier"})
    found = Rule.read("if born < 1951-01-01 then pay > 50", data).broken(columns(data))
    assert list(np.flatnonzero(found)) == [1]


def test_a_category_may_have_an_and_in_it() -> None:
    data = discreet.read(
        {"trade": ["health and social work", "law"], "pay": [1.0, 2.0]},
        roles={"trade": "quasi-identifier", "pay": "confidential"},
    )
    rule = Rule.read("if trade = health and social work and pay < 5 then pay > 1", data)
    assert list(rule.broken(columns(data))) == [True, False]
