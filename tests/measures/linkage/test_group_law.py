"""The law of groups beside SciPy's, and cells of which nothing is known."""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal

import discreet
from discreet.measures.linkage.cells import cells
from discreet.measures.linkage.group_law import PRIOR, RARE, GroupLaw

QI = "quasi-identifier"


def test_numbers_are_normal_with_the_moments_of_the_group() -> None:
    draw = np.random.default_rng(1)
    labels = np.repeat([0, 1, 2], 30)
    values = draw.normal(size=(90, 2)) + labels[:, None]
    data = discreet.read({"a": values[:, 0], "b": values[:, 1]}, roles={"a": QI, "b": QI})
    law = GroupLaw.of(cells(data, data, ["a", "b"], np.arange(90)), labels)
    scaled = values / values.std(axis=0)
    apart = scaled - np.array([scaled[labels == g].mean(axis=0) for g in range(3)])[labels]
    within = np.diag((apart**2).mean(axis=0))
    twin = np.column_stack([
        -multivariate_normal(
            scaled[labels == g].mean(axis=0),
            (1 - PRIOR) * np.cov(scaled[labels == g].T) + PRIOR * within,
        ).logpdf(scaled)
        for g in range(3)
    ])  # fmt: skip
    found = law.costs(np.arange(90))
    assert np.allclose(found - found[:, :1], twin - twin[:, :1], atol=1e-4)


def test_categories_have_the_shares_of_the_group() -> None:
    data = discreet.read({"town": ["a", "a", "b", "b"]}, roles={"town": QI})
    law = GroupLaw.of(cells(data, data, ["town"], np.arange(4)), np.array([0, 0, 0, 1]))
    share = (2 + RARE / 2) / (3 + RARE), (0 + RARE / 2) / (1 + RARE)
    assert np.allclose(law.costs(np.array([0])), -np.log(share))


def test_a_cell_that_says_nothing_is_as_likely_everywhere() -> None:
    """Both groups have the same width, so the constants are equal, too."""
    values = [1.0, 2.0, 8.0, 9.0]
    data = discreet.read({"a": values}, roles={"a": QI})
    released = discreet.read({"a": [None, *values[1:]]}, roles={"a": QI})
    law = GroupLaw.of(cells(data, released, ["a"], np.arange(4)), np.array([0, 0, 1, 1]))
    costs = law.costs(np.array([0, 1]))
    assert np.isclose(costs[0, 0], costs[0, 1], atol=1e-4)
    assert costs[1, 0] < costs[1, 1]
