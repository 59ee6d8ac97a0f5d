"""Individual ranking: each column is grouped by itself."""

from __future__ import annotations

import numpy as np

import discreet
from discreet import IndividualRanking, Microaggregation, Microdata
from discreet.contracts import Context
from discreet.microaggregation.partition import OptimalUnivariate, Ranking

NAMES = ("a", "b", "c", "d", "e")


def table(rows: int = 30, names: tuple[str, ...] = NAMES) -> Microdata:
    rng = np.random.default_rng(4)
    columns = {name: rng.lognormal(size=rows) for name in names}
    return discreet.read(columns, dict.fromkeys(names, "quasi-identifier"))


def same(one: Microdata, other: Microdata, names: tuple[str, ...] = NAMES) -> bool:
    return all(one.column(name).same_as(other.column(name)) for name in names)


def test_individual_ranking_is_ranking_one_at_a_time() -> None:
    data = table()
    for method, partition in (
        (IndividualRanking(k=4), OptimalUnivariate(k=4)),
        (IndividualRanking(k=4, optimal=False), Ranking(k=4)),
    ):
        masked = method.protect(data, Context())
        each = Microaggregation(partition, attributes_at_a_time=1).protect(data, Context())
        assert same(masked.data, each.data)
        assert masked.claims == ()
    fixed = IndividualRanking(k=4, optimal=False).protect(data, Context()).data
    for name in NAMES:
        values = np.sort(data[name])
        means = [values[i : i + 4].mean() for i in range(0, 24, 4)]
        expected = np.repeat([*means, values[24:].mean()], [4] * 6 + [6])
        np.testing.assert_allclose(np.sort(fixed[name]), expected, rtol=1e-14)


def test_individual_ranking_of_one_quasi_identifier_is_k_anonymous() -> None:
    release = discreet.protect(table(names=("a",)), IndividualRanking(k=4), seed=1)
    assert [claim.bound for claim in release.claims] == [4]
