"""Groups along the first principal component, against a twin by power iteration."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition.principal_component import PrincipalComponent
from discreet.testing import check


def by_power_iteration(values: np.ndarray, k: int) -> list[int]:
    z = (values - values.mean(axis=0)) / values.std(axis=0)
    u = np.ones(z.shape[1])
    for _ in range(2000):
        u = z.T @ (z @ u)
        u /= np.linalg.norm(u)
    u = u if u[np.argmax(np.abs(u))] > 0 else -u
    order = sorted(range(len(z)), key=lambda i: (z[i] @ u, i))
    labels = [0] * len(z)
    for rank, record in enumerate(order):
        labels[record] = min(rank // k, len(z) // k - 1)
    return labels


@pytest.mark.parametrize(("seed", "k"), [(1, 3), (2, 5), (3, 7)])
def test_groups_are_those_of_the_twin(seed: int, k: int) -> None:
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(53, 3)) @ draw.normal(size=(3, 3)) * [1, 100, 0.01]
    data = discreet.read({f"x{j}": values[:, j] for j in range(3)})
    found = PrincipalComponent(k=k).groups(data, ["x0", "x1", "x2"], Context())
    assert found.labels.tolist() == by_power_iteration(values, k)
    assert found.least_size == k
    assert set(found.sizes) <= set(range(k, 2 * k))


def test_one_column_is_ranking() -> None:
    data = discreet.read({"age": [80, 21, 40, 41, 22]})
    assert PrincipalComponent(k=2).groups(data, ["age"], Context()).labels.tolist() == [
        1,
        0,
        1,
        1,
        0,
    ]


def test_it_keeps_its_contract() -> None:
    check(PrincipalComponent(k=3))
