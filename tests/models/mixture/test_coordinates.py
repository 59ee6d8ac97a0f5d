"""Columns as points: units, constants, dependent columns and missing values."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.mixture.coordinates import PER_COLUMN, Coordinates


def table(values: np.ndarray) -> discreet.Microdata:
    return discreet.read({f"c{j}": column for j, column in enumerate(values.T)})


def fitted(values: np.ndarray, variance: float = 1.0) -> tuple[Coordinates, np.ndarray]:
    data, rows = table(values), np.arange(len(values))
    found = Coordinates.fit(data, data.schema.names, rows, variance)
    return found, found.points(data, rows)


def test_points_do_not_depend_on_units() -> None:
    values = np.random.default_rng(1).normal(size=(60, 3))
    _, points = fitted(values)
    _, again = fitted(values * [1e150, 1e-150, 3.0] + [0.0, 0.0, 7.0])
    assert again == pytest.approx(points)
    assert points.std(axis=0) == pytest.approx([1, 1, 1])


def test_constant_columns_are_left_out() -> None:
    values = np.random.default_rng(1).normal(size=(20, 3))
    values[:, 1] = 4.0
    found, points = fitted(values)
    assert (found.names, found.left_out) == (("c0", "c2"), ("c1",))
    assert points.shape == (20, found.dimensions) == (20, 2)


def test_dependent_columns_are_turned_to_fewer_that_keep_all_distances() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 2)) @ rng.normal(size=(2, 4))
    found, points = fitted(values)
    assert found.dimensions == 2
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    before = ((standard[:, None] - standard) ** 2).sum(axis=2)
    assert ((points[:, None] - points) ** 2).sum(axis=2) == pytest.approx(before, abs=1e-9)


def test_a_share_of_the_variance_keeps_the_fewest_components_that_reach_it() -> None:
    rng = np.random.default_rng(1)
    common = rng.normal(size=(200, 1))
    values = common + 0.3 * rng.normal(size=(200, 4))
    for share in (0.5, 0.95, 0.99):
        found, points = fitted(values, share)
        spreads = np.linalg.eigvalsh(found.covariance)[::-1]
        reached = np.cumsum(spreads) / spreads.sum()
        assert found.dimensions == np.argmax(reached >= share) + 1
        assert points.shape[1] == found.dimensions


def test_a_missing_value_stands_on_the_regression_line() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=100)
    values = np.column_stack([x, 2 * x + rng.normal(size=100)])
    values[3, 1] = np.nan
    found, points = fitted(values)
    slope = found.covariance[0, 1] / found.covariance[0, 0]
    assert points[3, 1] == pytest.approx(slope * points[3, 0])
    assert not np.isnan(points).any()


def test_complete_records_are_fitted_to_if_they_are_enough() -> None:
    values = np.random.default_rng(1).normal(size=(2 * PER_COLUMN + 1, 2))
    values[0, 0] = np.nan
    data, rows = table(values), np.arange(len(values))
    found = Coordinates.fit(data, data.schema.names, rows)
    assert found.fitted_rows(data, rows).tolist() == rows[1:].tolist()
    assert found.fitted_rows(data, rows[:-1]).tolist() == rows[:-1].tolist()
