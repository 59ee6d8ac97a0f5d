"""Microdata and schema: nothing can be written to, and the source keeps step with the rows."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Kind, Microdata, Role, UsageError
from discreet.microdata import Attribute, Column
from discreet.microdata.table import FIRST_LOOK

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
AGE = Attribute("age", Role.QUASI_IDENTIFIER, Kind.CONTINUOUS)
CITY = Attribute("city", Role.OTHER, Kind.NOMINAL, ("Ayle", "Bron"))


def people() -> Microdata:
    return discreet.read(
        pa.table({"age": [31, 47, 52, None], "city": ["Ayle", "Bron", None, "Ayle"]}),
        roles={"age": "quasi-identifier", "city": "other"},
    )


def test_values_cannot_be_written_to() -> None:
    data = people()
    for name in ("age", "city"):
        with pytest.raises(ValueError, match="read-only"):
            data[name][0] = 0


def test_a_callers_array_is_neither_locked_nor_followed() -> None:
    mine = np.array([1.0, 2.0])
    column = Column(AGE, mine)
    mine[0] = 99.0
    assert column.values.tolist() == [1.0, 2.0]
    assert mine.flags.writeable


def test_a_part_of_a_callers_array_is_not_followed() -> None:
    mine = np.array([1.0, 2.0, 3.0])
    column = Column(AGE, mine[1:])
    mine[1] = 99.0
    assert column.values.tolist() == [2.0, 3.0]


def test_a_locked_view_of_a_callers_array_is_not_followed() -> None:
    mine = np.array([1.0, 2.0])
    view = mine.view()
    view.flags.writeable = False
    column = Column(AGE, view)
    mine[0] = 99.0
    assert column.values.tolist() == [1.0, 2.0]


def test_values_take_the_type_of_their_kind() -> None:
    assert Column(AGE, np.array([1, 2])).values.dtype == np.float64
    assert Column(CITY, np.array([1.0, -1.0])).values.dtype == np.int32


def test_the_matrix_is_a_copy() -> None:
    data = people()
    matrix = data.matrix(["age"])
    matrix[0, 0] = -1
    assert data["age"][0] == 31


def test_columns_and_attributes_are_frozen() -> None:
    column = people().column("age")
    with pytest.raises(AttributeError):
        column.values = np.zeros(4)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        column.attribute.role = Role.OTHER  # type: ignore[misc]


def test_the_table_gives_no_handle_on_its_columns() -> None:
    data = people()
    names = data.schema.names
    assert isinstance(names, tuple)
    columns = list(data)
    columns.pop()
    assert data.schema.names == names
    assert len(list(data)) == 2


@pytest.mark.parametrize("name", ["schema", "source", "anything"])
def test_a_table_cannot_be_given_other_parts(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(people(), name, None)


def test_a_column_of_another_length_is_refused() -> None:
    data = people()
    with pytest.raises((UsageError, ValueError)):
        data.replace([data.column("age").with_values(np.zeros(3))])


def test_missing_values_are_nan_and_minus_one() -> None:
    data = people()
    assert data.column("age").missing.tolist() == [False, False, False, True]
    assert data.column("city").missing.tolist() == [False, False, True, False]
    assert math.isnan(data["age"][3])
    assert data["city"][2] == -1


def test_same_as_knows_that_nan_is_nan() -> None:
    one, other = people().column("age"), people().column("age")
    assert one.values is not other.values
    assert one.same_as(other)
    assert not one.same_as(other.with_values(np.array([31, 47, np.nan, 52])))
    assert not one.same_as(other.with_values(np.array([31, 47, 52, 0])))


def test_same_as_looks_beyond_the_first_values() -> None:
    values = np.full(FIRST_LOOK + 2, np.nan)
    values[-1] = 5.0
    column = Column(AGE, values)
    assert column.same_as(column.with_values(values.copy()))
    assert not column.same_as(column.with_values(np.append(values[:-1], 6.0)))
    assert not column.same_as(column.with_values(np.append(values[:-1], np.nan)))


def test_same_as_looks_at_the_length() -> None:
    column = Column(AGE, np.array([1.0, 1.0]))
    assert not column.same_as(Column(AGE, np.array([1.0])))


def test_same_as_looks_at_kind_and_categories() -> None:
    nominal = Column(CITY, np.array([0, 1]))
    renamed = nominal.recoded(nominal.values, Kind.NOMINAL, ("Cull", "Dorn"))
    assert not nominal.same_as(renamed)
    assert not nominal.same_as(
        Column(CITY.recoded(Kind.ORDINAL, CITY.categories), np.array([0, 1]))
    )


def test_the_same_array_on_another_scale_is_not_the_same_column() -> None:
    nominal = Column(CITY, np.array([0, 1]))
    ordinal = nominal.recoded(nominal.values, Kind.ORDINAL, CITY.categories)
    assert not nominal.same_as(ordinal)


def test_replace_marks_only_what_changed() -> None:
    data = people()
    same = data.replace([data.column("age").with_values(data["age"].copy())])
    assert same.source is not None
    assert same.source.changed == frozenset()
    other = data.replace([data.column("age").with_values(data["age"] + 1)])
    assert other.source is not None
    assert other.source.changed == {"age"}
    assert data.source is not None
    assert data.source.changed == frozenset(), "the table itself was changed"
    assert data["age"][0] == 31


def test_replace_keeps_the_order_of_the_columns() -> None:
    data = people()
    new = data.replace([data.column("city").with_values(np.array([1, 1, 1, 1]))])
    assert new.schema.names == ("age", "city")


def test_replace_refuses_a_column_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="there is no column 'agee'; did you mean 'age'"):
        people().replace([Column(Attribute("agee"), np.zeros(4))])


@LAW
@given(st.lists(st.lists(st.integers(0, 5), min_size=6, max_size=6), min_size=1, max_size=4))
def test_taking_rows_again_and_again_keeps_source_and_values_in_step(
    choices: list[list[int]],
) -> None:
    table = pa.table({"x": [10, 11, 12, 13, 14, 15], "y": list("abcdef")})
    data = discreet.read(table)
    rows = list(range(6))
    for choice in choices:
        data = data.take(np.array(choice))
        rows = [rows[i] for i in choice]
    assert data["x"].tolist() == [10.0 + i for i in rows]
    assert data.frame().to_pydict() == {
        "x": [10 + i for i in rows],
        "y": ["abcdef"[i] for i in rows],
    }


def test_take_drop_and_replace_together() -> None:
    data = people().take(np.array([3, 0])).drop(["city"])
    data = data.replace([data.column("age").with_values(np.array([np.nan, 30.0]))])
    assert data.frame().to_pydict() == {"age": [None, 30]}
    assert len(data) == 2


def test_take_of_nothing_keeps_the_columns() -> None:
    empty = people().take(np.zeros(0, dtype=np.int64))
    assert len(empty) == 0
    assert empty.frame().schema == people().frame().schema


def test_with_attributes_changes_the_role_alone() -> None:
    data = people()
    new = data.with_attributes([Attribute("age", Role.CONFIDENTIAL, Kind.CONTINUOUS)])
    assert new.having(Role.CONFIDENTIAL) == ("age",)
    assert new.column("age").same_as(data.column("age"))


def test_an_unknown_column_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no column 'aeg'; did you mean 'age'\? \(columns: 'age'"):
        people()["aeg"]
    with pytest.raises(UsageError, match="did you mean 'city'"):
        people().schema["cty"]


def test_the_printed_form_holds_no_values() -> None:
    text = repr(people())
    assert text == "Microdata(4 records; age: quasi-identifier, continuous; city: other, nominal)"


def test_a_table_without_columns_still_has_its_records() -> None:
    data = people()
    bare = data.drop(data.schema.names)
    assert len(bare) == 4
    assert len(bare.take(np.array([2, 0]))) == 2
    assert bare.matrix([]).shape == (4, 0)
    assert len(Microdata([], rows=3)) == 3
    with pytest.raises(ValueError, match="one length"):
        Microdata([Column(AGE, np.array([1.0]))], rows=3)
