"""The regression of Table 4 of Li & Sarkar by hand, equal group sizes, and what is changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from bench.papers.alcohol import FILE, RESPONSES, alcohol, cross_validated, folds, matrix
from bench.papers.mart_causes import (
    AS_IS,
    IN_GROUPS,
    MEANS,
    OF_RM,
    changed,
    constants,
    directions,
    lowest_incomes,
    predictions,
    random_labels,
    without,
)
from bench.papers.mart_size import alpha_of_size, average_size, near_size, tree_of
from discreet.contracts import Context, Groups
from discreet.methods.perturbative.mart import MART
from discreet.models.regression_tree import grow
from discreet.models.regression_tree.digression import measure


def small() -> discreet.Microdata:
    rng = np.random.default_rng(2)
    job = ["abc"[i] for i in rng.integers(0, 3, 90)]
    income = rng.lognormal(0, 1, 90) * [{"a": 1, "b": 2, "c": 4}[one] for one in job]
    return discreet.read(
        {"job": job, "educ": rng.integers(8, 18, 90).astype(float).tolist(),
         "income": income.tolist(), "drinks": rng.poisson(4, 90).astype(float).tolist()},
        roles={"job": "quasi-identifier", "educ": "quasi-identifier",
               "income": "confidential", "drinks": "confidential"},
        kinds={"educ": "continuous", "income": "continuous", "drinks": "continuous"},
    )  # fmt: skip


def test_a_joined_label_counts_in_equal_parts_and_by_its_numbers_if_weighted() -> None:
    data = discreet.read(
        {"job": ["a", "a", "a", "b", "c"], "pay": [1.0, 2.0, 3.0, 4.0, 5.0]},
        roles={"job": "quasi-identifier", "pay": "confidential"},
    )
    groups = Groups(np.array([0, 0, 0, 0, 1]))
    from discreet.microaggregation.replacement.value_concatenation import ValueConcatenation

    for weighted, shares in ((False, [0.5, 0.5, 0]), (True, [0.75, 0.25, 0])):
        replacement = ValueConcatenation(weighted=weighted)
        masked = data.replace(replacement.replace(data, ["job"], groups, Context()))
        x = matrix(data, masked, weighted)
        assert x[0].tolist() == [1, *shares]
        assert x[4].tolist() == [1, 0, 0, 1]


def test_cross_validation_by_hand() -> None:
    data = small()
    percentages, scaled = [], []
    for training, test in folds(data, 4):
        x, new = matrix(training), matrix(test)
        for name in RESPONSES:
            fit = np.linalg.pinv(x) @ training[name]
            for truth, guess in zip(test[name], new @ fit, strict=True):
                scaled.append(abs(truth - guess) / np.ptp(data[name]))
                if truth:
                    percentages.append((name, abs(truth - guess) / truth))
    mape, error, size = cross_validated(data, None, 4)
    # Folds of nine records each: the mean of their means is that of all records.
    assert error == pytest.approx(np.mean(scaled))
    assert size == 1
    by_response = [np.mean([e for n, e in percentages if n == name]) for name in RESPONSES]
    assert mape == pytest.approx(np.mean(by_response), rel=0.05)


def test_alpha_of_a_size_is_the_nearest_of_all() -> None:
    tree = tree_of(small(), 3)
    steps = np.nextafter(np.unique(measure(tree).p_value[tree.column >= 0]), 1)
    for size in (4, 6, 10, 30):
        best = min(abs(average_size(tree, float(a)) - size) for a in [0.0, *steps[steps < 1]])
        found = average_size(tree, alpha_of_size(tree, size))
        assert abs(found - size) == pytest.approx(best, abs=1.0)
    assert alpha_of_size(grow(small(), ["job"], ["drinks"], 90), 5) == 0


def test_the_size_is_kept_in_training() -> None:
    data = small()
    sizes = []

    def method_for(training: discreet.Microdata) -> MART:
        k, alpha = near_size(training, 4, 9, range(2, 9), 0.2)
        return MART(k=k, alpha=alpha)

    for training, _ in folds(data, 1):
        groups = method_for(training).protect(training, Context()).groups
        assert groups is not None
        sizes.append(len(training) / groups.count)
    assert max(abs(size / 9 - 1) for size in sizes) <= 0.2
    assert cross_validated(data, method_for, 1)[2] == pytest.approx(np.mean(sizes))


def test_predictions_within_groups_do_not_leave_what_the_groups_show() -> None:
    data = small()
    training, test = next(iter(folds(data, 0)))
    tree = tree_of(training, 8)
    everything = np.eye(matrix(test).shape[1])
    found = predictions(training, test, tree, True, (), everything)
    x = matrix(training, MART(k=8, alpha=0).protect(training, Context()).data)
    y = np.column_stack([training[name] for name in RESPONSES])
    fit = np.linalg.pinv(x) @ y
    assert found[AS_IS] == pytest.approx(matrix(test) @ fit)
    assert found[OF_RM] == pytest.approx(found[AS_IS])
    kept = predictions(training, test, tree, True, (), directions(x))
    assert kept[OF_RM] == pytest.approx(found[AS_IS])
    alone = predictions(training, test, tree, True, (), everything[:, :1])
    assert alone[OF_RM] == pytest.approx(np.tile(y.mean(axis=0), (len(test), 1)))
    leaves = tree.assign(test)
    for row, leaf in enumerate(leaves.tolist()):
        own = tree.records(leaf)
        assert found[MEANS][row] == pytest.approx(y[own].mean(axis=0))
        assert found[IN_GROUPS][row] == pytest.approx(x[own[0]] @ fit)


def test_random_groups_are_of_the_size() -> None:
    sizes = np.bincount(random_labels(2467, 25, 1))
    assert len(sizes) == 99
    assert set(sizes.tolist()) <= {24, 25}


def test_what_decides_on_alcohol(reference_data: Path) -> None:
    assert (reference_data / FILE).exists()
    data = alcohol(reference_data)
    mean, median = constants(data)
    assert median < mean
    men, part = lowest_incomes(data)
    assert men < len(data) / 100
    assert part > 0.75
    found = {one.change: one for one in changed(data, {40: (27, 29)}, 1)}
    gap = found[AS_IS].gaps.mean()
    assert gap > 0
    assert abs(found[IN_GROUPS].gaps.mean()) < gap / 4
    assert found[OF_RM].gaps.mean() < gap
    assert found[without(0.03)].gaps.mean() < 0
    # RM's own regression is in those directions already.
    assert found[OF_RM].figures[:, 0] == pytest.approx(found[AS_IS].figures[:, 0])
