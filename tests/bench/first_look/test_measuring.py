"""The short form of the benchmark of suggestions: the invented files alone."""

from __future__ import annotations

import pytest

from bench.first_look.files import Labelled, listed
from bench.first_look.measuring import Agreement, Outcome, agreement, confusion, outcomes


@pytest.fixture(scope="module")
def invented() -> list[Outcome]:
    return outcomes(("invented", "public", "fresh"), with_reference=False)


@pytest.mark.parametrize("set_aside", [False, True])
def test_suggestions_are_those_of_a_steward(invented: list[Outcome], set_aside: bool) -> None:
    found = agreement([o for o in invented if o.column.set_aside is set_aside])
    assert found.identifiers == 1.0
    assert found.roles >= 0.9
    assert found.kinds >= 0.95


def test_there_are_as_many_labels_as_the_figures_need() -> None:
    lists = ("reference", "invented", "public", "fresh", "abroad", "later", "unseen", "untried")
    files = [file for name in lists for file in listed(name)]
    columns = [column for file in files for column in file.columns]
    assert len(files) >= 120
    assert len(columns) >= 1800
    assert len({(column.file, column.name) for column in columns}) == len(columns)
    earlier = [column for column in columns if column.list in lists[:2]]
    assert 0.2 < sum(column.set_aside for column in earlier) / len(earlier) < 0.3


def test_a_column_may_have_either_of_two_roles_and_a_code_for_missing_values() -> None:
    column = Labelled("x.csv", "pay", "confidential/other", "continuous", "poisson 3 ~0.1=-9")
    assert column.missing_code == "-9"
    found = Outcome(column, "other", "continuous", "", (-9.0,))
    assert found.right_role
    assert found.right_codes
    assert not Outcome(column, "weight", "continuous", "", ()).right_role


def test_agreement_and_confusion_by_hand() -> None:
    name = Labelled("x.csv", "name", "identifier", "nominal")
    age = Labelled("x.csv", "age", "quasi-identifier", "continuous")
    found = [
        Outcome(name, "identifier", "nominal", "", ()),
        Outcome(name, "other", "nominal", "", ()),
        Outcome(age, "other", "nominal", "", ()),
        Outcome(age, "quasi-identifier", "continuous", "", ()),
    ]
    assert agreement(found) == Agreement(4, 0.5, 0.5, 0.75, 1.0)
    assert confusion(found, "kind").splitlines() == [
        "            continuous  nominal",
        "continuous           1        1",
        "nominal              .        2",
    ]
