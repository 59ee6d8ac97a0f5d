"""IL of Example 1.4 by hand, by a slow twin, and on the Census reference set."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.contracts import Context, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
IL: Any = build("measure", "information-loss")


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def loss(before: Microdata, after: Microdata, origin: Any = None) -> Any:
    pairing = Pairing.same_order(len(after)) if origin is None else Pairing(np.array(origin))
    return IL.score(before, after, Context(), pairing)


def test_five_terms_by_hand() -> None:
    before = table(x=[1, 2, 3], y=[2, 2, 5])
    after = table(x=[1, 2, 6], y=[2, 2, 5])
    found = loss(before, after)
    terms = found.detail["terms"]
    assert terms["values"] == pytest.approx(1 / 6)  # 3 → 6 is the only change of six values
    assert terms["means"] == pytest.approx((1 / 2 + 0) / 2)  # 2 → 3
    # Sample variances of x: 1 → 7; of y: 3; covariance 1.5 → 4.5.
    assert terms["variances"] == pytest.approx((6 + 0) / 2)
    assert terms["covariances"] == pytest.approx((6 + 2 + 0) / 3)
    change = abs(4.5 / math.sqrt(21) - 1.5 / math.sqrt(3))
    assert terms["correlations"] == pytest.approx(change)
    assert found.value == pytest.approx(20 * sum(terms.values()))
    assert found.per_record == pytest.approx([0, 0, 50])
    assert found.note == ""


def test_zeros_are_left_out_and_counted() -> None:
    found = loss(table(x=[0, 2, -2], y=[1, 2, 3]), table(x=[5, 2, -2], y=[1, 2, 3]))
    # One value is 0, the mean of x is 0; cov(x, y) = −1 is not.
    assert found.detail["zero denominators"] == {
        "values": 1,
        "means": 1,
        "covariances": 0,
        "variances": 0,
    }
    assert found.note == "left out for a zero denominator: 1 of the values, 1 of the means"
    assert found.detail["terms"]["means"] == 0


def test_a_constant_column_has_neither_variance_nor_correlation() -> None:
    found = loss(table(c=[0.1, 0.1, 0.1], y=[1, 2, 3]), table(c=[0.1, 0.2, 0.1], y=[1, 2, 3]))
    assert found.detail["zero denominators"]["variances"] == 1
    assert found.detail["zero denominators"]["covariances"] == 2
    assert "correlations" not in found.detail["terms"]
    assert "there are no correlations" in found.note


def test_one_column_averages_the_four_parts_that_exist() -> None:
    found = loss(table(x=[1, 3]), table(x=[1, 5]))
    assert found.detail["terms"] == pytest.approx(
        {"values": 1 / 3, "means": 0.5, "covariances": 3.0, "variances": 3.0}
    )
    assert found.value == pytest.approx(100 * (1 / 3 + 0.5 + 3 + 3) / 4)


def test_a_suppressed_value_is_at_the_mean_and_a_missing_one_is_not_compared() -> None:
    found = loss(table(x=[1, None, 3], y=[1, 2, 4]), table(x=[2, 7, None], y=[1, 2, 4]))
    # 1 → 2, and 3 became the mean 2; five values of the original are there.
    assert found.detail["terms"]["values"] == pytest.approx((1 + 1 / 3) / 5)


def test_a_lost_column_has_lost_all_moments() -> None:
    before = table(x=[1, 2, 3], y=[2, 2, 5])
    terms = loss(before, table(y=[2, 2, 5])).detail["terms"]
    # x is at its mean 2: changes of 1, 0 and 1/3 of six values.
    assert terms["values"] == pytest.approx((1 + 1 / 3) / 6)
    assert terms["means"] == pytest.approx(1 / 2)
    assert terms["variances"] == pytest.approx(1 / 2)
    assert terms["covariances"] == pytest.approx(2 / 3)
    assert terms["correlations"] == pytest.approx(1.5 / math.sqrt(3))


def test_a_label_counts_by_its_middle_and_by_draws() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(10, 90, 3000)
    before = table(x=x)
    bands = table(x=[f"{v // 10 * 10}–{v // 10 * 10 + 9}" for v in x.tolist()])
    terms = loss(before, bands).detail["terms"]
    middles = x // 10 * 10 + 4.5
    assert terms["values"] == pytest.approx(float((np.abs(middles - x) / x).mean()))
    assert terms["means"] < 0.01
    assert terms["variances"] < 0.03


def test_records_are_compared_with_their_own() -> None:
    before = table(x=[1, 2, 3], y=[2, 2, 5])
    assert loss(before, before.take(np.array([2, 0, 1])), [2, 0, 1]).value == pytest.approx(0)
    assert loss(before, before.take(np.array([2, 0, 1]))).value > 0


def test_what_cannot_be_measured_is_said() -> None:
    words = table(x=["a", "b"])
    with pytest.raises(NotApplicable, match="no quasi-identifier is continuous"):
        loss(words, words)
    with pytest.raises(NotApplicable, match="two records"):
        loss(table(x=[1]), table(x=[1]))
    with pytest.raises(NotApplicable, match="which original"):
        IL.score(table(x=[1, 2]), table(x=[1, 2]), Context())
    zero = table(x=[0, 0, 0])
    with pytest.raises(NotApplicable, match="every denominator"):
        loss(zero, zero)


rows = st.lists(
    st.tuples(*[st.integers(1, 60)] * 4).map(lambda r: [float(v) for v in r]),
    min_size=3,
    max_size=12,
)


@LAW
@given(rows)
def test_the_slow_twin_agrees(values: list[list[float]]) -> None:
    a, b, c, d = (list(column) for column in zip(*values, strict=True))
    if len(set(a)) < 2 or len(set(b)) < 2 or len(set(c)) < 2 or len(set(d)) < 2:
        return
    covariance = statistics.covariance
    if abs(covariance(a, b)) < 1e-9:
        return
    found = loss(table(x=a, y=b), table(x=c, y=d))
    pairs = [*zip(a, c, strict=True), *zip(b, d, strict=True)]
    expected = [
        statistics.fmean(abs(new - old) / old for old, new in pairs),
        statistics.fmean(
            abs(statistics.fmean(new) - statistics.fmean(old)) / statistics.fmean(old)
            for old, new in ((a, c), (b, d))
        ),
        statistics.fmean(
            abs(covariance(*new) - covariance(*old)) / abs(covariance(*old))
            for old, new in (((a, a), (c, c)), ((a, b), (c, d)), ((b, b), (d, d)))
        ),
        statistics.fmean(
            abs(statistics.variance(new) - statistics.variance(old)) / statistics.variance(old)
            for old, new in ((a, c), (b, d))
        ),
        abs(statistics.correlation(a, b) - statistics.correlation(c, d)),
    ]
    assert list(found.detail["terms"].values()) == pytest.approx(expected, abs=1e-9)
    assert found.value == pytest.approx(100 / 5 * sum(expected), abs=1e-9)


def census_by_mdav(folder: Path) -> tuple[discreet.Microdata, discreet.Release]:
    names = discreet.read(folder / "casc_census.csv").schema.names
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(folder / "casc_census.csv", roles=roles)
    grouping = discreet.Microaggregation(discreet.partition.MDAV(k=3))
    return data, discreet.protect(data, grouping, seed=1)


def test_terms_of_a_file_of_numbers(data_files: Path) -> None:
    data, release = census_by_mdav(data_files)
    found = IL.score(data, release.data, Context(), release.pairing)
    before, after = (table.matrix(data.schema.names) for table in (data, release.data))
    assert release.pairing is not None
    old = before[release.pairing.origin]
    used = old != 0
    assert found.detail["terms"]["values"] == pytest.approx(
        float((np.abs(after - old)[used] / np.abs(old[used])).mean())
    )
    assert found.detail["terms"]["means"] == pytest.approx(0, abs=1e-12)
    variances = np.var(after, axis=0) / np.var(before, axis=0)
    assert found.detail["terms"]["variances"] == pytest.approx(float(np.mean(1 - variances)))


def test_census_by_mdav(reference_data: Path) -> None:
    data, release = census_by_mdav(reference_data)
    found = IL.score(data, release.data, Context(), release.pairing)
    assert found.value == pytest.approx(22.652, abs=1e-3)


def test_changes_of_the_smallest_numbers_are_infinite_without_a_warning() -> None:
    data = discreet.read({"q": [1e-308, 0.1, 0.2, 0.3]}, roles={"q": "quasi-identifier"})
    released = discreet.read({"q": [1.0, 1.0, 0.2, 0.3]}, roles={"q": "quasi-identifier"})
    pairing = Pairing.same_order(4)
    found = discreet.assess(data, released, ["information-loss"], pairing=pairing)
    assert found.utility["information-loss"].value == np.inf
