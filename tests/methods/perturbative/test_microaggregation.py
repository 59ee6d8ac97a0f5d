"""Microaggregation: when it claims k-anonymity, and what it keeps."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Claim, Microaggregation, Microdata
from discreet.contracts import Context, Groups, Replacement, Spec
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid
from discreet.microdata import Column
from discreet.microdata.equivalence import class_sizes
from discreet.testing.tables import ordinary

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


class Nothing(Replacement):
    """Leaves every value as it is, and does not say that it makes records alike."""

    spec: ClassVar[Spec] = Spec("nothing", "Nothing", "nobody", "left as it is")

    def replace(
        self, data: Microdata, columns: object, groups: Groups, context: Context
    ) -> list[Column]:
        return []


def table(rows: int = 40) -> Microdata:
    return ordinary(rows=rows)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_all_quasi_identifiers_together_are_claimed(k: int) -> None:
    data = table()
    masked = Microaggregation(MDAV(k=k)).protect(data, Context())
    assert masked.claims == (Claim("k-anonymity", k),)
    assert class_sizes(masked.data, data.quasi_identifiers).min() >= k
    assert masked.groups is not None
    assert masked.groups.sizes.min() >= k


def test_naming_all_of_them_and_more_is_claimed_too() -> None:
    data = table()
    names = [*data.quasi_identifiers, "diagnosis"]
    assert Microaggregation(columns=names).protect(data, Context()).claims == (
        Claim("k-anonymity", 5),
    )


@pytest.mark.parametrize("left_out", [0, 1, 2, 3])
def test_a_part_of_the_quasi_identifiers_is_not_claimed(left_out: int) -> None:
    data = table()
    names = [n for i, n in enumerate(data.quasi_identifiers) if i != left_out]
    assert Microaggregation(columns=names).protect(data, Context()).claims == ()


def test_columns_without_quasi_identifiers_are_not_claimed() -> None:
    data = discreet.read({"x": [1.0, 2.0, 3.0, 4.0]}, roles={"x": "confidential"})
    masked = Microaggregation(MDAV(k=2), columns=["x"]).protect(data, Context())
    assert masked.claims == ()
    assert masked.data["x"].tolist() == [1.5, 1.5, 3.5, 3.5]


def test_a_replacement_that_does_not_equalise_is_not_claimed() -> None:
    masked = Microaggregation(MDAV(k=2), Nothing()).protect(table(), Context())
    assert masked.claims == ()


@LAW
@given(st.integers(6, 60), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_means_are_kept_and_variances_do_not_grow(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {"x": rng.normal(100, 5, n), "y": rng.lognormal(0, 2, n)}
    data = discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))
    masked = Microaggregation(MDAV(k=k)).protect(data, Context()).data
    for name in columns:
        assert masked[name].mean() == pytest.approx(data[name].mean(), rel=1e-12)
        assert masked[name].var() <= data[name].var() * (1 + 1e-12)


def test_every_group_gets_its_own_means() -> None:
    data = table()
    masked = Microaggregation(MDAV(k=3)).protect(data, Context())
    assert masked.groups is not None
    for group in range(masked.groups.count):
        members = masked.groups.labels == group
        before, after = data["height"][members], masked.data["height"][members]
        expected = before[~np.isnan(before)].mean()
        assert after.tolist() == pytest.approx([expected] * members.sum())


def test_other_columns_and_the_order_of_rows_stay() -> None:
    data = table()
    masked = Microaggregation().protect(data, Context()).data
    for name in ("id", "diagnosis", "remark", "weight", "household", "stratum"):
        assert masked.column(name).same_as(data.column(name))


def test_a_name_given_twice_is_treated_once() -> None:
    data = discreet.read({"x": [1.0, 2.0, 9.0, 8.0]}, roles={"x": "quasi-identifier"})
    once = Microaggregation(MDAV(k=2), Centroid(), ["x"]).protect(data, Context())
    twice = Microaggregation(MDAV(k=2), Centroid(), ["x", "x"]).protect(data, Context())
    assert once.data.column("x").same_as(twice.data.column("x"))
