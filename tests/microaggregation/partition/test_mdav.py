"""MDAV as a partition: Algorithm 1.1 in plain Python, sizes, and the figures of the literature."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Microdata
from discreet.contracts import Context, Pairing
from discreet.contracts.registry import build
from discreet.kernels.mdav import mdav_labels
from discreet.microaggregation.blocks import within_groups
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid
from discreet.microdata.embedding import Embedding

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
Point = tuple[Fraction, ...]


def squared(a: Point, b: Point) -> Fraction:
    return sum(((x - y) ** 2 for x, y in zip(a, b, strict=True)), Fraction(0))


def slow_mdav(points: list[Point], k: int) -> list[int]:
    """Algorithm 1.1 with its size tested before the first pass, in exact arithmetic.

    Of records at the same distance the first of the file is taken.
    """
    left = list(range(len(points)))
    labels = [-1] * len(points)
    group = 0

    def average() -> Point:
        return tuple(
            sum(c) / Fraction(len(left)) for c in zip(*(points[i] for i in left), strict=True)
        )

    def farthest(centre: Point) -> int:
        return max(left, key=lambda i: (squared(points[i], centre), -i))

    def take(seed: int) -> None:
        nonlocal group
        others = sorted(
            (i for i in left if i != seed), key=lambda i: (squared(points[i], points[seed]), i)
        )
        for i in [seed, *others[: k - 1]]:
            labels[i] = group
            left.remove(i)
        group += 1

    while len(left) >= 3 * k:
        r = farthest(average())
        take(r)
        take(farthest(points[r]))
    if len(left) >= 2 * k:
        take(farthest(average()))
    for i in left:
        labels[i] = group
    return labels


def integers(rows: list[tuple[int, ...]]) -> Microdata:
    columns = list(zip(*rows, strict=True))
    return discreet.read({f"c{j}": [float(v) for v in column] for j, column in enumerate(columns)})


@LAW
@given(
    st.integers(1, 3).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(-3, 3)] * d), min_size=4, max_size=16)
    ),
    st.integers(2, 4),
)
def test_groups_are_those_of_algorithm_1_1(rows: list[tuple[int, ...]], k: int) -> None:
    # Multiples of lcm(1 … 16): every average of up to 16 records, and every squared distance to
    # it, is a whole number below 2⁵³, so that floats see exactly the ties that there are.
    unit = math.lcm(*range(1, 17))
    rows = [tuple(unit * v for v in row) for row in rows]
    data = integers(rows)
    found = MDAV(k=k, scaling="none").groups(data, data.schema.names, Context()).labels
    assert found.tolist() == slow_mdav([tuple(Fraction(v) for v in row) for row in rows], k)


def test_ties_go_to_the_first_record_of_the_file() -> None:
    # 0 and 8 are equally far from the average of 4: the first is taken, with its nearest.
    data = integers([(0,), (8,), (1,), (7,), (4,), (4,)])
    labels = MDAV(k=2, scaling="none").groups(data, ["c0"], Context()).labels
    assert labels.tolist() == [0, 1, 0, 1, 2, 2]


@pytest.mark.parametrize(
    ("n", "k", "sizes"),
    [(2, 2, [2]), (3, 2, [3]), (4, 2, [2, 2]), (5, 2, [2, 3]), (6, 2, [2, 2, 2]), (5, 3, [5]),
     (6, 3, [3, 3]), (8, 3, [3, 5]), (9, 3, [3, 3, 3]), (11, 3, [3, 3, 5]), (17, 5, [5, 5, 7])],
)  # fmt: skip
def test_the_ending_leaves_no_small_group(n: int, k: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(n)
    data = discreet.read({"x": rng.normal(size=n)})
    groups = MDAV(k=k).groups(data, ["x"], Context())
    assert sorted(groups.sizes.tolist()) == sizes
    assert groups.least_size == k


@LAW
@given(st.integers(2, 120), st.integers(2, 9), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_sizes_lie_between_k_and_2k_less_1(n: int, k: int, seed: int, spread: int) -> None:
    rng = np.random.default_rng(seed)
    data = discreet.read({"x": rng.integers(0, spread, n), "y": rng.normal(size=n)})
    if n < k:
        with pytest.raises(DataError, match=f"needs at least {k} records, but the data have {n}"):
            MDAV(k=k).groups(data, ["x", "y"], Context())
        return
    sizes = MDAV(k=k).groups(data, ["x", "y"], Context()).sizes
    assert sizes.sum() == n
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("scaling", ["standard", "range", "robust"])
def test_groups_do_not_depend_on_the_unit(scaling: str) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=60), rng.lognormal(size=60)
    metres = discreet.read({"x": x, "y": y})
    other = discreet.read({"x": x * 1024.0, "y": y / 4096.0})
    one = MDAV(k=4, scaling=scaling).groups(metres, ["x", "y"], Context()).labels
    assert (
        one.tolist()
        == MDAV(k=4, scaling=scaling).groups(other, ["x", "y"], Context()).labels.tolist()
    )


def test_only_the_named_columns_count() -> None:
    data = discreet.read({"x": [1.0, 2.0, 10.0, 11.0], "y": [0.0, 9.0, 0.0, 9.0]})
    assert MDAV(k=2).groups(data, ["x"], Context()).labels.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    assert MDAV(k=2).groups(data, ["y"], Context()).labels.tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_missing_values_and_categories_are_grouped_together() -> None:
    data = discreet.read({"t": ["a", None, "b", "a", None, "b"]})
    labels = MDAV(k=2).groups(data, ["t"], Context()).labels
    assert labels[0] == labels[3] != labels[1]
    assert labels[1] == labels[4] != labels[2]
    assert labels[2] == labels[5]


@pytest.mark.parametrize(
    ("file", "losses"),
    [
        ("casc_census.csv", {3: 5.6922, 4: 7.4947, 5: 9.0884, 10: 14.1559}),
        ("casc_tarragona.csv", {3: 16.9326, 4: 19.5460, 5: 22.4619, 10: 33.1929}),
    ],
)
def test_information_loss_of_the_literature(
    reference_data: Path, file: str, losses: dict[int, float]
) -> None:
    data = discreet.read(reference_data / file)
    data = data.with_attributes(
        [discreet.microdata.Attribute(a.name, discreet.Role.QUASI_IDENTIFIER) for a in data.schema]
    )
    names = data.schema.names
    assert len(names) == 13
    measure: Any = build("measure", "sse-sst")
    for k, percent in losses.items():
        groups = MDAV(k=k).groups(data, names, Context())
        released = data.replace(Centroid().replace(data, names, groups, Context()))
        score = measure.score(data, released, Context(), Pairing.same_order(len(data)))
        assert round(100 * score.value, 4) == percent
        assert 100 * slow_loss(data, groups.labels.tolist()) == pytest.approx(score.value * 100)


def slow_loss(data: Microdata, labels: list[int]) -> float:
    """Within-group over total sum of squares of the standardised columns."""
    within = total = 0.0
    for name in data.schema.names:
        values = data[name].tolist()
        deviation = statistics.pstdev(values)
        standard = [(v - statistics.fmean(values)) / deviation for v in values]
        total += sum(z * z for z in standard)
        for group in set(labels):
            members = [z for z, label in zip(standard, labels, strict=True) if label == group]
            mean = statistics.fmean(members)
            within += sum((z - mean) ** 2 for z in members)
    return within / total


def test_codes_lose_about_as_much_as_coordinates_on_a_real_file(data_files: Path) -> None:
    """Ties are settled otherwise than by one coordinate per category; the loss is about equal."""
    columns = ["sex", "age", "marital", "education_level", "occupation", "industry"]
    table = pq.read_table(data_files / "gov_census_acs2018.parquet", columns=columns)
    data = discreet.read(table.slice(0, 4_000))
    points = Embedding.fit(data, columns).points(data)
    coded = MDAV(k=5).groups(data, columns, Context()).labels
    assert points.shape[1] > 400
    assert within_groups(points, coded) == pytest.approx(
        within_groups(points, mdav_labels(points, 5)), rel=0.01
    )
