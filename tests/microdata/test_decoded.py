"""The decoded view: what each released cell stands for, expected and drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method, Randomness
from discreet.contracts.registry import entries
from discreet.microdata import Attribute, Column, Kind, Microdata
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.microdata.decoding import Decoding
from discreet.testing.tables import ordinary


def people(**columns: list[Any]) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_a_release_that_is_the_original_decodes_to_itself() -> None:
    data = ordinary()
    view = Decoded(data, data, data.quasi_identifiers, np.arange(len(data)))
    [draw] = view.draws(rng())
    for name in data.quasi_identifiers:
        assert draw[name] is data[name]
        assert not view[name].unknown.any()
    assert view.lost == []


def test_a_suppressed_cell_is_unknown_and_a_missing_one_stays_missing() -> None:
    original = people(age=[20, None, 40, 60], sex=["f", None, "m", "m"])
    released = people(age=[20, None, None, 60], sex=["f", None, None, "m"])
    view = Decoded(original, released, ["age", "sex"], np.arange(4))
    for name in ("age", "sex"):
        assert view[name].unknown.tolist() == [False, False, True, False]
        assert view[name].missing.tolist() == [False, True, False, False]
    for draw in view.draws(rng()):
        assert np.isnan(draw["age"]).tolist() == [False, True, False, False]
        assert draw["age"][2] in (20, 60)
        assert draw["sex"][1] == -1
        assert draw["sex"][2] in (0, 1)


def test_rows_without_an_origin_keep_missing_values_where_the_original_has_some() -> None:
    original, released = people(age=[20, None, 40]), people(age=[None, None, 40])
    assert not Decoded(original, released, ["age"])["age"].unknown.any()
    whole = people(age=[20, 30, 40])
    assert Decoded(whole, released, ["age"])["age"].unknown.sum() == 2


@pytest.mark.parametrize(
    "released",
    [
        people(other=[1, 2, 3]),
        people(age=["*", "*", "*"]),
        people(age=[None, None, None]),
        people(age=["young", "old", "old"]),
    ],
    ids=["not released", "top", "suppressed", "of no known form"],
)
def test_a_lost_column_says_nothing_and_stays_missing(released: Microdata) -> None:
    original = people(age=[20, 38, None])
    view = Decoded(original, released, ["age"], np.arange(3))
    assert view.lost == ["age"]
    [draw] = view.draws(rng())
    assert np.isnan(draw["age"]).all()


def test_a_label_of_all_categories_says_nothing() -> None:
    original = people(sex=["f", "m", "f"], town=["a", "b", "c"])
    released = people(sex=["{f, m}"] * 3, town=["{a, b}", "{a, b}", "c"])
    assert Decoded(original, released, ["sex", "town"]).lost == ["sex"]


def test_expected_values_are_middles() -> None:
    original = people(age=[21, 38, 47, 80])
    released = people(age=["20–39", "20–39", "47", "65 and above"])
    view = Decoded(original, released, ["age"])
    assert view["age"].expected.tolist() == [29.5, 29.5, 47, 65]


def test_shares_of_categories() -> None:
    original = people(town=["a", "b", "c", "c"])
    view = Decoded(original, people(town=["a+b", "a+b", None, "c"]), ["town"])
    assert view["town"].shares == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    nothing = Decoded(original, people(town=["*"] * 4), ["town"])
    assert nothing["town"].shares == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_draws_are_uniform_within_a_label_and_follow_its_weights() -> None:
    original = people(age=list(range(100)) * 100, job=["x", "y"] * 5000)
    released = people(age=["20–29", "[0–9]"] * 5000, job=["x3+y1"] * 10000)
    for draw in Decoded(original, released, ["age", "job"]).draws(rng()):
        ages = draw["age"][::2]
        assert np.array_equal(ages, np.rint(ages))
        assert np.bincount(ages.astype(int), minlength=30)[20:] == pytest.approx(500, abs=100)
        assert (draw["job"] == 0).mean() == pytest.approx(0.75, abs=0.02)


def test_shuffled_rows_are_dealt_the_same_draws() -> None:
    original = people(age=list(range(50)))
    released = people(age=["0–24", None, "25–49"] * 16 + ["0–24", "25–49"])
    order = rng().permutation(50)
    straight = Decoded(original, released, ["age"], np.arange(50)).draws(rng())
    shuffled = Decoded(original, released.take(order), ["age"], order).draws(rng())
    for one, other in zip(straight, shuffled, strict=True):
        assert np.array_equal(one["age"][order], other["age"])


def test_numbers_for_categories_are_read_by_their_text() -> None:
    original = discreet.read({"code": [1, 2, 3]}, kinds={"code": "nominal"})
    view = Decoded(original, discreet.read({"code": [3, 1, 9]}), ["code"])
    assert view["code"].values.tolist() == [2, 0, -1]
    assert view["code"].unknown.tolist() == [False, False, True]


def test_a_decoding_in_other_categories_is_translated() -> None:
    original = people(town=["a", "b", "c"])
    scale = Attribute("town", kind=Kind.NOMINAL, categories=("c", "b", "z"))
    decoding = Decoding.of(scale, [[(0, 0), (1, 1)], [(2, 2)]])
    attribute = scale.recoded(Kind.NOMINAL, ["inland", "far"], decoding)
    released = Microdata([Column(attribute, np.array([0, 0, 1]))])
    view = Decoded(original, released, ["town"])
    assert view["town"].unknown.tolist() == [False, False, True]
    assert view["town"].shares == pytest.approx([0, 0.5, 0.5])


def allows(column: DecodedColumn, truth: np.ndarray) -> np.ndarray:
    """Whether each record's label allows the true value, the slow and obvious way."""
    assert column.decoding is not None
    allowed = np.array(column.unknown | column.missing)
    for row in np.flatnonzero(~allowed):
        label = column.values[row]
        parts = slice(column.decoding.starts[label], column.decoding.starts[label + 1])
        low, high = column.decoding.low[parts], column.decoding.high[parts]
        value = truth[row] if truth.dtype == np.float64 or truth[row] >= 0 else np.nan
        inside = (low <= value) & (value <= high)
        allowed[row] = inside.any() or (np.isnan(value) and np.isnan(low).any())
    return allowed


LABELLING = [
    discreet.GlobalRecoding(k=5),
    discreet.GlobalRecoding(k=None, levels=dict.fromkeys(("height", "income", "grade", "town"), 1)),
    discreet.LocalRecoding(k=5),
    discreet.Microaggregation(discreet.partition.MDAV(k=5), discreet.replacement.Range()),
    discreet.Microaggregation(discreet.partition.MDAV(k=5), discreet.replacement.Generalisation()),
    discreet.Microaggregation(
        discreet.partition.MDAV(k=5),
        discreet.replacement.ValueConcatenation(weighted=True, continuous="range"),
    ),
]


@pytest.mark.parametrize("method", LABELLING, ids=lambda m: m.spec.name)
@pytest.mark.parametrize("told", [True, False], ids=["told", "read"])
def test_every_label_allows_the_value_it_was_made_of(method: Method, told: bool) -> None:
    data = ordinary(rows=200)
    released = method.protect(data, Context(Randomness(2))).data
    if not told:
        released = discreet.read(
            released.frame(), roles=dict.fromkeys(data.quasi_identifiers, "quasi-identifier")
        )
    view = Decoded(data, released, data.quasi_identifiers, np.arange(200))
    labelled = [name for name in data.quasi_identifiers if view[name].decoding is not None]
    assert labelled or view.lost
    for name in labelled:
        assert allows(view[name], data[name]).all()


def test_every_method_that_writes_new_labels_says_what_they_stand_for() -> None:
    data = ordinary(rows=120)
    written = 0
    for entry in entries("method"):
        method: Any = entry.example()
        if not set(method.spec.kinds) & {Kind.NOMINAL, Kind.ORDINAL}:
            continue
        try:
            released = method.protect(data, Context(Randomness(2))).data
        except discreet.DiscreetError:
            continue
        for name in data.quasi_identifiers:
            before, after = data.schema[name], released.schema[name]
            if not after.continuous and not set(after.categories) <= set(before.categories):
                written += 1
                assert after.decoding is not None, (entry.spec.name, name)
    assert written > 5


def test_steps_one_after_the_other() -> None:
    data = ordinary(rows=120, missing=False)
    steps = [
        discreet.GlobalRecoding(k=None, widths={"height": 4}),
        discreet.Microaggregation(
            discreet.partition.MDAV(k=4),
            discreet.replacement.ValueConcatenation(continuous="range"),
        ),
    ]
    release = discreet.protect(data, steps, seed=1, shuffle=False)
    view = Decoded(data.drop(["id"]), release.data, ["height"], np.arange(120))
    assert view["height"].decoding is not None
    assert allows(view["height"], data["height"]).all()
