"""Which columns a method treats, and which it refuses by name."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method, Spec
from discreet.errors import DataError, UsageError
from discreet.microdata import Kind


class Numbers(Method):
    """Treats numbers only."""

    spec: ClassVar[Spec] = Spec("numbers", "N", "C", "M", kinds=(Kind.CONTINUOUS,))


def table(**columns: object) -> discreet.Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def test_all_quasi_identifiers_or_those_named_each_once() -> None:
    data = table(age=[1, 2], pay=[3, 4])
    assert Numbers().treated(data, None) == ("age", "pay")
    assert Numbers().treated(data, ("pay", "pay")) == ("pay",)


def test_a_file_without_quasi_identifiers_has_nothing_to_treat() -> None:
    with pytest.raises(UsageError, match="give at least one column the role quasi-identifier"):
        Numbers().treated(discreet.read({"age": [1]}), None)


def test_an_unknown_column_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'age'"):
        Numbers().treated(table(age=[1]), ("agee",))


def test_a_column_of_another_kind_is_sent_to_methods_that_can_treat_it() -> None:
    data = table(age=[1, 2], town=["a", "b"])
    with pytest.raises(DataError, match=r"'town' is nominal; .* such as .*pram"):
        Numbers().treated(data, None)


def test_an_infinite_value_is_named_by_its_row_alone() -> None:
    data = table(age=[1.0, 2.0, 3.0])
    values = np.array([1.0, -np.inf, np.inf])
    infinite = data.replace([data.column("age").with_values(values)])
    with pytest.raises(DataError, match=r"column 'age' is infinite in row 2;"):
        Numbers().treated(infinite, None)


def test_a_method_that_says_nothing_is_a_mistake_of_its_author() -> None:
    with pytest.raises(TypeError, match="Numbers does not say how to protect"):
        Numbers().protect(table(age=[1]), Context())
