"""Releases subtracted from each other, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Target
from discreet.errors import NotApplicable
from discreet.measures.attack.release_differences import ReleaseDifferences
from discreet.microdata import Microdata

ROLES = {"age": "quasi-identifier", "ill": "confidential"}


def table(*records: tuple[str, str | None]) -> Microdata:
    age, ill = zip(*records, strict=True)
    return discreet.read({"age": list(age), "ill": list(ill)}, roles=ROLES)


BEFORE = table(("30s", "flu"), ("30s", "flu"), ("30s", "gout"), ("40s", "gout"), ("40s", "cold"))


def attempt(*releases: Microdata) -> discreet.contracts.Outcome:
    *earlier, now = releases
    target = Target(now, now, Pairing.same_order(len(now)), earlier=tuple(earlier))
    return ReleaseDifferences().attempt(target, Context())


def test_whoever_joined_is_what_a_class_has_more_of() -> None:
    now = table(*[("30s", i) for i in ("flu", "flu", "gout", "gout", "cold")], ("40s", "cold"))
    outcome = attempt(BEFORE, now)
    # In the thirties a gout and a cold came: either is guessed once in two. In the forties one
    # with gout left: certain.
    assert outcome.detail["joined or left"] == 3
    assert outcome.success == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert outcome.certain == pytest.approx(1 / 3)
    assert outcome.per_record is not None
    assert outcome.per_record.tolist() == [0, 0, 0.25, 0.25, 0.5, 0]


def test_classes_that_only_one_release_has_are_left_out_and_counted() -> None:
    outcome = attempt(
        BEFORE, table(("30s", "flu"), ("30s", "flu"), ("30s", "gout"), ("50s", "flu"))
    )
    assert outcome.detail["joined or left"] == 0
    assert (outcome.success, outcome.blind) == (0.0, 0.0)
    assert "25 % of the records" in outcome.note


def test_every_step_between_several_releases_counts() -> None:
    second = table(("30s", "flu"), ("30s", "flu"), ("30s", "gout"), ("30s", "cold"))
    third = table(("30s", "flu"), ("30s", "gout"), ("30s", "cold"))
    outcome = attempt(BEFORE.take(np.arange(3)), second, third)
    assert outcome.detail["joined or left"] == 2
    assert outcome.certain == 1.0


def test_a_missing_value_is_a_value() -> None:
    outcome = attempt(
        BEFORE.take(np.arange(3)), table(*[("30s", i) for i in ("flu", "flu", "gout", None)])
    )
    assert (outcome.success, outcome.certain) == (1.0, 1.0)


def test_what_it_needs() -> None:
    with pytest.raises(NotApplicable, match="no earlier release"):
        attempt(BEFORE)
    with pytest.raises(NotApplicable, match="in all"):
        ReleaseDifferences().attempt(
            Target(BEFORE, BEFORE, earlier=(BEFORE.drop(["ill"]),)), Context()
        )


def panel(stay: float, draw: np.random.Generator) -> tuple[Microdata, Microdata, np.ndarray]:
    """Two releases of 400 people each, of whom a share is in both, and who is new in the second."""
    ages = draw.choice(["30s", "40s", "50s", "60s"], 800)
    ill = draw.choice(list("abcdefgh"), 800)
    people = discreet.read({"age": ages, "ill": ill}, roles=ROLES)
    kept = round(400 * stay)
    now = np.arange(400 - kept, 800 - kept)
    return people.take(np.arange(400)), people.take(now), now >= 400


@pytest.mark.parametrize("stay", [0.99, 0.9, 0.0])
def test_the_success_is_that_against_people_who_really_joined(stay: float) -> None:
    """A person who joined is told by what the class has more of; judged by who really did."""
    said, true = [], []
    for seed in range(30):
        first, second, joined = panel(stay, np.random.default_rng(seed))
        said.append(attempt(first, second).success)
        age, ill = second.column("age").values, second.column("ill").values
        before = np.zeros((4, 8))
        np.add.at(before, (first.column("age").values, first.column("ill").values), 1)
        after = np.zeros((4, 8))
        np.add.at(after, (age, ill), 1)
        surplus = after - before
        best = surplus[age[joined]].max(axis=1, keepdims=True) == surplus[age[joined]]
        right = best[np.arange(joined.sum()), ill[joined]] / best.sum(axis=1)
        true.append(right.mean())
    assert np.mean(true) - 0.03 < np.mean(said) < np.mean(true) + 0.1


def test_nothing_is_certain_where_everybody_is_new() -> None:
    first, second, _ = panel(0.0, np.random.default_rng(1))
    outcome = attempt(first, second)
    assert outcome.certain == 0.0
    assert outcome.detail["joined or left"] > 300


def test_columns_with_too_many_cells_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.measures.attack.release_differences.MOST_CELLS", 3)
    with pytest.raises(NotApplicable, match="too many classes"):
        attempt(BEFORE, BEFORE)
