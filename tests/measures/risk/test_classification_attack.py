"""The intruder's classification tree, where its outcome is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

QI = "quasi-identifier"


def attack(**values: Any) -> Any:
    return build("measure", {"classification-attack": values})


def context() -> Context:
    return Context(Randomness(3))


def read(columns: dict[str, Any], kinds: Any = None) -> discreet.Microdata:
    roles = {name: "confidential" if name in ("ill", "grade") else QI for name in columns}
    return discreet.read(columns, roles=roles, kinds=kinds)


def test_two_leaves_by_hand() -> None:
    data = read({"age": [30.0] * 4 + [60.0] * 4, "ill": list("aaabbbba")})
    score = attack(leaf=4).score(data, data, context(), Pairing.same_order(8))
    # Leaves of three "a" and three "b", each with one of the other: 6 of 8 right, not 4.
    assert score.value == pytest.approx(0.25)
    assert score.per_record.tolist() == [1, 1, 1, 0, 1, 1, 1, 0]
    found = score.detail["columns"]["ill"]
    assert found["right"] == 0.75
    assert found["right by the most frequent class"] == 0.5
    assert found["share of error removed"] == 0.5
    assert score.interval[0] <= score.value <= score.interval[1]


def test_the_tree_is_no_better_than_the_mode() -> None:
    rng = np.random.default_rng(1)
    ill = np.where(rng.random(400) < 0.9, "n", "y")
    data = read({"age": rng.normal(size=400), "ill": ill.tolist()})
    shuffled = read({"age": rng.permutation(data["age"]), "ill": ill.tolist()})
    score = attack().score(data, shuffled, context(), Pairing.same_order(400))
    assert score.value < 0.02
    assert score.detail["columns"]["ill"]["right by the most frequent class"] > 0.85


def test_a_nominal_quasi_identifier_is_cut_by_its_classes() -> None:
    town = np.tile(list("abcdef"), 100)
    ill = np.where(np.isin(town, ["a", "d"]), "x", np.where(np.isin(town, ["b", "e"]), "y", "z"))
    data = read({"town": town.tolist(), "ill": ill.tolist()})
    score = attack().score(data, data, context(), Pairing.same_order(600))
    assert score.value == pytest.approx(2 / 3)
    found = score.detail["columns"]["ill"]
    assert found["share of error removed"] == pytest.approx(1)
    assert found["own record kept out"] == pytest.approx(2 / 3)


def test_categories_are_compared_by_name_not_by_number() -> None:
    original = read({"town": ["a", "b", "c"] * 40, "ill": ["x", "y", "z"] * 40})
    rows = np.flatnonzero(np.arange(120) % 3 > 0)
    towns, ills = ["abc"[i % 3] for i in rows], ["xyz"[i % 3] for i in rows]
    released = read({"town": towns, "ill": ills})
    score = attack().score(original, released, context())
    # "b" and "c" are learned, "a" is not; the most frequent class is one third.
    assert score.detail["columns"]["ill"]["right"] == pytest.approx(2 / 3)
    assert score.value == pytest.approx(1 / 3)


def test_the_worst_column_counts_and_ordinals_are_classes() -> None:
    n = 100
    data = read(
        {
            "age": np.repeat([30.0, 60.0], n),
            "ill": ["a", "b"] * n,
            "grade": ["low"] * n + ["high"] * n,
        },
        kinds={"grade": ["low", "high"]},
    )
    score = attack().score(data, data, context())
    assert score.value == 0.5
    assert score.detail["columns"]["ill"]["right"] == 0.5


def test_records_without_the_value_are_left_out() -> None:
    data = read({"age": np.repeat([1.0, 2.0], 60), "ill": (["a"] * 30 + [None] * 30 + ["b"] * 60)})
    score = attack().score(data, data, context(), Pairing.same_order(120))
    assert score.value == pytest.approx(1 / 3)
    assert np.isnan(score.per_record[30:60]).all()


def test_the_same_seed_and_any_order_give_the_same_value() -> None:
    rng = np.random.default_rng(7)
    data = read(
        {
            "age": rng.normal(size=500).round(1),
            "town": rng.choice(list("abc"), 500).tolist(),
            "ill": rng.choice(list("xyz"), 500).tolist(),
        }
    )
    order = rng.permutation(500)
    plain = attack().score(data, data, context(), Pairing.same_order(500))
    again = attack().score(data, data.take(order), context(), Pairing(order))
    assert plain.value == again.value
    assert (plain.per_record[order] == again.per_record).all()


def test_no_seed_changes_the_value(data_files: Path) -> None:
    path = data_files / "pima_diabetes.csv"
    header = list(discreet.read(path).schema.names)
    roles = dict.fromkeys(header[:-1], QI) | {header[-1]: "confidential"}
    data = discreet.read(path, roles=roles, kinds={header[-1]: "nominal"})
    method = discreet.Microaggregation(discreet.partition.MDAV(k=5))
    release = discreet.protect(data, method, seed=1)
    found = {
        attack().score(data, release.data, Context(Randomness(seed)), release.pairing).value
        for seed in range(5)
    }
    assert len(found) == 1


def test_classes_that_were_joined_are_guessed() -> None:
    rng = np.random.default_rng(5)
    age = rng.choice([20.0, 40.0, 60.0], 600)
    ill = np.where(age == 20, "a", np.where(age == 40, "b", "c"))
    data = read({"age": age, "ill": ill.tolist()})
    method = discreet.GlobalRecoding(
        k=None, columns=["ill"], mappings={"ill": {"a or b": ["a", "b"]}}
    )
    released = method.protect(data, context()).data
    score = attack().score(data, released, context(), Pairing.same_order(600))
    # Of "c" everything is known; which of the other two it is remains a guess.
    assert score.per_record[ill == "c"].all()
    assert score.detail["columns"]["ill"]["right"] >= (ill == "c").mean()


def test_rare_classes_are_one_class_to_the_growing_tree() -> None:
    ill = [f"c{i}" for i in range(40)] * 30
    age = [float(i) for i in range(40)] * 30
    data = read({"age": age, "ill": ill})
    score = attack(leaf=20).score(data, data, context(), Pairing.same_order(1200))
    assert score.detail["columns"]["ill"]["right"] > 0.75


def test_where_it_does_not_apply() -> None:
    few = read({"age": np.arange(20.0), "ill": ["a", "b"] * 10})
    with pytest.raises(NotApplicable, match="at least 40 released records"):
        attack().score(few, few, context())
    recoded = read({"age": np.arange(20.0), "ill": ["c", "d"] * 10})
    with pytest.raises(NotApplicable, match="says nothing about a confidential column"):
        attack().score(few, recoded, context())
    numbers = discreet.read({"age": [1.0], "pay": [2.0]}, roles={"age": QI, "pay": "confidential"})
    with pytest.raises(NotApplicable, match="nominal or ordinal"):
        attack().score(numbers, numbers, context())
