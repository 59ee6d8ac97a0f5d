"""Rules: their language, and that synthetic records keep them."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata, UsageError
from discreet.contracts import Context, Randomness
from discreet.microdata import Column
from discreet.models.sequential.rules import Rule, rules_of
from tests.models.sequential.persons import persons


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
