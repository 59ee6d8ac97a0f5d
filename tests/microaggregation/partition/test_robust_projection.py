"""The robust projection beside the ordinary one, with and without far records."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition.principal_component import PrincipalComponent
from discreet.microaggregation.partition.robust_projection import RobustProjection
from discreet.microdata import Microdata


def table(far: int) -> Microdata:
    draw = np.random.default_rng(4)
    x = draw.normal(size=200)
    y = x + 0.3 * draw.normal(size=200)
    x[:far], y[:far] = 40, -40
    return discreet.read({"x": x, "y": y})


def along(partition: PrincipalComponent, data: Microdata) -> float:
    """Return how well the groups of ordinary records follow the line on which they lie."""
    labels = partition.groups(data, ["x", "y"], Context()).labels
    return abs(float(np.corrcoef(labels[10:], (data["x"] + data["y"])[10:])[0, 1]))


def test_far_records_turn_the_ordinary_component_only() -> None:
    assert along(PrincipalComponent(k=5), table(far=0)) > 0.95
    assert along(RobustProjection(k=5), table(far=0)) > 0.95
    assert along(PrincipalComponent(k=5), table(far=10)) < 0.5
    assert along(RobustProjection(k=5), table(far=10)) > 0.95


def test_constant_columns_and_equal_records() -> None:
    data = discreet.read({"x": [7.0] * 6, "y": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    labels = RobustProjection(k=3).groups(data, ["x", "y"], Context()).labels
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]
    same = data.take(np.zeros(6, dtype=np.int64))
    assert RobustProjection(k=3).groups(same, ["x", "y"], Context()).count == 2
