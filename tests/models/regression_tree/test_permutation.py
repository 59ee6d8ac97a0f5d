"""Permutation p-values of a tree's nodes: against groups drawn one by one, and at their level."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.likelihood_ratio import likelihood_ratio, likelihood_ratio_p
from discreet.models.regression_tree.permutation import (
    DRAWS,
    Lots,
    permuted_covariance_p,
    permuted_divergence_p,
)
from tests.models.regression_tree.trees import table, tree_of


def scatter(y: np.ndarray) -> np.ndarray:
    centred = y - y.mean(axis=0)
    return np.asarray(centred.T @ centred)


def groups_by_lot(y: np.ndarray, size: int, number: int) -> np.ndarray:
    """The file and groups drawn from it: their scatter matrices."""
    rng = np.random.default_rng(5)
    drawn = [y[rng.choice(len(y), size, replace=False)] for _ in range(number)]
    return np.array([scatter(part) for part in [y, *drawn]])


def test_the_level_holds_where_tails_are_heavy_and_the_normal_one_does_not() -> None:
    y = np.random.default_rng(3).lognormal(0, 1.5, (600, 2))
    size, number = 30, 400
    known = groups_by_lot(y, size, number)
    counts = np.array([600] + [size] * number)
    by_lot = permuted_covariance_p(
        y, likelihood_ratio(known, counts), counts, Lots(np.random.default_rng(1))
    )[1:]
    # 400 trials at 0.05: a standard deviation of 0.011.
    assert 0.02 < (by_lot < 0.05).mean() < 0.08
    assert (likelihood_ratio_p(known, counts)[1:] < 0.05).mean() > 0.9


def test_it_is_near_the_chi_squared_one_where_responses_are_normal() -> None:
    y = np.random.default_rng(4).normal(size=(4000, 2))
    counts = np.array([4000] + [60] * 40)
    known = groups_by_lot(y, 60, 40)
    by_lot = permuted_covariance_p(
        y, likelihood_ratio(known, counts), counts, Lots(np.random.default_rng(1))
    )
    assert by_lot == pytest.approx(likelihood_ratio_p(known, counts, adjusted=True), abs=0.08)


def test_against_groups_drawn_one_by_one() -> None:
    y = np.random.default_rng(6).exponential(size=(80, 2))
    own = y[np.argsort(y[:, 0])[20:32]]
    known = np.array([scatter(y), scatter(own)])
    statistic = likelihood_ratio(known, np.array([80, 12]))
    drawn = likelihood_ratio(groups_by_lot(y, 12, 4000), np.array([80] + [12] * 4000))[1:]
    [whole, found] = permuted_covariance_p(
        y, statistic, np.array([80, 12]), Lots(np.random.default_rng(2))
    )
    assert whole == 1
    assert found == pytest.approx((drawn >= statistic[1]).mean(), abs=0.05)


def test_classes_are_hypergeometric() -> None:
    from scipy.stats import hypergeom

    totals, counts = np.array([30, 10]), np.array([8, 8])
    # X² of all eight from the first class, and of five: as far or farther are known counts.
    divergence = np.array([2.0**2 / 6 + 2.0**2 / 2, 1.0 / 6 + 1.0 / 2])
    found = permuted_divergence_p(totals, divergence, counts, Lots(np.random.default_rng(1)))
    first = hypergeom(40, 30, 8)
    assert found[0] == pytest.approx(1 - first.pmf([5, 6, 7]).sum(), abs=0.05)
    assert found[1] == pytest.approx(1 - first.pmf(6), abs=0.05)


def test_a_node_that_does_not_vary_is_unlike_only_if_random_groups_vary() -> None:
    y = np.array([[0.0]] * 95 + [[1.0]] * 5)
    statistic = np.array([0.0, np.inf, np.inf])
    counts = np.array([100, 5, 80])
    found = permuted_covariance_p(y, statistic, counts, Lots(np.random.default_rng(1)))
    assert found[1] == pytest.approx(0.77, abs=0.05)  # C(95, 5) / C(100, 5)
    assert found[2] < 0.01


def test_p_values_of_a_tree_with_both_kinds() -> None:
    data = table(3, 200, 2, ill=["xyz"[i % 3] for i in range(200)])
    tree = tree_of(data, 10)
    found = measure(tree, by_lot=Lots(np.random.default_rng(1)))
    assert found.p_value[0] == 1
    assert found.p_value.min() >= 1 / (DRAWS + 1)
    again = measure(tree, by_lot=Lots(np.random.default_rng(1)))
    assert np.array_equal(found.p_value, again.p_value)
    plain = measure(tree)
    assert np.array_equal(found.digression, plain.digression)
    y = tree.responses.numbers
    scatters = np.array([scatter(y[tree.records(t)]) for t in range(len(tree))])
    numbers = permuted_covariance_p(
        y, likelihood_ratio(scatters, tree.count), tree.count, Lots(np.random.default_rng(1))
    )
    # The smaller of both p-values counts, and the numbers are drawn for first.
    assert (found.p_value <= numbers).all()
    assert (found.p_value == numbers).any()
    assert (found.p_value < numbers).any()
