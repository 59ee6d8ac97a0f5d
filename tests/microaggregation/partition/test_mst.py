"""MST and MST with t-closeness as partitions: sizes, bounds, messages, contracts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.microaggregation.partition.mst import MST
from discreet.microaggregation.partition.t_closeness_mst import TClosenessMST
from discreet.testing import check

LAW = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def groups(partition: Any, data: Microdata) -> Any:
    return partition.groups(data, data.quasi_identifiers, Context())


def people(n: int, seed: int, spread: int = 5, kind: str = "nominal") -> Microdata:
    rng = np.random.default_rng(seed)
    ill = [("a", "b", "c", None)[i] for i in rng.integers(0, 4, n)]
    return discreet.read(
        {"x": rng.integers(0, spread, n), "y": rng.normal(size=n), "ill": ill},
        roles={"x": "quasi-identifier", "y": "quasi-identifier", "ill": "confidential"},
        kinds={"ill": ["a", "b", "c"] if kind == "ordinal" else "nominal"},
    )


@pytest.mark.parametrize("partition", [MST(), MST(k=3, split=False)])
def test_mst_keeps_its_contract(partition: MST) -> None:
    check(partition)


def test_clusters_are_found_whatever_their_size() -> None:
    rng = np.random.default_rng(1)
    cluster = np.repeat([0, 1, 2], [3, 12, 5])
    data = discreet.read({"x": rng.normal(10 * cluster, 0.1)}, roles={"x": "quasi-identifier"})
    for partition in (MST(k=3), MST(k=3, split=False)):
        labels = groups(partition, data).labels
        assert len(set(zip(labels.tolist(), cluster.tolist(), strict=True))) == labels.max() + 1
        assert (labels == labels[0]).sum() == 3
        assert (labels == labels[-1]).sum() == 5


def test_large_groups_without_an_edge_to_cut_are_split() -> None:
    # A star: every edge has one record at its end, so that none can be cut.
    angles = np.linspace(0, 2 * np.pi, 5, endpoint=False)
    star = np.concatenate([[[0.0, 0.0]], np.column_stack([np.cos(angles), np.sin(angles)])])
    data = discreet.read(
        {"x": star[:, 0], "y": star[:, 1]}, roles=dict.fromkeys("xy", "quasi-identifier")
    )
    whole = groups(MST(k=2, split=False, scaling="none"), data)
    assert whole.sizes.tolist() == [6]
    split = groups(MST(k=2, scaling="none"), data)
    assert split.sizes.tolist() == [2, 2, 2]
    assert split.detail["SSE/SST"] < whole.detail["SSE/SST"]


def test_refinement_and_key_attributes_come_with_it() -> None:
    data = people(80, 4)
    plain, refined = groups(MST(k=3), data), groups(MST(k=3, refine=100), data)
    assert refined.sizes.min() >= 3
    assert refined.detail["SSE/SST"] <= plain.detail["SSE/SST"]
    found = groups(TClosenessMST(k=3, t=0.3, attributes="key"), data)
    assert found.detail["largest distance to the file"] <= 0.3


@LAW
@given(
    st.integers(1, 90), st.integers(2, 9), st.integers(0, 2**32 - 1), st.integers(1, 4),
    st.booleans(),
)  # fmt: skip
def test_no_group_of_mst_is_too_small(n: int, k: int, seed: int, spread: int, split: bool) -> None:
    data = people(n, seed, spread)
    partition = MST(k=k, split=split)
    if n < k:
        with pytest.raises(DataError, match=f"needs at least {k} records, but the data have {n}"):
            groups(partition, data)
        return
    found = groups(partition, data)
    assert found.sizes.sum() == n
    assert found.sizes.min() >= k
    if split:
        assert found.sizes.max() <= 2 * k - 1
    # numbered in the order of the first records
    _, firsts = np.unique(found.labels, return_index=True)
    assert np.all(np.diff(firsts) > 0)


def test_without_a_bound_it_is_the_plain_tree() -> None:
    data = people(300, 1)
    plain = groups(MST(k=4, split=False), data)
    assert np.array_equal(groups(TClosenessMST(k=4, t=1), data).labels, plain.labels)
    assert groups(TClosenessMST(k=4, t=0.1), data).count < plain.count


@pytest.mark.parametrize("partition", [MST(), TClosenessMST(t=0.3)])
def test_large_files_take_seconds(partition: Any) -> None:
    rng = np.random.default_rng(6)
    table = {"x": rng.normal(size=100_001), "ill": rng.integers(0, 3, 100_001).astype(str)}
    data = discreet.read(table, {"x": "quasi-identifier", "ill": "confidential"})
    assert groups(partition, data).sizes.min() >= 5


@pytest.mark.parametrize("partition", [MST(k=4), TClosenessMST(k=4, t=0.3)])
def test_groups_go_with_the_records(partition: Any) -> None:
    # Without ties, another order of the file changes the numbers of the groups only.
    rng = np.random.default_rng(5)
    ill = rng.integers(0, 3, 120).astype(str)
    roles = {"x": "quasi-identifier", "y": "quasi-identifier", "ill": "confidential"}
    data = discreet.read({"x": rng.normal(size=120), "y": rng.normal(size=120), "ill": ill}, roles)
    shuffled = rng.permutation(120)
    one = groups(partition, data).labels[shuffled]
    other = groups(partition, data.take(shuffled)).labels
    assert len({*zip(one.tolist(), other.tolist(), strict=True)}) == one.max() + 1


def test_they_work_in_microaggregation() -> None:
    data = people(60, 3)
    for partition in ("mst", {"t-closeness-mst": {"k": 4, "t": 0.4}}):
        method: Any = build("method", {"microaggregation": {"partition": partition}})
        masked = method.protect(data, Context())
        assert masked.claims[0].measure == "k-anonymity"
        assert masked.data["y"].mean() == pytest.approx(data["y"].mean())
