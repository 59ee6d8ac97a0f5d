"""Accuracy of models trained on a release, where the right answer is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable

FOREST: Any = build("measure", "model-accuracy")
TREE: Any = find("measure", "model-accuracy")(model="tree")
ROLES = {"x": "quasi-identifier", "town": "quasi-identifier", "ill": "confidential",
         "cost": "confidential"}  # fmt: skip


def patients(rows: int = 300) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    x = rng.normal(size=rows)
    town = rng.choice(["a", "b", "c"], rows)
    ill = np.where((x > 0) ^ (town == "b"), "yes", "no")
    cost = 3 * x + 2 * (town == "c") + rng.normal(size=rows) / 4
    return discreet.read({"x": x, "town": town.tolist(), "ill": ill.tolist(), "cost": cost},
                         roles=ROLES)  # fmt: skip


def score(before: Any, after: Any, pairing: Any = None, measure: Any = FOREST) -> Any:
    return measure.score(before, after, Context(Randomness(2)), pairing)


@pytest.mark.parametrize("measure", [FOREST, TREE])
def test_nothing_changed_is_no_loss(measure: Any) -> None:
    data = patients()
    found = score(data, data, Pairing.same_order(300), measure)
    assert found.value == 0
    assert found.interval == (0, 0)
    for part in found.detail["columns"].values():
        assert part["trained on originals"] > 0.8 > part["constant guess"]
    assert found.detail["columns"]["cost"]["kind"] == "R²"
    assert found.detail["columns"]["ill"]["kind"] == "accuracy"
    assert found.note == "trained on 200 originals, 200 released; tested on 100 held-out originals"


def test_a_release_without_the_relation_is_worth_nothing() -> None:
    data = patients()
    rng = np.random.default_rng(3)
    shuffled = data.replace([data.column("x").with_values(rng.permutation(data["x"]))])
    found = score(data, shuffled, Pairing.same_order(300))
    assert found.value > 0.3
    assert found.interval[0] < found.value < found.interval[1]
    assert found.detail["columns"]["ill"]["trained on the release"] < 0.75


def test_without_pairing_all_released_records_may_train() -> None:
    data = patients()
    found = score(data, data.take(np.arange(299, -1, -1)))
    assert abs(found.value) < 0.2


def test_rows_without_the_target_are_left_out() -> None:
    data = patients()
    cost = data["cost"].copy()
    cost[:150] = np.nan
    data = data.replace([data.column("cost").with_values(cost)])
    found = score(data, data, Pairing.same_order(300))
    assert set(found.detail["columns"]) == {"ill", "cost"}


def test_a_lost_column_leaves_the_constant_guess() -> None:
    data = patients()
    found = score(data, data.drop(["ill"]), Pairing.same_order(300), TREE)
    part = found.detail["columns"]["ill"]
    assert part["trained on the release"] == part["constant guess"]
    assert "says nothing about ill" in found.note
    blind = score(data, data.drop(["x", "town"]), Pairing.same_order(300), TREE)
    assert blind.value == pytest.approx(blind.at_loss, abs=0.1)


def test_a_recoded_predictor_is_drawn_from_its_labels() -> None:
    data = patients()
    bands = discreet.GlobalRecoding(k=None, widths={"x": 0.5}, columns=["x"])
    fine = score(data, bands.protect(data, Context()).data, Pairing.same_order(300), TREE)
    coarse = discreet.GlobalRecoding(k=None, intervals={"x": [0.7]}, columns=["x"])
    rough = score(data, coarse.protect(data, Context()).data, Pairing.same_order(300), TREE)
    assert -0.05 < fine.value < rough.value < rough.at_loss


def test_what_cannot_be_measured_is_said() -> None:
    data = patients()
    with pytest.raises(NotApplicable, match="no column is confidential"):
        score(data.drop(["ill", "cost"]), data)
    with pytest.raises(NotApplicable, match="no column is a quasi-identifier"):
        score(data.drop(["x", "town"]), data)
    two = data.take(np.arange(2))
    with pytest.raises(NotApplicable, match="at least 3 records"):
        score(two, two)
