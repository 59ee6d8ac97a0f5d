"""The class divergence as an added term in other clusterings: MDAV and Mondrian (§8)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.kernels.class_restricted_mdav import class_restricted_mdav_labels
from discreet.kernels.divergence import jensen_shannon
from discreet.microaggregation.partition.class_restricted_mdav import ClassRestrictedMDAV
from discreet.microaggregation.partition.class_restricted_mondrian import ClassRestrictedMondrian
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microaggregation.partition.mondrian import Mondrian
from discreet.microdata import Microdata

Partitions = type[ClassRestrictedMDAV] | type[ClassRestrictedMondrian]
BOTH = pytest.mark.parametrize("partition", [ClassRestrictedMDAV, ClassRestrictedMondrian])
COLUMNS = ["size", "pay", "town"]


def people(seed: int, rows: int, count: int = 3) -> Microdata:
    """Classes that hang together with pay."""
    rng = np.random.default_rng(seed)
    pay = rng.normal(size=rows)
    ill = np.clip((pay + rng.normal(size=rows) + 1.5).astype(int), 0, count - 1)
    return discreet.read(
        {
            "size": rng.normal(size=rows),
            "pay": pay,
            "town": [("Ayle", "Bron", "Cull")[i] for i in rng.integers(0, 3, rows)],
            "ill": [f"c{i}" for i in ill],
        },
        roles={**dict.fromkeys(COLUMNS, "quasi-identifier"), "ill": "confidential"},
    )


def slow_mdav(
    points: NDArray[np.float64], classes: NDArray[np.int64], k: int, alpha: float
) -> list[int]:
    """Algorithm 1.1, but records join one by one, each compared anew."""
    shares = np.bincount(classes) / len(classes)
    left, labels, label = list(range(len(points))), [-1] * len(points), 0

    def grid(value: float) -> float:
        return round(value * 2**40) / 2**40

    def length(i: int, centre: NDArray[np.float64]) -> float:
        return float(np.sqrt(((points[i] - centre) ** 2).sum() / points.shape[1]))

    while len(left) >= 2 * k:
        centre = points[left].mean(axis=0)
        for _ in range(2 if len(left) >= 3 * k else 1):
            seed = max(left, key=lambda i: (length(i, centre), -i))
            centre = points[seed]
            group = [seed]
            left.remove(seed)
            while len(group) < k:
                ranked = []
                for v in left:
                    counts = np.bincount(classes[[*group, v]], minlength=len(shares))
                    term = (1 - alpha) * jensen_shannon(counts, len(group) + 1, shares)
                    ranked.append((grid(alpha * grid(length(v, centre))) + grid(term), v))
                group.append(min(ranked)[1])
                left.remove(group[-1])
            for record in group:
                labels[record] = label
            label += 1
    return [label if found < 0 else found for found in labels]


@pytest.mark.parametrize("seed", range(30))
def test_mdav_against_its_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 40)), int(rng.integers(2, 5))
    points = rng.random((n, 3))
    if seed % 3 == 0:
        points = np.rint(4 * points) / 4
    classes = np.unique(rng.integers(0, int(rng.integers(1, 6)), n), return_inverse=True)[1]
    alpha = float(rng.choice([0.0, 0.3, 0.5, 1.0]))
    expected = slow_mdav(points, classes, k, alpha)
    assert class_restricted_mdav_labels(points, 3, classes, k, alpha).tolist() == expected


def test_alpha_1_is_mdav_and_mondrian() -> None:
    for seed in range(5):
        data = people(seed, 103)
        plain = MDAV(k=4, scaling="range").groups(data, COLUMNS[:2], Context())
        restricted = ClassRestrictedMDAV(k=4, alpha=1.0).groups(data, COLUMNS[:2], Context())
        assert np.array_equal(plain.labels, restricted.labels)
        cut = Mondrian(k=4).groups(data, COLUMNS, Context())
        kept = ClassRestrictedMondrian(k=4, alpha=1.0).groups(data, COLUMNS, Context())
        assert np.array_equal(cut.labels, kept.labels)


@BOTH
def test_classes_are_mixed_better_than_without_them(partition: Partitions) -> None:
    data = people(1, 600)
    plain, half, none = (
        partition(k=5, alpha=alpha).groups(data, COLUMNS, Context()) for alpha in (1.0, 0.5, 0.0)
    )
    assert min(groups.sizes.min() for groups in (plain, half, none)) >= 5
    for groups in (half, none):
        assert groups.detail["weighted JSD"] < plain.detail["weighted JSD"]


def test_mondrian_takes_the_column_by_width_and_divergence() -> None:
    """The first cut, worked out by hand for both columns."""
    data = discreet.read(
        {"age": [1, 2, 3, 4], "size": [1, 4, 2, 4.5], "ill": list("yynn")},
        roles={"age": "quasi-identifier", "size": "quasi-identifier", "ill": "confidential"},
    )
    # age: width 1, parts yy and nn, so JSD rises from 0 to 0.3113; size: width 1, parts yn and yn.
    by_size = ClassRestrictedMondrian(k=2).groups(data, ["age", "size"], Context())
    assert by_size.detail["cuts per column"] == {"age": 0, "size": 1}
    assert by_size.detail["weighted JSD"] == 0.0
    by_age = Mondrian(k=2).groups(data, ["age", "size"], Context())
    assert by_age.detail["cuts per column"] == {"age": 1, "size": 0}


@BOTH
def test_what_is_said_and_refused(partition: Partitions) -> None:
    data = people(2, 60)
    said = partition(k=4).groups(data, COLUMNS, Context()).detail
    assert said["classes"] == 3
    assert said["least class count"] == 1
    assert "a class has one record only" in said["warning"]
    with pytest.raises(DataError, match=f"{partition.__name__} with k = 61 needs at least 61"):
        partition(k=61).groups(data, COLUMNS, Context())
    with pytest.raises(UsageError, match="'pay' is continuous; cut it at its quantiles"):
        partition(k=4, confidential=("pay",)).groups(data, ["size"], Context())
    with pytest.raises(UsageError, match="cannot group by 'ill' and spread its classes"):
        partition(k=4).groups(data, ["ill"], Context())
    with pytest.raises(UsageError, match="needs a confidential column"):
        partition(k=4).groups(data.drop(["ill"]), COLUMNS, Context())


def test_one_class_restricts_nothing() -> None:
    data = people(3, 50, count=1)
    plain = MDAV(k=4, scaling="range").groups(data, COLUMNS[:2], Context())
    groups = ClassRestrictedMDAV(k=4).groups(data, COLUMNS[:2], Context())
    assert np.array_equal(groups.labels, plain.labels)
    assert groups.detail["note"].startswith("all records are of one class")
