"""Levels: household columns are told from persons' columns by their values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.errors import UsageError
from discreet.microdata import Level, Microdata
from discreet.microdata.clusters import Clusters, clusters_of
from discreet.microdata.levels import FIRST_LOOK, corrected, deviations, of_household


def survey(wrong: int = 0, homes: int = 300, **options: object) -> Microdata:
    """Households of one to four, with a town that `wrong` of them have wrong in one record."""
    rng = np.random.default_rng(3)
    home = np.repeat(np.arange(homes), rng.integers(1, 5, homes))
    town = np.array(["Ayle", "Bron", "Cull"])[rng.integers(0, 3, homes)][home]
    large = [np.flatnonzero(home == h) for h in range(homes) if (home == h).sum() > 2][:wrong]
    for rows in large:
        town[rows[1]] = "Dorn"
    columns = {"hid": home, "town": town, "sex": rng.integers(0, 2, len(home))}
    return discreet.read(columns, roles={"hid": "household"}, **options)  # type: ignore[arg-type]


def test_a_column_with_one_value_per_household_is_of_its_level() -> None:
    data = survey()
    assert of_household(data) == ("town",)
    assert data.schema["sex"].level is Level.PERSON
    assert data.schema["hid"].level is None


def test_without_households_there_are_no_levels() -> None:
    assert discreet.read({"town": ["Ayle", "Bron"]}).schema["town"].level is None


def test_few_errors_are_tolerated_and_listed_and_corrected() -> None:
    data = survey(wrong=2)
    homes = clusters_of(data)
    assert homes is not None
    (found,) = deviations(data, homes)
    assert (found.name, found.clusters, len(found.rows)) == ("town", 2, 2)
    assert f"(rows {found.rows[0] + 1}, {found.rows[1] + 1})" in str(found)
    table, notes = corrected(data, homes)
    assert homes.agreeing(table.column("town")).all()
    assert notes == (f"{found}; all members were given the most frequent one",)
    assert corrected(table, homes) == (table, ())


def test_many_errors_make_it_a_column_of_persons_unless_the_plan_says_otherwise() -> None:
    assert of_household(survey(wrong=30)) == ()
    assert of_household(survey(wrong=30, levels={"town": "household"})) == ("town",)
    assert of_household(survey(levels={"town": "person"})) == ()


def test_chance_does_not_make_a_level() -> None:
    data = discreet.read({"hid": [1, 1, 2, 2], "sex": list("ffmm")}, roles={"hid": "household"})
    assert of_household(data) == ()


def test_the_first_records_do_not_decide_for_the_others() -> None:
    rows = 3 * FIRST_LOOK
    home, later = np.arange(rows) // 2, np.arange(rows) > 1.5 * FIRST_LOOK
    columns = {
        "hid": home,
        "town": np.where(later, home % 7, 1),
        "age": np.where(later, np.arange(rows) % 7, home % 7),
        "flag": np.where(np.arange(rows) < 2, 2, 1),
    }
    data = discreet.read(columns, roles={"hid": "household"})
    assert [data.schema[name].level for name in ("town", "age", "flag")] == [
        Level.HOUSEHOLD,
        Level.PERSON,
        Level.PERSON,
    ]


def test_a_level_needs_households_and_known_columns() -> None:
    with pytest.raises(UsageError, match="role household"):
        discreet.read({"town": ["Ayle"]}, levels={"town": "household"})
    with pytest.raises(UsageError, match="the list of levels names column 'twon'"):
        survey(levels={"twon": "household"})
    with pytest.raises(UsageError, match="'town' must be one of record, person, household"):
        survey(levels={"town": "street"})


def test_a_release_read_back_keeps_the_levels() -> None:
    from discreet.io.reading import like_original

    data = survey(levels={"sex": "household"})
    assert of_household(like_original(data, data.frame())) == ("town", "sex")


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from([1.0, 2.0, float("nan")])), min_size=1)
)
def test_what_households_share_is_what_a_slow_count_finds(rows: list[tuple[int, float]]) -> None:
    data = discreet.read(
        {"hid": [home for home, _ in rows], "x": [value for _, value in rows]},
        roles={"hid": "household"},
    )
    homes = clusters_of(data)
    assert isinstance(homes, Clusters)
    agreeing, shared = homes.agreeing(data.column("x")), homes.shared(data.column("x"))
    for row, (home, _) in enumerate(rows):
        values = [str(value) for h, value in rows if h == home]
        assert agreeing[homes.labels[row]] == (len(set(values)) == 1)
        assert str(shared[row]) == max(values, key=lambda v: (values.count(v), -values.index(v)))
