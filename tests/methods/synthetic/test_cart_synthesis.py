"""CART synthesis: leaves, smoothing, and what trees find that lines do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import CartSynthesis, DataError, Microdata, UsageError
from discreet.contracts import Context, Randomness
from tests.models.sequential.mixed import mixed


def protected(method: Any, data: Microdata, seed: int = 1) -> Any:
    return method.protect(data, Context(Randomness(seed)))


def test_dependence_without_a_line_is_found() -> None:
    data = mixed()
    made = protected(CartSynthesis(columns=["y"]), data).data
    expected = np.where(np.isin(data["town"], [1, 4]), 1, -1) * data["x"] ** 2
    present = ~made.column("y").missing
    assert np.corrcoef(made["y"][present], expected[present])[0, 1] > 0.9
    assert (made.column("y").missing == data.column("y").missing).all()


def test_other_columns_and_rows_stay() -> None:
    data = mixed(300)
    masked = protected(CartSynthesis(), data)
    assert masked.origin is None
    for column in data:
        same = masked.data.column(column.name).same_as(column)
        assert same == (column.name not in ("x", "home"))


def test_everything_is_synthetic_on_request() -> None:
    data = mixed()
    masked = protected(CartSynthesis(everything=True), data)
    made = masked.data
    assert (masked.origin == -1).all()
    assert made.column("id").missing.all()
    assert made.column("y").missing.mean() == pytest.approx(0.1, abs=0.03)
    sign = np.where(np.isin(made["town"], [1, 4]), 1, -1)
    present = ~made.column("y").missing
    assert np.corrcoef(made["y"][present], (sign * made["x"] ** 2)[present])[0, 1] > 0.8
    far = np.abs(made["x"]) > 0.55
    assert (made["home"][far] == data["home"][np.argmax(np.abs(data["x"]))]).mean() > 0.9
    assert (made["grade"][made["x"] > 0.4] == 2).mean() > 0.9
    assert (made["n"] == np.rint(made["n"])).all()
    assert made["z"].mean() == pytest.approx(data["z"].mean(), rel=0.15)
    with pytest.raises(UsageError, match="columns were named; leave one of the two out"):
        protected(CartSynthesis(everything=True, columns=["x"]), data)


def test_smoothed_numbers_are_no_originals_but_heaps_stay() -> None:
    data = mixed()
    made = protected(CartSynthesis(columns=["x", "z"]), data).data
    assert not np.isin(made["x"], data["x"]).any()
    assert (made["z"] == 0).mean() == pytest.approx((data["z"] == 0).mean(), abs=0.05)
    assert not np.isin(made["z"][made["z"] != 0], data["z"]).any()
    plain = protected(CartSynthesis(columns=["x"], smoothing=False), data).data
    assert np.isin(plain["x"], data["x"]).all()


def test_numbers_that_many_share_are_nobody_s_and_stay() -> None:
    rng = np.random.default_rng(8)
    pay = rng.normal(30_000, 9_000, 4000).round(2)
    pay[:60], pay[60:64] = 25_000, 26_000
    data = discreet.read({"pay": pay}, roles={"pay": "quasi-identifier"})
    made = protected(CartSynthesis(bootstrap=False, round=False), data).data["pay"]
    assert (made == 25_000).sum() == pytest.approx(60, abs=25)
    # Four records are too few to hide one of them.
    assert not (made == 26_000).any()


def test_a_leaf_of_equal_numbers_does_not_give_them_away() -> None:
    rng = np.random.default_rng(6)
    group = np.repeat(np.arange(100), 4)
    data = discreet.read(
        {"g": [f"g{i:02d}" for i in group], "v": 100.0 * group + rng.normal(0, 1, 100)[group]},
        roles={"g": "other", "v": "quasi-identifier"},
    )
    made = protected(CartSynthesis(), data).data["v"]
    assert not np.isin(made, data["v"]).any()


def test_larger_leaves_follow_the_data_less() -> None:
    data = mixed()

    def error(leaf: int) -> float:
        made = protected(CartSynthesis(columns=["y"], leaf=leaf), data).data
        present = ~made.column("y").missing
        return float(((made["y"] - data["y"])[present] ** 2).mean())

    assert error(5) < error(400) / 2


def test_rules_are_kept() -> None:
    data = mixed()
    rules = ["if x > 0.5 then home = owned", "if grade = low then z <= 10"]
    made = protected(CartSynthesis(everything=True, rules=rules), data).data
    owned = made.schema["home"].categories.index("owned")
    assert (made["home"][made["x"] > 0.5] == owned).all()
    assert (made["z"][made["grade"] == 0] <= 10).all()


def test_many_categories_and_few_records() -> None:
    rng = np.random.default_rng(5)
    data = discreet.read(
        {"town": [f"t{i}" for i in rng.integers(0, 400, 2000)], "a": rng.normal(size=2000)},
        roles={"town": "quasi-identifier", "a": "quasi-identifier"},
    )
    made = protected(CartSynthesis(), data).data
    assert len(np.unique(made["town"])) > 150
    with pytest.raises(DataError, match="at least 10 records"):
        protected(CartSynthesis(), mixed(9))


def test_a_release_of_original_numbers_says_so() -> None:
    data = mixed(200)
    for everything in (False, True):
        bare = protected(CartSynthesis(smoothing=False, everything=everything), data)
        assert any("smoothing is off: x" in note for note in bare.notes)
        smooth = protected(CartSynthesis(everything=everything), data)
        assert not any("smoothing" in note for note in smooth.notes)
