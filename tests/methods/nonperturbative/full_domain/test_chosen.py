"""Chosen levels, stated in parameters that mean the same on other data."""

from __future__ import annotations

import datetime

import pytest

import discreet
from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.chosen import chosen_levels
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.global_recoding import GlobalRecoding

DATA = discreet.read(
    {
        "age": [18.0, 25.0, 33.0, 71.0, 90.0, 44.0],
        "code": ["110", "111", "120", "210", "211", "230"],
        "day": [datetime.date(1980 + 3 * i, 5, 1 + i) for i in range(6)],
        "town": ["a", "b", "a", "b", "a", "b"],
    },
    roles=dict.fromkeys(["age", "code", "day", "town"], "quasi-identifier"),
)


@pytest.mark.parametrize("name", ["age", "code", "day", "town"])
def test_every_level_comes_out_as_it_did(name: str) -> None:
    given = Given(DATA, [name], "GlobalRecoding")
    columns = {name: given.levels(name)}
    for level in range(columns[name].height + 1):
        settings = chosen_levels(given, columns, {name: level})
        method = GlobalRecoding(k=None, columns=(name,), **settings)
        released = method.protect(DATA, Context()).data.column(name)
        assert released.same_as(columns[name].recoded(level)), level
        if released.attribute.categories and not released.attribute.continuous:
            assert (
                released.attribute.categories == columns[name].recoded(level).attribute.categories
            )


def test_what_was_specified_stays_and_the_top_has_a_word() -> None:
    mapped = {"town": {"coast": ["a"]}}
    given = Given(DATA, ["town", "age"], "GlobalRecoding", mappings=mapped, widths={"age": 10})
    columns = {name: given.levels(name) for name in ("town", "age")}
    top = columns["age"].height
    stated = chosen_levels(given, columns, {"town": 1, "age": top})
    assert stated["mappings"] == mapped
    assert stated["levels"] == {"town": 1, "age": "top"}
    assert chosen_levels(given, columns, {"town": 0, "age": 2})["widths"] == {"age": 20.0}
