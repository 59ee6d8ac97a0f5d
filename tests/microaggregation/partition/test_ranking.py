"""Groups of k by rank, against a twin that counts them off."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition import Ranking

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
Kind = type[Ranking]


def labels_of(kind: Kind, values: list[Any], k: int) -> list[int]:
    data = discreet.read({"x": np.array(values, dtype=float)})
    labels: list[int] = kind(k=k).groups(data, ["x"], Context()).labels.tolist()
    return labels


def slow_ranking(values: list[float], k: int) -> list[int]:
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    last = len(values) // k - 1
    labels = [0] * len(values)
    for rank, record in enumerate(order):
        labels[record] = min(rank // k, last)
    return labels


@LAW
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=40), st.integers(2, 6))
def test_ranking_is_that_of_the_twin(numbers: list[int], k: int) -> None:
    values = [float(v) for v in numbers]
    if len(values) >= k:
        assert labels_of(Ranking, values, k) == slow_ranking(values, k)
