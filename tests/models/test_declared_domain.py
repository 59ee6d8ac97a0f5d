from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.models.declared_domain import Domain


def test_numbers_fall_into_their_bins_and_beyond_the_ends_into_the_last() -> None:
    data = discreet.read({"age": [-3.0, 0.0, 17.9, 18.0, 65.0, 120.0, 900.0, None]})
    domain = Domain.declared("age", {"bins": [0, 18, 65, 120], "missing": True})
    assert domain.cells_of(data).tolist() == [0, 0, 0, 1, 2, 2, 2, 3]


def test_values_come_back_from_their_bins() -> None:
    data = discreet.read({"age": [1.0, 2.0]})
    domain = Domain.declared("age", {"bins": [0, 2, 5], "whole": True, "missing": True})
    cells = np.repeat([0, 1, 2], 200)
    made = domain.values_of(cells, data.column("age"), np.random.default_rng(1)).values
    assert set(made[:200]) == {0, 1}
    assert set(made[200:400]) == {2, 3, 4, 5}
    assert np.isnan(made[400:]).all()


def test_categories_are_those_declared_in_their_order() -> None:
    data = discreet.read({"sex": ["m", None, "f"]})
    domain = Domain.declared("sex", {"categories": ["f", "m", "x"], "missing": True})
    assert domain.cells_of(data).tolist() == [1, 3, 0]
    made = domain.values_of(np.array([2, 3]), data.column("sex"), np.random.default_rng(1))
    assert made.attribute.categories == ("f", "m", "x")
    assert made.values.tolist() == [2, -1]


def test_a_category_outside_is_refused_by_row_and_not_quoted() -> None:
    data = discreet.read({"town": ["Ayle", "Secretville"]})
    with pytest.raises(DataError, match="row 2") as said:
        Domain.declared("town", ["Ayle"]).cells_of(data)
    assert "Secretville" not in str(said.value)


def test_missing_values_need_to_be_declared() -> None:
    with pytest.raises(DataError, match="missing: true"):
        Domain.declared("age", {"bins": [0, 9]}).cells_of(discreet.read({"age": [1.0, None]}))


@pytest.mark.parametrize(
    ("stated", "data", "says"),
    [
        (["a", "b"], {"age": [1.5]}, "must state bins"),
        ({"bins": [0, 1]}, {"age": ["a"]}, "must state categories"),
    ],
)
def test_a_domain_of_the_wrong_kind_is_refused(stated: Any, data: Any, says: str) -> None:
    with pytest.raises(DataError, match=says):
        Domain.declared("age", stated).cells_of(discreet.read(data))


def test_dates_are_refused() -> None:
    import datetime

    data = discreet.read({"born": [datetime.date(1990, 5, 1), datetime.date(1991, 5, 1)]})
    with pytest.raises(DataError, match="dates"):
        Domain.declared("born", {"bins": [0, 1]}).cells_of(data)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ("f, m", "other keys"),
        ({"values": [1]}, "other keys"),
        ([], "no list of categories"),
        (["a", "a"], "occurs twice"),
        ({"categories": ["a"], "bins": 3}, "cannot have bins"),
        ({"bins": [1, 1]}, "do not ascend"),
        ({"bins": [1]}, "not numbers"),
        ({"low": 0, "bins": 3}, "not numbers"),
        ({"low": 0, "high": 9, "bins": [1, 2]}, "ends of its bins"),
        ({"low": 0, "high": 9, "bins": "many"}, "how many"),
        ({"bins": [0, 0.2, 0.4, 2], "whole": True}, "no whole number"),
        ({"bins": [0, 1], "missing": "yes"}, "true or false"),
    ],
)
def test_what_is_no_domain_is_explained(stated: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says) as said:
        Domain.declared("age", stated)
    assert "column 'age'" in str(said.value)
