"""The class divergence as an added term in other clusterings: MDAV and Mondrian (§8)."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
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
