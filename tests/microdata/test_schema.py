"""Roles, kinds and attributes of columns."""

from __future__ import annotations

import pytest

from discreet import Kind, Role, Schema, UsageError
from discreet.microdata import Attribute

AGE = Attribute("age", Role.QUASI_IDENTIFIER, Kind.CONTINUOUS)
CITY = Attribute("city", Role.OTHER, Kind.NOMINAL, ("Ayle", "Bron"))
GRADE = Attribute("grade", Role.OTHER, Kind.ORDINAL, ("low", "high"))


def test_schemas_are_equal_by_their_attributes() -> None:
    assert Schema([AGE, CITY]) == Schema([AGE, CITY])
    assert hash(Schema([AGE, CITY])) == hash(Schema([AGE, CITY]))
    assert Schema([AGE, CITY]) != Schema([CITY, AGE])
    assert Schema([AGE]) != Schema([Attribute("age", Role.OTHER, Kind.CONTINUOUS)])
    assert Schema([AGE]) != [AGE]
    assert "age" in Schema([AGE])
    assert "city" not in Schema([AGE])
    assert len(Schema([AGE, CITY])) == 2


def test_having_keeps_the_order_of_the_file() -> None:
    schema = Schema([GRADE, AGE, CITY])
    assert schema.having(Role.OTHER, Role.QUASI_IDENTIFIER) == ("grade", "age", "city")
    assert schema.quasi_identifiers == ("age",)


@pytest.mark.parametrize("text", ["Quasi_Identifier", " quasi identifier ", "QUASI-IDENTIFIER"])
def test_roles_are_read_as_people_write_them(text: str) -> None:
    assert Role.parse(text, column="age") is Role.QUASI_IDENTIFIER


def test_an_unknown_role_or_kind_is_explained() -> None:
    with pytest.raises(
        UsageError, match=r"role of column 'age' must be one of .*did you mean 'wei"
    ):
        Role.parse("weigth", column="age")
    with pytest.raises(UsageError, match="kind of column 'age' must be one of continuous, ordinal"):
        Kind.parse(7, column="age")
