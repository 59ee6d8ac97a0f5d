"""Confidential columns as what a tree predicts."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.models.regression_tree import responses as module
from discreet.models.regression_tree.responses import (
    Responses,
    confidential_responses,
    heavy_tails,
)


def test_numbers_lie_between_0_and_1_whatever_their_size() -> None:
    data = discreet.read({"pay": [-1.7e308, 0.0, 1.7e308], "tiny": [1e-300, 2e-300, 3e-300]})
    numbers = Responses.of(data, ["pay", "tiny"]).numbers
    assert numbers == pytest.approx(np.array([[0, 0], [0.5, 0.5], [1, 1]]))


def test_missing_numbers_stand_at_the_mean_and_constants_at_0() -> None:
    data = discreet.read({"pay": [0.0, 10.0, None], "same": [7.0, 7.0, None]})
    empty = data.replace([data.column("same").with_values(np.full(3, np.nan))])
    assert Responses.of(data, ["pay", "same"]).numbers[2].tolist() == [0.5, 0.0]
    assert not Responses.of(empty, ["same"]).numbers.any()


def test_a_missing_category_is_a_class_and_names_are_numeric_first() -> None:
    data = discreet.read({"ill": ["y", None, "n"], "pay": [1, 2, 3]})
    found = Responses.of(data, ["ill", "pay", "ill"])
    assert found.names == ("pay", "ill")
    assert found.classes[0].tolist() == [2, 0, 1]
    assert found.matrix()[:, 1:].sum(axis=1).tolist() == [1, 1, 1]


def test_too_many_classes_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CLASSES", 2)
    data = discreet.read({"ill": ["a", "b", "c"]})
    with pytest.raises(DataError, match="'ill' has 3; recode it to fewer"):
        Responses.of(data, ["ill"])


def test_infinite_numbers_are_named_by_their_row() -> None:
    data = discreet.read({"pay": [1.0, 2.0]})
    infinite = data.replace([data.column("pay").with_values(np.array([1.0, np.inf]))])
    with pytest.raises(DataError, match="column 'pay' is infinite in row 2"):
        Responses.of(infinite, ["pay"])


def test_confidential_columns_unless_others_are_named() -> None:
    data = discreet.read({"age": [1], "pay": [2]}, roles={"pay": "confidential"})
    assert confidential_responses(data, None, "MART") == ["pay"]
    assert confidential_responses(data, ["age"], "MART") == ["age"]
    with pytest.raises(UsageError, match="did you mean 'pay'"):
        confidential_responses(data, ["pya"], "MART")
    with pytest.raises(UsageError, match="MART needs a confidential column"):
        confidential_responses(data.drop(["pay"]), None, "MART")


def test_a_normal_column_has_no_heavy_tails_and_a_constant_none_at_all() -> None:
    rng = np.random.default_rng(1)
    data = discreet.read(
        {"normal": rng.normal(size=500), "skew": rng.lognormal(0, 2, 500), "same": [1.0] * 500}
    )
    assert heavy_tails(Responses.of(data, ["normal", "skew", "same"])) == ("skew",)
