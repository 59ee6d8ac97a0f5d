"""Rank swapping: its definition, the survey's example, strata, text, missing values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata, RankSwapping, UsageError
from discreet.contracts import Context, Method, Randomness
from discreet.methods.perturbative.rank_swapping import is_rank_swap, window

# Table 1.2 of the survey: original and rank-swapped file, p = 10 percent.
BEFORE: dict[str, list[Any]] = {
    "one": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "two": list("KLNMLHHFDC"),
    "three": [3.7, 3.8, 3.0, 4.5, 5.0, 6.0, 4.5, 6.7, 8.0, 10.0],
    "four": [4.4, 3.4, 4.8, 5.0, 6.0, 7.5, 10.0, 11.0, 9.5, 3.2],
}
AFTER: dict[str, list[Any]] = {
    "one": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "two": list("HLMNLFKHCD"),
    "three": [3.0, 4.5, 3.7, 5.0, 4.5, 6.7, 3.8, 6.0, 10.0, 8.0],
    "four": [4.8, 3.2, 4.4, 6.0, 5.0, 9.5, 11.0, 10.0, 7.5, 3.4],
}


def swapped(data: Microdata, method: Method, seed: int = 1) -> Microdata:
    return method.protect(data, Context(Randomness(seed))).data


@pytest.mark.parametrize("column", BEFORE)
def test_the_example_of_the_survey_is_a_rank_swap(column: str) -> None:
    assert is_rank_swap(BEFORE[column], AFTER[column], 10)
    if column != "one":
        assert not is_rank_swap(BEFORE[column], AFTER[column], 9), "not with a smaller window"


def could_be_swapped(before: list[int], after: list[int], percent: float) -> bool:
    """The definition itself: some ranking, some exchanges of two each."""
    reach = window(len(before), percent)
    rows = range(len(before))
    for order in itertools.permutations(rows):
        if any(before[a] > before[b] for a, b in itertools.pairwise(order)):
            continue
        for target in itertools.permutations(rows):
            exchanged = all(target[target[r]] == r and abs(target[r] - r) <= reach for r in rows)
            if exchanged and all(after[order[r]] == before[order[target[r]]] for r in rows):
                return True
    return False


@settings(deadline=None)
@given(st.data())
def test_the_checker_is_the_definition(data: st.DataObject) -> None:
    before = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    after = data.draw(st.permutations(before))
    percent = data.draw(st.sampled_from([10, 20, 25, 40, 60, 100]))
    assert is_rank_swap(before, after, percent) == could_be_swapped(before, after, percent)


def test_the_checker_refuses_what_is_not_a_swap() -> None:
    assert not is_rank_swap([1, 2, 3], [2, 3, 1], 100), "a ring of three"
    assert not is_rank_swap([1, 2, 3], [1, 2, 4], 100), "another value"
    assert not is_rank_swap([1, 2, 3], [1, 2], 100)
    assert is_rank_swap([], [], 5)


@pytest.mark.parametrize("percent", [1, 5, 30, 100])
def test_what_comes_out_is_a_rank_swap_and_no_marginal_changes(percent: float) -> None:
    rng = np.random.default_rng(4)
    data = discreet.read(
        {
            "pay": rng.lognormal(8, 1, 500),
            "age": rng.integers(18, 60, 500),
            "grade": [("low", "mid", "top")[i] for i in rng.integers(0, 3, 500)],
            "town": [("Dorn", "Ayle", "Cull", "Bron", "Elm")[i] for i in rng.integers(0, 5, 500)],
        },
        dict.fromkeys(["pay", "age", "grade", "town"], "quasi-identifier"),
        {"grade": ["low", "mid", "top"]},
    )
    masked = swapped(data, RankSwapping(p=percent))
    for name in ("pay", "age", "grade", "town"):
        before, after = data[name], masked[name]
        if name == "town":  # ranked by the alphabet
            before, after = (np.array(data.schema[name].categories)[c] for c in (before, after))
        assert is_rank_swap(before.tolist(), after.tolist(), percent)
        assert np.sort(before).tolist() == np.sort(after).tolist()
    moved = (masked["pay"] != data["pay"]).mean()
    assert moved > 0.95, "nearly every value is exchanged"


def test_the_window_is_in_percent_as_its_help_says() -> None:
    assert "5 is 50 ranks among 1,000" in RankSwapping.params()["p"].help
    data = discreet.read({"x": np.arange(1000.0)}, {"x": "quasi-identifier"})
    for percent, reach in ((5, 50), (0.5, 5), (100, 999)):
        apart = np.abs(swapped(data, RankSwapping(p=percent))["x"] - data["x"])
        assert apart.max() <= reach
        assert apart.max() > 0.9 * reach, "the whole window is used"
    with pytest.raises(UsageError, match="at most 100"):
        RankSwapping(p=500)


def test_a_window_of_less_than_one_rank_is_told() -> None:
    data = discreet.read({"x": np.arange(10.0)}, {"x": "quasi-identifier"})
    masked = RankSwapping(p=5).protect(data, Context())
    assert masked.data.column("x").same_as(data.column("x"))
    assert masked.notes == (
        "5 percent is less than one rank for 10 values of column 'x', which were not swapped",
    )


def test_values_stay_in_their_stratum() -> None:
    rng = np.random.default_rng(2)
    data = discreet.read(
        {"x": rng.normal(size=400), "area": ["n", "s", None, "s"] * 100},
        {"x": "quasi-identifier", "area": "stratum"},
    )
    masked = swapped(data, RankSwapping(p=10, strata=["area"]))
    for code in (-1, 0, 1):
        rows = data["area"] == code
        assert is_rank_swap(data["x"][rows].tolist(), masked["x"][rows].tolist(), 10)
        assert (data["x"][rows] != masked["x"][rows]).mean() > 0.9
    free = swapped(data, RankSwapping(p=10))
    assert not set(free["x"][data["area"] == 0]) <= set(data["x"][data["area"] == 0])
    with pytest.raises(UsageError, match="there is no column 'place'"):
        swapped(data, RankSwapping(strata=["place"]))


def test_missing_values_stay_and_are_not_ranked() -> None:
    x = [float(i) if i % 3 else None for i in range(90)]
    data = discreet.read({"x": x}, {"x": "quasi-identifier"})
    masked = swapped(data, RankSwapping(p=10))
    assert masked.column("x").missing.tolist() == [v is None for v in x]
    present = ~data.column("x").missing
    assert is_rank_swap(data["x"][present].tolist(), masked["x"][present].tolist(), 10)


def test_a_column_does_not_depend_on_which_others_are_treated() -> None:
    rng = np.random.default_rng(2)
    names = ("x", "y")
    data = discreet.read(
        {name: rng.normal(size=60) for name in names}, dict.fromkeys(names, "quasi-identifier")
    )
    both, alone = swapped(data, RankSwapping()), swapped(data, RankSwapping(columns=["y"]))
    assert both.column("y").same_as(alone.column("y"))


def test_equal_values_are_ranked_at_random_and_not_as_they_lie() -> None:
    # 0 and 1 meet in the middle; who is swapped there must not depend on the place in the file.
    data = discreet.read({"x": [0.0] * 50 + [1.0] * 50}, {"x": "quasi-identifier"})
    changed = np.zeros(100)
    for seed in range(200):
        changed += swapped(data, RankSwapping(p=5), seed)["x"] != data["x"]
    assert changed.min() > 0
    assert changed.max() < 40


def test_what_is_a_stratum_itself_is_told_to_stay() -> None:
    data = discreet.read(
        {"region": list("aabb") * 20, "pay": np.arange(80.0)},
        {"region": "quasi-identifier", "pay": "quasi-identifier"},
    )
    masked = RankSwapping(p=20, strata=["region"]).protect(data, Context(Randomness(1)))
    assert np.array_equal(masked.data["region"], data["region"])
    assert any("'region' is one of the strata and stays as it is" in n for n in masked.notes)
    plain = RankSwapping(p=20, strata=["region"], columns=["pay"])
    assert not plain.protect(data, Context(Randomness(1))).notes
