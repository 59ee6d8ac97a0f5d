"""Groups are merged until nobody dominates one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError
from discreet.contracts import Context, Groups
from discreet.microaggregation.dominance import without_dominance
from discreet.microaggregation.partition import MDAV

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def largest_share(values: Any, labels: Any) -> float:
    shares = []
    for group in set(labels.tolist()):
        members = values[labels == group]
        shares.append(members.max() / members.sum() if members.sum() else 0.0)
    return float(max(shares))


@LAW
@given(
    st.integers(6, 60),
    st.integers(2, 5),
    st.sampled_from([0.15, 0.3, 0.5, 0.9, 1.0]),
    st.integers(0, 2**32 - 1),
)
def test_after_merging_nobody_dominates(n: int, k: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {"x": rng.lognormal(0, 1.5, n), "y": rng.integers(0, 3, n).astype(float)}
    data = discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))
    before = MDAV(k=k).groups(data, ["x", "y"], Context())
    alone = any(data[c].max() > share * data[c].sum() * (1 + 1e-9) for c in columns)
    if alone:
        with pytest.raises(DataError, match=r"cannot be kept: .* groups break it, and in column"):
            without_dominance(data, ["x", "y"], before, share)
        return
    after, _ = without_dominance(data, ["x", "y"], before, share)
    assert after.sizes.min() >= k
    assert sorted(set(after.labels.tolist())) == list(range(after.count))
    for name in columns:
        assert largest_share(data[name], after.labels) <= share * (1 + 1e-9)
    # Merged groups are unions: no group is cut, and one that kept the rule alone may stay.
    for group in range(before.count):
        assert len(set(after.labels[before.labels == group].tolist())) == 1


def test_groups_that_keep_the_rule_stay_as_they_are() -> None:
    data = discreet.read({"x": [5.0, 5.0, 5.0, 9.0, 9.0, 9.0]})
    groups = Groups(np.array([1, 1, 1, 0, 0, 0]), least_size=3)
    after, said = without_dominance(data, ["x"], groups, 1 / 3)
    assert after.labels.tolist() == groups.labels.tolist()
    assert "0 of 2 groups broke it, and 2 groups are left" in said


def test_missing_values_contribute_nothing_and_zeros_dominate_nobody() -> None:
    data = discreet.read({"x": [0.0, 0.0, None, 4.0, 4.0, 1.0]})
    groups = Groups(np.array([0, 0, 0, 1, 1, 1]), least_size=3)
    assert without_dominance(data, ["x"], groups, 0.5)[0].count == 2
    assert without_dominance(data, ["x"], groups, 0.45)[0].count == 2
    with pytest.raises(DataError, match="top-code"):
        without_dominance(data, ["x"], groups, 0.4)


@pytest.mark.parametrize("scale", [1e-130, 1e130])
def test_shares_do_not_depend_on_the_unit(scale: float) -> None:
    values = np.array([1.0, 1.0, 1.0, 9.0, 2.0, 2.0, 2.0, 2.0, 5.0])
    groups = Groups(np.arange(9) // 3, least_size=3)
    data = discreet.read({"x": values * scale})
    plain = discreet.read({"x": values})
    found = without_dominance(data, ["x"], groups, 0.6)[0].labels
    assert found.tolist() == without_dominance(plain, ["x"], groups, 0.6)[0].labels.tolist()
