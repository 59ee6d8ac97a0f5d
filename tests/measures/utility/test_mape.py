"""MAPE against ten plain regressions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable
from discreet.measures.utility.mape import dealt

MAPE: Any = build("measure", "mape")
ROLES = {"x": "quasi-identifier", "town": "quasi-identifier", "y": "confidential"}


def context() -> Context:
    return Context(Randomness(5))


def score(before: Any, after: Any, origin: Any = None, measure: Any = MAPE) -> Any:
    tables = []
    for table in (before, after):
        roles = {name: role for name, role in ROLES.items() if name in table}
        tables.append(discreet.read(table, roles=roles))
    rows = len(tables[1])
    pairing = Pairing.same_order(rows) if origin is None else Pairing(np.array(origin))
    return measure.score(*tables, context(), pairing)


def example(rows: int = 60) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(1)
    x = rng.normal(size=rows)
    town = rng.choice(["a", "b", "c"], rows)
    y = 10 + 2 * x + (town == "b") + rng.normal(size=rows)
    before = {"x": x, "town": town.tolist(), "y": y}
    after = {**before, "x": x + rng.normal(size=rows) / 2}
    return before, after


def slow(before: dict[str, Any], after: dict[str, Any], folds: int) -> tuple[float, float]:
    def matrix(table: dict[str, Any]) -> np.ndarray:
        town = np.array(table["town"])
        return np.column_stack([np.ones(len(town)), table["x"], town == "b", town == "c"])

    y = np.asarray(before["y"])
    fold = dealt(len(y), folds)
    percentages: list[float] = []
    scaled: list[float] = []
    for f in range(folds):
        test = fold == f
        fitted, *_ = np.linalg.lstsq(
            matrix(after)[~test], np.asarray(after["y"])[~test], rcond=None
        )
        misses = np.abs(matrix(before)[test] @ fitted - y[test])
        scaled += (misses / np.ptp(y)).tolist()
        percentages += (misses[y[test] != 0] / np.abs(y[test][y[test] != 0])).tolist()
    return float(np.mean(percentages)), float(np.mean(scaled))


def test_the_slow_twin_agrees() -> None:
    before, after = example()
    found = score(before, after)
    percentage, scaled = slow(before, after, 10)
    assert found.value == pytest.approx(percentage)
    assert found.detail["responses"]["y"]["error over range"] == pytest.approx(scaled)
    assert score(before, before).value < found.value


def test_zero_responses_are_left_out_and_counted() -> None:
    before, after = example()
    for table in (before, after):
        table["y"] = np.where(np.arange(60) % 12 == 0, 0.0, table["y"])
    found = score(before, after)
    assert found.detail["responses"]["y"]["zero responses"] == 5
    assert found.note == "left out because the response is zero: 5 of y"
    assert found.value == pytest.approx(slow(before, after, 10)[0])


def test_the_least_number_there_is_can_be_met() -> None:
    least = {"age": [20.0, 30.0] * 6, "pay": [5e-324] * 12}
    data = discreet.read(least, roles={"age": "quasi-identifier", "pay": "confidential"})
    same = Pairing.same_order(12)
    assert MAPE.score(data, data, Context(), same).value == 0


def test_the_order_of_the_release_is_nothing() -> None:
    before, after = example()
    order = np.random.default_rng(2).permutation(60)
    shuffled = {name: np.asarray(values)[order] for name, values in after.items()}
    assert score(before, shuffled, order).value == pytest.approx(score(before, after).value)


def test_labels_count_in_parts_for_what_they_cover() -> None:
    before, _ = example()
    town = np.array(before["town"])
    # "a+b" covers a and b: the regression sees half of each, c as it is.
    after = {**before, "town": np.where(town == "c", "c", "a+b").tolist()}
    found = score(before, after)
    halves = np.column_stack(
        [np.ones(60), before["x"], (town != "c") / 2, (town != "c") / 2, town == "c"]
    )
    truth = np.column_stack(
        [np.ones(60), before["x"], town == "a", town == "b", town == "c"]
    ).astype(float)
    y = before["y"]
    fold = dealt(60, 10)
    expected = []
    for f in range(10):
        fitted, *_ = np.linalg.lstsq(halves[fold != f], y[fold != f], rcond=None)
        misses = np.abs(truth[fold == f] @ fitted - y[fold == f])
        expected.append((misses / np.abs(y[fold == f])).mean())
    assert found.value == pytest.approx(np.mean(expected))


def test_ranges_count_as_their_middle() -> None:
    before = {"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": [1.0, 2, 3, 4, 5, 6, 7, 8]}
    after = {"x": ["1-2", "1-2", "3-4", "3-4", "5-6", "5-6", "7-8", "7-8"], "y": before["y"]}
    middle = {"x": [1.5, 1.5, 3.5, 3.5, 5.5, 5.5, 7.5, 7.5], "y": before["y"]}
    assert score(before, after).value == pytest.approx(score(before, middle).value)


def test_without_a_confidential_number_quasi_identifiers_are_predicted() -> None:
    roles = dict.fromkeys(["x", "z"], "quasi-identifier")
    data = discreet.read({"x": [1.0, 2, 3, 4], "z": [3.0, 5, 7, 9]}, roles=roles)
    found = MAPE.score(data, data, context(), Pairing.same_order(4))
    assert set(found.detail["responses"]) == {"x", "z"}
    assert found.value == pytest.approx(0, abs=1e-9)


def test_fewer_records_than_folds_leave_one_out() -> None:
    two: Any = find("measure", "mape")(folds=100)
    before, after = example(12)
    found = score(before, after, measure=two)
    assert found.value == pytest.approx(slow(before, after, 12)[0])


def test_a_release_that_says_nothing_predicts_the_mean() -> None:
    before, _ = example()
    y = np.asarray(before["y"])
    expected = float(np.mean([np.abs(y[f] - y.mean()) / np.abs(y[f]) for f in range(60)]))
    lost_response = score(before, {**before, "y": ["*"] * 60})
    assert lost_response.value == pytest.approx(expected, rel=0.01)
    assert lost_response.at_loss == pytest.approx(expected, rel=0.01)
    lost_predictors = score(before, {"y": before["y"]})
    assert lost_predictors.value == pytest.approx(expected, rel=0.05)
    assert score(before, before).value < 0.7 * expected


def test_suppressed_predictors_tell_nothing() -> None:
    before, _ = example(200)
    hidden = np.where(np.arange(200) % 2, np.nan, before["x"])
    found = score(before, {**before, "x": hidden})
    assert score(before, before).value <= found.value < 1.05 * score(before, before).value


def test_what_cannot_be_measured_is_said() -> None:
    data = discreet.read({"x": [1, 2, 3]}, roles={"x": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="continuous confidential column"):
        MAPE.score(data, data, context(), Pairing.same_order(3))
    with pytest.raises(NotApplicable, match="which original"):
        MAPE.score(data, data, context())
    zero = {"x": [1, 2, 3, 4], "y": [0.0, 0, 0, 0]}
    with pytest.raises(NotApplicable, match="every response is zero"):
        score(zero, zero)


def alcohol(reference_data: Path) -> discreet.Microdata:
    path = reference_data / "alcohol_kenkel_terza.csv"
    names = discreet.read(path).schema.names
    roles = {n: "confidential" if n in ("income", "drinks") else "quasi-identifier" for n in names}
    return discreet.read(path, roles=roles)


def test_alcohol_counts_its_zeros(data_files: Path) -> None:
    data = alcohol(data_files)
    found = MAPE.score(data, data, context(), Pairing.same_order(len(data)))
    responses = found.detail["responses"]
    zeros = int((data["drinks"] == 0).sum())
    assert responses["drinks"]["zero responses"] == zeros > 0
    assert responses["income"]["zero responses"] == int((data["income"] == 0).sum())
    assert f"{zeros} of drinks" in found.note


def test_alcohol_loses_by_grouping(data_files: Path) -> None:
    data = alcohol(data_files)
    method = discreet.Microaggregation(discreet.partition.MDAV(k=50))
    release = discreet.protect(data, method, seed=1)
    before = MAPE.score(data, data, context(), Pairing.same_order(len(data)))
    after = MAPE.score(data, release.data, context(), release.pairing)
    for name in ("income", "drinks"):
        errors = [found.detail["responses"][name]["error over range"] for found in (before, after)]
        assert 0 < errors[0] < errors[1] < 1
