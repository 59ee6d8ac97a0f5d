"""Groups of one confidential class, by hand and on the file of the paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"
SHARE: Any = build("measure", "homogeneous-share")


def read(age: list[Any], **columns: list[Any]) -> discreet.Microdata:
    return discreet.read(
        {"age": age, **columns}, roles={"age": QI, **dict.fromkeys(columns, "confidential")}
    )


def test_a_small_table_by_hand() -> None:
    data = read([1, 1, 2, 2, 2, 2, 3], ill=["a", "a", "a", "b", "b", "b", "b"])
    score = SHARE.score(data, data, Context())
    assert score.value == pytest.approx(3 / 7)
    assert score.per_record.tolist() == [1, 1, 0, 0, 0, 0, 1]
    found = score.detail["columns"]["ill"]
    assert found["homogeneous groups"] == 2
    assert found["least class count in a group"] == 1
    # The one "a" among three "b"; the record that is alone altogether is no case of it.
    assert found["records alone with their class"] == 1
    assert "one record only" in score.note


def test_no_warning_where_every_class_has_company() -> None:
    data = read([1] * 4, ill=["a", "a", "b", "b"])
    score = SHARE.score(data, data, Context())
    assert score.value == 0
    assert score.detail["columns"]["ill"]["least class count in a group"] == 2
    assert "one record only" not in score.note


@LAW
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["a", "b", None])), min_size=1, max_size=30
    )
)
def test_the_twin_agrees(rows: list[tuple[int, str | None]]) -> None:
    data = discreet.read(
        {"age": [a for a, _ in rows], "ill": [b for _, b in rows]},
        roles={"age": QI, "ill": "confidential"},
        kinds={"ill": "nominal"},
    )
    alike = [len({b for other, b in rows if other == a}) == 1 for a, _ in rows]
    score = SHARE.score(data, data, Context())
    assert score.per_record.tolist() == [float(same) for same in alike]
    assert score.value == pytest.approx(np.mean(alike))


def test_the_worst_column_counts() -> None:
    data = read([1, 1, 2, 2], ill=["a", "b", "a", "b"], job=["x", "x", "x", "y"])
    score = SHARE.score(data, data, Context())
    assert score.value == 0.5
    assert score.per_record.tolist() == [1, 1, 0, 0]
    assert score.detail["columns"]["ill"]["share"] == 0


def test_numbers_are_cut_into_classes() -> None:
    data = read([1, 1, 2, 2], pay=[1.0, 2.0, 2.0, 9.0])
    # Halves: 1, 2, 2 and 9.
    assert SHARE.score(data, data, Context()).per_record.tolist() == [1, 1, 0, 0]
    thirds = build("measure", {"homogeneous-share": {"classes": 4}})
    assert thirds.score(data, data, Context()).value == 0  # type: ignore[attr-defined]


def test_groups_of_the_method_where_values_are_perturbed() -> None:
    original = read([1, 2, 3, 4], ill=["a", "a", "a", "b"])
    order = np.array([2, 0, 3, 1])
    released = read([1.1, 2.2, 3.3, 4.4], ill=["a", "a", "a", "b"]).take(order)
    pairing = Pairing(order, Groups(np.array([0, 0, 1, 1])))
    score = SHARE.score(original, released, Context(), pairing)
    assert score.per_record.tolist() == [0, 1, 0, 1]
    assert SHARE.score(original, released, Context(), Pairing(order)).value == 1.0


def test_diabetes_by_traditional_microaggregation(reference_data: Path) -> None:
    # §7: with groups of five or more, 163 of 768 records (21.2 %) were in homogeneous groups;
    # drawn at random, groups of five would have 0.651⁵ + 0.349⁵, which is 12 %.
    path = reference_data / "pima_diabetes.csv"
    names = discreet.read(path).schema.names
    roles = {**dict.fromkeys(names[:-1], QI), names[-1]: "confidential"}
    data = discreet.read(path, roles=roles, kinds={names[-1]: "nominal"})
    tree = build("partition", {"mst": {"k": 5, "scaling": "range"}})
    release = discreet.protect(data, discreet.Microaggregation(tree), seed=1)
    score = SHARE.score(data, release.data, Context(), release.pairing)
    assert 0.16 < score.value < 0.30


def test_most_records_at_the_largest_number_are_not_one_class() -> None:
    hours = read([30, 30, 30, 41, 41, 41, 41], hours=[20, 38, 38, 38, 38, 38, 38])
    assert SHARE.score(hours, hours, Context()).value == pytest.approx(4 / 7)


def test_every_member_of_a_household_is_exposed_though_its_value_counts_once() -> None:
    roles = {"age": "quasi-identifier", "home": "household", "ill": "confidential"}
    columns = {"age": [30, 30, 30, 41, 41], "home": [1, 1, 2, 3, 4], "ill": list("yyyyn")}
    data = discreet.read(columns, roles=roles)
    score = SHARE.score(data, data, Context())
    assert score.value == pytest.approx(3 / 5)
    assert score.value == score.per_record.mean()
