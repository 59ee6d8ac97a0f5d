"""l-diversity in its three forms, counted by hand and by an obvious twin."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable, UsageError

LAW = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"


def l_diversity(**values: Any) -> Any:
    return build("measure", {"l-diversity": values})


def read(age: list[Any], **columns: list[Any]) -> discreet.Microdata:
    return discreet.read(
        {"age": age, **columns}, roles={"age": QI, **dict.fromkeys(columns, "confidential")}
    )


def test_a_small_table_by_hand() -> None:
    data = read([1, 1, 1, 1, 2, 2, 2], ill=["a", "a", "b", "c", "a", "a", "b"])
    score = l_diversity().score(data, data, Context())
    assert score.value == 2
    assert score.per_record.tolist() == [3, 3, 3, 3, 2, 2, 2]
    # Shares ½ ¼ ¼ have the entropy 1.5 bits; ⅔ ⅓ have 0.918 bits.
    assert score.detail["entropy"] == pytest.approx(2 ** (math.log2(3) - 2 / 3))
    entropy = l_diversity(variant="entropy").score(data, data, Context())
    assert entropy.per_record[0] == pytest.approx(2**1.5)
    # c = 3: 2 < 3·1 for the third value of the first class; 2 < 3·1 for the second of the other.
    recursive = l_diversity(variant="recursive").score(data, data, Context())
    assert recursive.per_record.tolist() == [3, 3, 3, 3, 2, 2, 2]
    # c = 1: 2 < 1 + 1 is false and 2 < 4 true; 2 < 1 is false and 2 < 3 true.
    assert l_diversity(variant="recursive", c=1).score(data, data, Context()).value == 1
    # c = 0.5: 2 < 0.5·4 is false even for l = 1, which always holds by definition.
    assert l_diversity(variant="recursive", c=0.5).score(data, data, Context()).value == 1


def test_equally_frequent_values_have_a_whole_entropy_l() -> None:
    data = read([1] * 3 + [2] * 7, ill=[*"abc", *"abcdefg"])
    score = l_diversity(variant="entropy").score(data, data, Context())
    assert sorted(set(score.per_record)) == [3.0, 7.0]


def _twin(rows: list[tuple[Any, Any]], variant: str, c: float) -> list[float]:
    groups: dict[Any, Counter[Any]] = defaultdict(Counter)
    for age, ill in rows:
        groups[age][ill] += 1
    found = {}
    for age, counts in groups.items():
        r = sorted(counts.values(), reverse=True)
        if variant == "distinct":
            found[age] = float(len(r))
        elif variant == "entropy":
            found[age] = math.exp(-sum(x / sum(r) * math.log(x / sum(r)) for x in r))
        else:
            holding = [k for k in range(1, len(r) + 1) if r[0] < c * sum(r[k - 1 :])]
            found[age] = float(max(holding, default=1))
    return [found[age] for age, _ in rows]


@LAW
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([*"abcde", None])), min_size=1, max_size=40
    ),
    st.sampled_from(["distinct", "entropy", "recursive"]),
    st.sampled_from([0.5, 1.0, 1.5, 3.0, 10.0]),
)
def test_the_twin_agrees(rows: list[tuple[int, str | None]], variant: str, c: float) -> None:
    data = discreet.read(
        {"age": [a for a, _ in rows], "ill": [b for _, b in rows]},
        roles={"age": QI, "ill": "confidential"},
        kinds={"ill": "nominal"},
    )
    score = l_diversity(variant=variant, c=c).score(data, data, Context())
    expected = _twin(rows, variant, c)
    assert score.per_record == pytest.approx(expected)
    assert score.value == pytest.approx(min(expected))


def test_many_classes_and_values_are_counted_by_sorting() -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(0, 900, 3000).astype(float)
    pay = rng.integers(0, 800, 3000).astype(float)
    data = discreet.read({"age": age, "pay": pay}, roles={"age": QI, "pay": "confidential"})
    rows = list(zip(age.tolist(), pay.tolist(), strict=True))
    for variant in ("distinct", "entropy", "recursive"):
        score = l_diversity(variant=variant).score(data, data, Context())
        assert score.per_record == pytest.approx(_twin(rows, variant, 3.0))


@pytest.mark.parametrize("columns", [3, 7, 12])
def test_classes_of_many_columns_are_told_apart(columns: int) -> None:
    # 300³ fits into a number beside the row, 300⁷ only alone, 300¹² not at all.
    rng = np.random.default_rng(columns)
    half = rng.integers(0, 300, (2000, columns)).astype(float)
    values = np.concatenate([half, half])
    ill = ["a"] * 2000 + ["b"] * 1999 + ["a"]
    found: dict[str, Any] = {f"q{j}": values[:, j] for j in range(columns)}
    roles = {**dict.fromkeys(found, QI), "ill": "confidential"}
    data = discreet.read({**found, "ill": ill}, roles=roles)
    score = l_diversity().score(data, data, Context())
    assert score.detail["classes"] == len({tuple(row) for row in half.tolist()})
    assert score.value == 1
    assert (score.per_record[:1999] == 2).all()


def test_the_worst_column_counts_unless_one_is_named() -> None:
    data = read([1, 1, 1], ill=["a", "b", "c"], job=["x", "x", "y"])
    assert l_diversity().score(data, data, Context()).value == 2
    assert l_diversity(confidential="ill").score(data, data, Context()).value == 3
    columns = l_diversity().score(data, data, Context()).detail["columns"]
    assert {name: found["distinct"] for name, found in columns.items()} == {"ill": 3, "job": 2}


def test_a_missing_value_is_a_value_of_its_own() -> None:
    data = read([1, 1, None, None], ill=["a", None, "b", "b"])
    assert l_diversity().score(data, data, Context()).per_record.tolist() == [2, 2, 1, 1]


def test_numbers_are_values_one_by_one() -> None:
    data = read([1, 1, 1, 2, 2, 2], pay=[10.0, 10.0, 10.5, 7.0, 8.0, 9.0])
    assert l_diversity().score(data, data, Context()).per_record.tolist() == [2, 2, 2, 3, 3, 3]


def test_it_looks_at_the_release_and_not_at_private_groups() -> None:
    data = read([1, 2, 3, 4], ill=["a", "b", "a", "b"])
    private = Pairing(np.arange(4), Groups(np.array([0, 0, 1, 1])))
    assert l_diversity().score(data, data, Context(), private).value == 1


def test_a_named_quasi_identifier_is_not_used_against_itself() -> None:
    data = discreet.read({"age": [1, 1, 1], "job": ["a", "b", "b"]}, roles={"age": QI, "job": QI})
    assert l_diversity(confidential="job").score(data, data, Context()).value == 2


def test_where_it_does_not_apply() -> None:
    data = read([1, 2], ill=["a", "b"])
    with pytest.raises(NotApplicable, match="is confidential"):
        l_diversity().score(data, data.drop(["ill"]), Context())
    with pytest.raises(NotApplicable, match="'ill' was not released"):
        l_diversity(confidential="ill").score(data, data.drop(["ill"]), Context())
    with pytest.raises(NotApplicable, match="quasi-identifier"):
        l_diversity().score(data, data.drop(["age"]), Context())
    with pytest.raises(NotApplicable, match="no records"):
        l_diversity().score(data, data.take(np.zeros(0, dtype=np.int64)), Context())
    with pytest.raises(UsageError, match="no column 'il'"):
        l_diversity(confidential="il").score(data, data, Context())


def test_it_can_be_claimed() -> None:
    data = read([21, 22, 40, 41], ill=["a", "b", "a", "b"])
    method = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    release = discreet.protect(data, method, claims={"l-diversity": 2})
    assert {claim.measure: claim.measured for claim in release.claims}["l-diversity"] == 2
    with pytest.raises(discreet.ClaimError, match="l-diversity"):
        discreet.protect(data, method, claims={"l-diversity": 3})
