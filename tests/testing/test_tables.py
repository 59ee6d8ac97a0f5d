"""The tables that methods and measures are tried on have what they are there for."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microdata import Kind, Role
from discreet.testing.tables import ALL_KINDS, edges, ordinary, survey


def test_an_ordinary_table_has_every_role_and_missing_values() -> None:
    data = ordinary()
    # Each of its records is a person of its own; those with several records are in the survey.
    assert {attribute.role for attribute in data.schema} == set(Role) - {Role.PERSON}
    visits = {attribute.role for attribute in survey(role=Role.PERSON).schema}
    assert visits == set(Role) - {Role.HOUSEHOLD}
    assert {data.schema[name].kind for name in data.quasi_identifiers} == set(ALL_KINDS)
    assert any(data.column(name).missing.any() for name in data.quasi_identifiers)
    assert not any(column.missing.any() for column in ordinary(missing=False))


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_quasi_identifiers_are_of_the_kinds_asked_for(kind: Kind) -> None:
    data = ordinary([kind], rows=20)
    assert len(data) == 20
    assert {data.schema[name].kind for name in data.quasi_identifiers} == {kind}


def test_it_is_the_same_table_every_time() -> None:
    assert all(one.same_as(other) for one, other in zip(ordinary(), ordinary(), strict=True))


def test_edges_are_what_they_are_called() -> None:
    found = edges()
    assert {what: len(data) for what, data in found.items()} == {
        "empty": 0,
        "one row": 1,
        "fewer rows than k": 3,
        "all rows equal": 20,
        "every row twice": 40,
        "all missing": 20,
        "huge values": 20,
        "tiny values": 20,
        "one row far away": 20,
    }
    assert all(len(np.unique(column.values)) == 1 for column in found["all rows equal"])
    missing = found["all missing"]
    assert all(missing.column(name).missing.all() for name in missing.quasi_identifiers)
    assert np.square(found["huge values"]["height"]).max() > 1e260
    assert 0 < np.square(found["tiny values"]["height"]).max() < 1e-250
    heights = found["one row far away"]["height"]
    assert np.median(heights) < 1e6 < heights.max()
