"""Candidates are read from the parameters' declarations, or from a user's own list."""

from __future__ import annotations

from typing import Any

import pytest

from discreet import UsageError
from discreet.contracts.registry import build, entries
from discreet.exploring.candidates import Axis, Candidate, from_list, from_registry
from discreet.exploring.trial import Task


def test_every_value_to_try_makes_a_method() -> None:
    candidates = from_registry()
    assert len(candidates) > 5
    for candidate in candidates:
        for value in candidate.axis.values if candidate.axis else (None,):
            for step in candidate.at(value):
                build("method", step)


def test_trials_of_all_parameters_are_values_that_they_take() -> None:
    declared = 0
    for entry in entries():
        for param in entry.params().values():
            declared += bool(param.trials)
            for value in param.trials:
                assert param.check(value, entry.__name__) == value
            assert not param.monotone or len(param.trials) > 1
    assert declared > 5


def test_an_axis_within_a_component_is_found() -> None:
    (candidate, *_) = from_registry(["microaggregation"])
    assert candidate.axis is not None
    assert candidate.axis.where == (0, "microaggregation", "partition", "mdav", "k")
    made = build("method", candidate.at(7)[0])
    assert made.partition.k == 7  # type: ignore[attr-defined]


def test_parameters_that_are_no_axis_make_forms() -> None:
    labels = [candidate.label for candidate in from_registry(["microaggregation"])]
    assert "microaggregation (mdav, attributes_at_a_time 3)" in labels


def test_a_list_of_ones_own() -> None:
    given: list[Any] = [
        "individual-ranking",
        {"additive-noise": {"alpha": {"try": [0.1, 0.5, 1.0]}}},
        [
            {"microaggregation": {"partition": {"mdav": {"k": {"from": 3, "to": 9, "step": 3}}}}},
            {"additive-noise": {"alpha": 0.1}},
        ],
        {"microaggregation": {"attributes_at_a_time": {"try": [2, 3]},
                              "partition": {"mdav": {"k": {"from": 3, "to": 5}}}}},
    ]  # fmt: skip
    plain, noise, pair, by_two, by_three = from_list(given)
    assert plain == Candidate(({"individual-ranking": {}},))
    assert noise.axis == Axis((0, "additive-noise", "alpha"), (0.1, 0.5, 1.0))
    assert pair.axis is not None
    assert pair.axis.values == (3, 6, 9)
    assert len(pair.at(6)) == 2
    for candidate, size in ((by_two, 2), (by_three, 3)):
        assert candidate.steps[0]["microaggregation"]["attributes_at_a_time"] == size
        assert candidate.axis is not None
        assert candidate.axis.values == (3, 4, 5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([{"additive-nois": {}}], "did you mean 'additive-noise'"),
        ([{"additive-noise": {"alpha": {"try": [-1]}}}], "parameter 'alpha'"),
        ([{"additive-noise": {"alpha": {"try": []}}}], "needs a list"),
        (
            [{"additive-noise": {"alpha": {"from": 1, "to": 0}}}],
            "lead from the first to the second",
        ),
        (
            [{"rank-swapping": {"p": {"from": 10**400, "to": 20, "step": 5}}}],
            "must be numbers",
        ),
        ([{"rank-swapping": {"p": {"from": 1, "to": float("inf")}}}], "must be numbers"),
        ([{"rank-swapping": {"p": {"from": 1, "to": 20, "step": 1e-9}}}], "at most 1,000 values"),
        ([{"rank-swapping": {"p": {"from": -1e299, "to": 1e299, "step": 1e-299}}}], "at most"),
        ([[]], "at least one step"),
        ([5], "a method's name"),
    ],
)
def test_mistakes_are_told_before_anything_runs(given: list[Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        from_list(given)


def test_values_are_ordered_by_what_the_parameter_says_of_protection() -> None:
    # A low chance to stay protects more, a wide window does: whichever way they are written.
    for given in ([0.9, 0.1, 0.5], [0.1, 0.5, 0.9]):
        (pram,) = from_list([{"pram": {"stay": {"try": given}}}])
        assert pram.axis == Axis((0, "pram", "stay"), (0.9, 0.5, 0.1))
    (swapping,) = from_list([{"rank-swapping": {"p": {"from": 20, "to": 10, "step": -5}}}])
    assert swapping.axis is not None
    assert swapping.axis.values == (10, 15, 20)


def test_what_has_no_order_is_tried_value_by_value() -> None:
    (by_variant,) = from_list([{"additive-noise": {"variant": {"try": ["linear", "correlated"]}}}])
    assert by_variant.axis is not None
    assert not by_variant.axis.monotone
    (bases,) = from_list([{"rounding": {"bases": {"age": {"try": [1, 5, 10]}}}}])
    assert bases.axis is not None
    assert not bases.axis.monotone
    # The axis is the parameter that has an order, wherever it stands.
    forms = from_list(
        [{"additive-noise": {"alpha": {"try": [0.1, 0.5]}, "variant": {"try": ["linear"]}}}]
    )
    assert [c.axis for c in forms] == [Axis((0, "additive-noise", "alpha"), (0.1, 0.5))]
    assert forms[0].steps == ({"additive-noise": {"variant": "linear"}},)


def test_steps_of_a_number_are_as_a_person_writes_them() -> None:
    (noise,) = from_list([{"additive-noise": {"alpha": {"from": 0.1, "to": 0.5, "step": 0.1}}}])
    assert noise.axis is not None
    assert noise.axis.values == (0.1, 0.2, 0.3, 0.4, 0.5)


def test_keys_that_are_no_text_stay_what_they_are() -> None:
    matrices = {"sick": {True: {False: 0.5, True: 0.5}, False: {False: 1}}}
    (candidate,) = from_list([{"pram": {"matrices": matrices, "stay": {"try": [0.5, 0.1]}}}])
    assert candidate.at(0.5)[0]["pram"]["matrices"] == matrices
    mixed = {"x": {1: {"a": 1}, "a": {1: 1}}}
    assert len(Task(({"pram": {"matrices": mixed}},)).key) == 24


def test_a_parameter_by_column_has_no_part_in_the_label() -> None:
    [candidate] = from_list([{"matrix-masking": {"displacement": {"age": 2}}}])
    assert candidate.label == "matrix-masking"


def test_the_files_of_every_value_are_known() -> None:
    recipe = {"pram": {"stay": {"try": [0.5, 0.9]}, "matrix_files": ["town=a.csv"]}}
    [candidate] = from_list([recipe])
    assert set(candidate.files()) == {"a.csv"}


def test_a_list_for_one_value_lists_what_is_tried() -> None:
    plain = {"rank-swapping": {"p": [20, 5], "columns": ["age", "pay"]}}
    (listed,) = from_list([plain])
    (stated,) = from_list([{"rank-swapping": {"p": {"try": [20, 5]}, "columns": ["age", "pay"]}}])
    assert listed == stated
    assert listed.axis is not None
    assert listed.axis.values == (5, 20)
