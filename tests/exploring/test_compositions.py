"""Mixed files: methods for some kinds of columns are tried with a partner for the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts.registry import build, find
from discreet.exploring.candidates import Axis, Candidate, from_registry
from discreet.exploring.compositions import for_kinds
from discreet.exploring.point import Point


@pytest.fixture(scope="module")
def mixed() -> Microdata:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 90, 150).astype(float)
    frame = {
        "age": age,
        "height": 180 - 0.2 * age + rng.normal(0, 7, 150),
        "town": rng.choice(["Ayle", "Bron", "Cull"], 150),
        "grade": rng.choice(["low", "mid", "top"], 150),
        "sick": age > 60,
    }
    roles = dict.fromkeys(["age", "height", "town", "grade"], "quasi-identifier")
    kinds: dict[str, Any] = {"grade": ["low", "mid", "top"]}
    return discreet.read(frame, roles={**roles, "sick": "confidential"}, kinds=kinds)


def composed(data: Microdata, *names: str) -> list[Candidate]:
    return for_kinds(from_registry(names or None), data)


def test_numbers_and_categories_are_protected_together(mixed: Microdata) -> None:
    (candidate,) = composed(mixed, "moment-preserving-noise")
    first, second = candidate.at(0.2)
    assert first == {"moment-preserving-noise": {"columns": ["age", "height"], "c": 0.2}}
    assert second["pram"]["columns"] == ["town", "grade"]
    released = discreet.protect(mixed, list(candidate.at(2.0)), seed=1, shuffle=False).data
    assert all((released[n] != mixed[n]).any() for n in mixed.quasi_identifiers)


def test_a_method_for_all_but_nominal_columns_leaves_only_those(mixed: Microdata) -> None:
    (candidate,) = composed(mixed, "individual-ranking")
    first, second = candidate.at(5)
    assert first["individual-ranking"]["columns"] == ["age", "height", "grade"]
    assert second["pram"]["columns"] == ["town"]


def test_a_method_for_categories_comes_after_noise_for_numbers(mixed: Microdata) -> None:
    (candidate,) = composed(mixed, "local-suppression")
    assert [next(iter(step)) for step in candidate.steps] == ["additive-noise", "local-suppression"]
    assert candidate.axis is not None
    assert candidate.axis.name == "k"


def test_both_grow_stronger_together(mixed: Microdata) -> None:
    (candidate,) = composed(mixed, "moment-preserving-noise")
    axis = candidate.axis
    assert axis is not None
    stays = [candidate.at(value)[1]["pram"]["stay"] for value in axis.values]
    declared = find("method", "pram").params()["stay"].trials
    assert (stays[0], stays[-1]) == (declared[0], declared[-1])
    assert stays == sorted(stays, reverse=True)
    # Between two values that were declared, the partner is between as well.
    between = candidate.at((axis.values[1] + axis.values[2]) / 2)[1]["pram"]["stay"]
    assert stays[1] > between > stays[2]


def test_whole_numbers_stay_whole() -> None:
    partner = Axis((1, "local-suppression", "k"), (3, 4, 10))
    steps: tuple[dict[str, Any], ...] = ({"additive-noise": {}}, {"local-suppression": {}})
    candidate = Candidate(steps, Axis((0, "additive-noise", "alpha"), (0.1, 0.5), partner=partner))
    assert [candidate.at(v)[1]["local-suppression"]["k"] for v in (0.1, 0.3, 0.4, 0.5)] == [
        3,
        4,
        7,
        10,
    ]


def test_no_pair_is_tried_twice_and_what_treats_all_stands_alone(mixed: Microdata) -> None:
    found = composed(mixed)
    assert len({candidate.label for candidate in found}) == len(found)
    alone = {next(iter(c.steps[0])) for c in found if len(c.steps) == 1}
    assert {"microaggregation", "rank-swapping"} <= alone
    assert "additive-noise" not in alone
    pairs = [c for c in found if len(c.steps) == 2]
    assert len(pairs) < len(from_registry())
    for candidate in pairs:
        for value in candidate.axis.values if candidate.axis else (None,):
            for step in candidate.at(value):
                build("method", step)


def test_files_of_one_kind_are_as_before(mixed: Microdata) -> None:
    numbers = Microdata(mixed.drop(["town", "grade"]))
    composed, plain = for_kinds(from_registry(), numbers), from_registry()
    assert sorted(c.label for c in composed) == sorted(c.label for c in plain)


def test_the_first_form_of_every_method_comes_before_the_second_of_any(mixed: Microdata) -> None:
    names = [
        next(iter(c.steps[0])) for c in for_kinds(from_registry(), mixed.drop(["town", "grade"]))
    ]
    first_repeated = next(i for i, name in enumerate(names) if name in names[:i])
    assert set(names[first_repeated:]) < set(names[:first_repeated])


def test_the_setting_names_both_strengths(mixed: Microdata) -> None:
    (candidate,) = composed(mixed, "moment-preserving-noise")
    assert Point(candidate, 0.01, ()).label == (
        "moment-preserving-noise (columns age, height) + pram (columns town, grade), c = 0.01, "
        "stay = 0.95"
    )


def test_many_columns_are_not_all_named() -> None:
    label = Candidate(({"pram": {"columns": ["a", "b", "c", "d"]}},)).label
    assert label == "pram (columns a and 3 more)"


@pytest.mark.usefixtures("trials_in_process")
def test_a_search_on_a_mixed_file_measures_the_pair(mixed: Microdata) -> None:
    found = discreet.explore(
        mixed, {"distance-linkage": 0.9}, ["marginals"], methods=["additive-noise"], cores=1,
        seed=1, repeats=1, every=False,
    )  # fmt: skip
    assert found.recommended is not None
    assert all(point.scores for point in found.points)
    assert all(len(point.steps) == 2 for point in found.points)
