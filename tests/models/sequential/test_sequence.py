"""The sequence of columns, each drawn given those before it, and rules kept on the way."""

from __future__ import annotations

import numpy as np
import pytest

from discreet import DataError, UsageError
from discreet.contracts import Context, Randomness
from discreet.models.sequential.rules import rules_of
from discreet.models.sequential.sequence import run, visits
from tests.models.sequential.persons import persons

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
    with pytest.raises(DataError, match="no value of column 'age' that satisfies the rules"):
        run(data, (), 50, visits(data, ["age"], ()), Context(Randomness(1)), rules=rules)


def test_bounds_are_kept() -> None:
    data = persons()
    rules = rules_of(["always age >= 0", "always age <= 90"], data)
    raw = visits(data, ["age"], (), scale="raw")
    [made] = run(data, (), 900, raw, Context(Randomness(1)), rules=rules)
    assert made.values.min() >= 0
    assert made.values.max() <= 90
    [free] = run(data, (), 900, raw, Context(Randomness(1)))
    assert free.values.min() < 0
    [scored] = run(data, (), 900, visits(data, ["age"], ()), Context(Randomness(1)))
    assert scored.values.min() >= data["age"].min()
    assert scored.values.max() <= data["age"].max()


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
