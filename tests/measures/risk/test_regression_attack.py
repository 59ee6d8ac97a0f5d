"""The intruder's regression tree, where its outcome is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

QI = "quasi-identifier"


def attack(**values: Any) -> Any:
    return build("measure", {"regression-attack": values})


def context() -> Context:
    return Context(Randomness(3))


def people(rows: int = 600, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    town = rng.choice(list("abcd"), rows)
    age = rng.integers(20, 80, rows).astype(float)
    pay = 10 * age + 200 * np.isin(town, ["b", "d"]) + rng.normal(0, 30, rows)
    return {"age": age, "town": town.tolist(), "pay": pay}


def read(columns: dict[str, Any]) -> discreet.Microdata:
    return discreet.read(columns, roles={"age": QI, "town": QI, "pay": "confidential"})


def test_two_leaves_by_hand() -> None:
    data = discreet.read(
        {"age": [30.0] * 4 + [60.0] * 4, "pay": [1.0, 1, 3, 3, 5, 5, 7, 7]},
        roles={"age": QI, "pay": "confidential"},
    )
    score = attack(leaf=4).score(data, data, context(), Pairing.same_order(8))
    # Leaf means 2 and 6: error 1 each, against 9, 9, 1, 1, … about the mean 4: 8 of 40.
    assert score.value == pytest.approx(0.8)
    assert score.per_record == pytest.approx([8 / 9, 8 / 9, 0, 0, 0, 0, 8 / 9, 8 / 9])
    found = score.detail["columns"]["pay"]
    assert found["leaves"] == 2
    assert found["narrowest leaves"] == [
        {"records": 4, "range": pytest.approx(1 / 3)},
        {"records": 4, "range": pytest.approx(1 / 3)},
    ]


def test_numbers_and_categories_give_a_value_away() -> None:
    data = read(people())
    score = attack().score(data, data, context(), Pairing.same_order(600))
    assert score.value > 0.9
    low, high = score.interval
    assert low < score.value < high < 1
    assert score.detail["predictors"] == ["age", "town"]
    assert 0.85 < score.detail["columns"]["pay"]["own record kept out"] < score.value


def test_what_is_not_in_the_population_is_not_found_in_a_kept_out_record() -> None:
    columns = people()
    columns["pay"] = np.random.default_rng(9).normal(size=600)
    data = read(columns)
    score = attack().score(data, data, context(), Pairing.same_order(600))
    found = score.detail["columns"]["pay"]
    assert found["own record kept out"] < 0.05
    assert score.value > found["own record kept out"], "one's own record is in the leaf"


def test_a_release_of_shuffled_values_gives_nothing_away() -> None:
    columns = people()
    data = read(columns)
    raw = []
    for seed in range(10):
        pay = np.random.default_rng(seed).permutation(columns["pay"])
        score = attack().score(data, read({**columns, "pay": pay}), context())
        raw.append(score.detail["columns"]["pay"]["share of error removed"])
        assert score.value == max(0, raw[-1])
        assert score.interval[0] <= score.value <= score.interval[1]
    assert np.mean(raw) < 0, "a tree on noise is a worse guess than the mean"


def test_protection_lowers_it() -> None:
    data = read(people())
    values = []
    for k in (3, 100):
        release = discreet.protect(
            data, discreet.Microaggregation(discreet.partition.MDAV(k=k)), seed=1
        )
        values.append(attack().score(data, release.data, context(), release.pairing).value)
    assert values[0] > values[1] + 0.02


def test_a_recoded_column_is_looked_up_by_its_labels() -> None:
    columns = people()
    data = read(columns)
    for cuts in ([50], [30, 33, 70]):
        method = discreet.GlobalRecoding(k=None, intervals={"age": cuts}, columns=["age"])
        score = attack().score(data, method.protect(data, context()).data, context())
        assert score.detail["predictors"] == ["age", "town"]
        # The same tree on the band of each age, as the owner of the data would code it.
        bands = np.searchsorted(cuts, columns["age"], side="right").astype(float)
        coded = read({**columns, "age": bands})
        expected = attack().score(coded, coded, context())
        assert score.value == pytest.approx(expected.value)


def test_overlapping_ranges_are_drawn_from() -> None:
    data = read(people())
    ranges = discreet.Microaggregation(discreet.partition.MDAV(k=5), discreet.replacement.Range())
    released = discreet.protect(data, ranges, seed=1, shuffle=False)
    score = attack().score(data, released.data, context(), released.pairing)
    assert score.detail["predictors"] == ["age", "town"]
    assert score.value > 0.8


def test_labels_of_no_known_form_say_nothing() -> None:
    columns = people()
    data = read(columns)
    bands = ["young" if age < 50 else "old" for age in columns["age"]]
    score = attack().score(data, read({**columns, "age": bands}), context())
    assert score.detail["predictors"] == ["town"]
    assert score.per_record is None
    assert "own record kept out" not in score.detail["columns"]["pay"]
    nothing = attack().score(data, read({**columns, "age": bands, "town": bands}), context())
    assert nothing.value == pytest.approx(0)


def test_a_recoded_response_is_guessed_by_the_middle_of_its_label() -> None:
    columns = people()
    data = read(columns)
    width = discreet.GlobalRecoding(k=None, widths={"pay": 10}, columns=["pay"])
    released = width.protect(data, context()).data
    score = attack().score(data, released, context(), Pairing.same_order(600))
    whole = attack().score(data, data, context(), Pairing.same_order(600))
    assert score.value == pytest.approx(whole.value, abs=0.02)


def test_a_missing_value_is_a_value_that_a_tree_can_cut_off() -> None:
    n = 200
    age = np.tile([np.nan, 50.0], n)
    town = np.tile(["a", None, "b", "b"], n // 2).tolist()
    for columns, pay in (
        ({"age": age, "town": ["x"] * 2 * n}, np.tile([1.0, 2.0], n)),
        ({"age": np.ones(2 * n), "town": town}, np.tile([1.0, 2.0, 3.0, 3.0], n // 2)),
    ):
        data = read({**columns, "pay": pay})
        assert attack().score(data, data, context()).value == pytest.approx(1)


def test_records_without_the_value_are_left_out() -> None:
    columns = people(200)
    columns["pay"][::4] = np.nan
    data = read(columns)
    score = attack().score(data, data, context(), Pairing.same_order(200))
    assert np.isnan(score.per_record[::4]).all()
    assert not np.isnan(score.per_record[1::4]).any()


def test_rare_categories_give_their_records_away() -> None:
    rng = np.random.default_rng(6)
    columns = {
        "age": np.ones(400), "town": [f"t{i}" for i in range(400)], "pay": rng.normal(size=400),
    }  # fmt: skip
    data = read(columns)
    score = attack().score(data, data, context(), Pairing.same_order(400))
    assert score.value > 0.95, "an intruder who knows the town reads the pay"
    assert score.detail["columns"]["pay"]["own record kept out"] < 0.05


def test_a_large_file_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.measures.intruder.LEARNED_FROM", 300)
    data = read(people())
    order = np.random.default_rng(0).permutation(600)
    score = attack().score(data, data, context(), Pairing.same_order(600))
    assert score.note == "the tree learned from 300 records drawn at random"
    shuffled = attack().score(data, data.take(order), context(), Pairing(order))
    assert shuffled.value == score.value
    assert (shuffled.per_record == score.per_record[order]).all()
    other_seed = Context(Randomness(77))
    assert attack().score(data, data, other_seed, Pairing.same_order(600)).value == score.value


def test_where_it_does_not_apply() -> None:
    few = read(people(39))
    with pytest.raises(NotApplicable, match="at least 40 released records"):
        attack().score(few, few, context())
    same = read({**people(60), "pay": np.full(60, 0.1)})
    with pytest.raises(NotApplicable, match="all equal"):
        attack().score(same, same, context())


def test_a_column_of_rare_categories_does_not_mislead_the_tree() -> None:
    rng = np.random.default_rng(4)
    age = rng.normal(45, 12, 400)
    columns = {
        "age": age,
        "town": [f"town {i}" for i in rng.integers(0, 60, 400)],
        "pay": 20 * age + rng.normal(0, 400, 400),
    }
    data = read(columns)
    without = read({**columns, "town": ["x"] * 400})
    order = rng.permutation(400)
    shuffled = data.replace([data.column("town").with_values(data["town"][order])])
    found = attack().score(data, shuffled, context(), Pairing.same_order(400))
    plainly = attack().score(without, without, context(), Pairing.same_order(400))
    assert found.value >= plainly.value > 0.1
