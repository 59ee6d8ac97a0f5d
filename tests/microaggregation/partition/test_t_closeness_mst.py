"""Spanning trees cut only where t-closeness allows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata, UsageError
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.kernels.closeness import distances
from discreet.microaggregation.partition.t_closeness_mst import TClosenessMST
from discreet.testing import check
from discreet.testing.tables import ordinary

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


@pytest.mark.parametrize("partition", [TClosenessMST(), TClosenessMST(k=3, t=0.5)])
def test_t_closeness_mst_keeps_its_contract(partition: TClosenessMST) -> None:
    check(partition)


@LAW
@given(
    st.integers(5, 90), st.integers(2, 5), st.integers(0, 2**32 - 1), st.floats(0.05, 1),
    st.sampled_from(["nominal", "ordinal"]),
)  # fmt: skip
def test_every_group_is_within_t(n: int, k: int, seed: int, t: float, kind: str) -> None:
    data = people(n, seed, kind=kind)
    found = groups(TClosenessMST(k=k, t=t), data)
    # A reader of the release sees the classes that occur, whatever others were declared.
    occurring = np.unique(data["ill"][data["ill"] >= 0])
    classes = np.where(data["ill"] < 0, -1, np.searchsorted(occurring, data["ill"]))
    apart = distances(found.labels, classes, len(occurring), kind == "ordinal")
    assert found.sizes.min() >= k
    assert apart.max() <= t
    assert found.detail["largest distance to the file"] == apart.max()
    assert found.detail["edges cut"] == found.count - 1


def test_ordinal_classes_may_be_nearer_than_nominal_ones() -> None:
    nominal = groups(TClosenessMST(k=3, t=0.15), people(400, 2))
    ordinal = groups(TClosenessMST(k=3, t=0.15), people(400, 2, kind="ordinal"))
    assert ordinal.count > nominal.count


def test_the_class_is_named_when_it_is_not_plain() -> None:
    table = {"x": [1.0, 2.0, 3.0, 4.0], "a": list("pqpq"), "b": list("ppqq")}
    roles = {"x": "quasi-identifier", "a": "confidential", "b": "confidential"}
    both = discreet.read(table, roles)
    with pytest.raises(UsageError, match=r"have 'a', 'b'; name the one .* 'confidential'$"):
        groups(TClosenessMST(k=2), both)
    assert groups(TClosenessMST(k=2, confidential="a"), both).labels.tolist() == [0, 0, 1, 1]
    assert groups(TClosenessMST(k=2, confidential="b"), both).labels.tolist() == [0, 0, 0, 0]
    with pytest.raises(UsageError, match="no column 'c'"):
        groups(TClosenessMST(confidential="c"), both)
    none = discreet.read(table, {"x": "quasi-identifier"})
    with pytest.raises(UsageError, match=r"have none; .* role confidential$"):
        groups(TClosenessMST(k=2), none)


def test_a_continuous_class_and_refinement_are_refused() -> None:
    data = discreet.read(
        {"x": [1.0, 2.0, 3.0, 4.0], "pay": [1.5, 2.5, 3.5, 4.5]},
        {"x": "quasi-identifier", "pay": "confidential"},
    )
    with pytest.raises(UsageError, match="'pay' is continuous; declare its kind as ordinal or"):
        groups(TClosenessMST(k=2), data)
    for values in ({"refine": 5}, {"refine_seconds": 1.0}, {"blocks": 10}):
        with pytest.raises(UsageError, match=f"takes no '{next(iter(values))}'"):
            groups(TClosenessMST(**values), people(20, 1))


@pytest.mark.parametrize("t", [0, -0.1, 1.1])
def test_t_lies_above_0_and_at_most_at_1(t: float) -> None:
    with pytest.raises(UsageError, match="parameter 't' of TClosenessMST must be a number"):
        TClosenessMST(t=t)


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_the_measure_of_t_closeness_finds_the_bound_kept(kind: str) -> None:
    data = people(300, 7, kind=kind)
    partition = TClosenessMST(k=4, t=0.25)
    method: Any = build("method", {"microaggregation": {"partition": partition.recipe()}})
    masked = method.protect(data, Context()).data
    measure: Any = build("measure", "t-closeness")
    largest = groups(partition, data).detail["largest distance to the file"]
    assert 0.2 < largest <= 0.25
    assert measure.score(data, masked, Context()).value == pytest.approx(largest)


def test_the_bound_on_t_is_claimed_where_there_is_one_confidential_column() -> None:
    data = ordinary(missing=False)
    method = discreet.Microaggregation(TClosenessMST(k=4, t=0.3))
    claims = {claim.measure: claim for claim in discreet.protect(data, method).claims}
    assert claims["k-anonymity"].bound == 4
    assert claims["t-closeness"].bound == 0.3
    assert claims["t-closeness"].measured is not None
    assert claims["t-closeness"].measured <= 0.3
