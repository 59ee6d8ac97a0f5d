"""What only the owner can check: each false claim is found, and a true one is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bench.campaign.counting import SeenColumn
from bench.campaign.faults import Fault
from bench.campaign.owning import Owned, check_owned, plain

QI, OTHER = "quasi-identifier", "other"


def release(
    original: Mapping[str, Sequence[Any]],
    released: Mapping[str, Sequence[Any]],
    roles: Mapping[str, str],
    claims: Mapping[str, float],
    **more: Any,
) -> Owned:
    kinds = {
        name: "nominal" if isinstance(values[0], str) else "continuous"
        for name, values in released.items()
    }
    known: dict[str, Any] = {
        "original": {name: [plain(v) for v in values] for name, values in original.items()},
        "roles": roles,
        "methods": frozenset({"microaggregation"}),
        "seen": {
            name: SeenColumn(roles[name], kinds[name], values, values)
            for name, values in released.items()
        },
        "origin": list(range(len(next(iter(released.values()))))),
        "groups": None,
        "drawn": frozenset(),
        "shuffled": True,
        "claims": claims,
    }
    return Owned(**{**known, **more})


AGES: dict[str, list[Any]] = {"age": [20, 22, 40, 44], "ill": ["a", "b", "a", "a"]}
MEANS: dict[str, list[Any]] = {"age": [21, 21, 42, 42], "ill": ["a", "b", "a", "a"]}
ROLES = {"age": QI, "ill": "confidential"}


def test_linkage_is_counted_by_hand() -> None:
    # Each mean is as far from both originals of its group.
    check_owned(release(AGES, MEANS, ROLES, {"distance-linkage": 0.5}))
    with pytest.raises(Fault, match="distance-linkage"):
        check_owned(release(AGES, MEANS, ROLES, {"distance-linkage": 0.25}))


def test_records_of_one_class_are_counted_by_hand() -> None:
    check_owned(release(AGES, MEANS, ROLES, {"homogeneous-share": 0.5}))
    with pytest.raises(Fault, match="homogeneous-share"):
        check_owned(release(AGES, MEANS, ROLES, {"homogeneous-share": 0.0}))
    grouped = release(AGES, MEANS, ROLES, {"homogeneous-share": 0.0}, groups=[0, 0, 0, 0])
    check_owned(grouped)


def test_classes_of_numbers_may_hold_several_values() -> None:
    paid = {"age": [21, 21, 42, 42], "ill": [1, 2, 8, 9]}
    check_owned(release(paid, paid, ROLES, {"homogeneous-share": 1.0}))
    alike = {**paid, "ill": [1, 1, 8, 9]}
    with pytest.raises(Fault, match="homogeneous-share"):
        check_owned(release(alike, alike, ROLES, {"homogeneous-share": 0.25}))


def test_what_differs_within_a_group_must_have_been_drawn() -> None:
    claims = {"probabilistic-k-anonymity": 2.0}
    drawn: dict[str, list[Any]] = {"age": [23, 19, 43, 41], "ill": ["a", "a", "b", "b"]}
    sound = release(AGES, drawn, ROLES, claims, groups=[0, 0, 1, 1], drawn=frozenset({"age"}))
    check_owned(sound)
    with pytest.raises(Fault, match="not drawn differs"):
        check_owned(replace(sound, drawn=frozenset({"ill"})))
    with pytest.raises(Fault, match="without a shuffle"):
        check_owned(replace(sound, shuffled=False))
    # Of four records this is chance; of thirty it is not.
    check_owned(replace(sound, original={"age": [plain(v) for v in drawn["age"]]}))
    ages: dict[str, list[Any]] = {"age": list(range(30))}
    kept = release(
        ages,
        ages,
        {"age": QI},
        claims,
        groups=[i // 2 for i in range(30)],
        drawn=frozenset({"age"}),
    )
    with pytest.raises(Fault, match="is as it was"):
        check_owned(replace(kept, groups=[i // 3 for i in range(30)]))
    check_owned(kept)
    with pytest.raises(Fault, match="probabilistic-k-anonymity"):
        check_owned(replace(sound, claims={"probabilistic-k-anonymity": 3.0}))


def test_a_copy_of_a_changed_column_is_found() -> None:
    age, born = [30] * 50 + [40] * 50, [1996] * 50 + [1986] * 50
    roles = {"age": QI, "born": OTHER}
    original, released = {"age": age, "born": born}, {"age": [35] * 100, "born": born}
    with pytest.raises(Fault, match="gives back"):
        check_owned(release(original, released, roles, {}))
    check_owned(release(original, original, roles, {}))
    check_owned(release(original, {**released, "born": [1990] * 100}, roles, {}))


def test_a_blank_is_no_value_that_could_be_given_back() -> None:
    told, copied = ["a"] * 60 + [""] * 60, ["x"] * 60 + ["y"] * 60
    released = {"told": ["a"] * 120, "copied": copied}
    check_owned(
        release({"told": told, "copied": copied}, released, {"told": QI, "copied": OTHER}, {})
    )


def test_epsilon_adds_up_and_no_column_is_left_without_noise() -> None:
    ages: dict[str, list[Any]] = {"age": list(range(20, 32)), "ill": ["a", "b"] * 6}
    noisy: dict[str, list[Any]] = {"age": [25] * 6 + [30] * 6, "ill": ["a"] * 12}
    spent = {"spent": Fraction(3, 10)}
    claims = {"differential-privacy": 0.3}
    check_owned(release(ages, noisy, ROLES, claims, **spent))
    with pytest.raises(Fault, match="differential-privacy"):
        check_owned(release(ages, noisy, ROLES, {"differential-privacy": 0.2}, **spent))
    with pytest.raises(Fault, match="released as it was"):
        check_owned(release(ages, {**noisy, "age": ages["age"]}, ROLES, claims, **spent))
