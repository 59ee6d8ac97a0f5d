"""Whole records that only changed places are no protection, whatever method did it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Masked, Method, Pairing, Spec
from discreet.contracts.registry import forget, register
from discreet.exploring.trial import Task
from discreet.exploring.worker import EXCHANGED, EXCHANGED_KEYS, run_trial
from discreet.release.exchanged_records import exchanged_keys, only_exchanged
from discreet.release.figures import percent

QI = "quasi-identifier"


def people(**roles: str) -> discreet.Microdata:
    draw = np.random.default_rng(5)
    values = {
        "age": draw.integers(18, 90, 80).astype(float),
        "town": draw.choice(list("abc"), 80),
        "pay": draw.normal(size=80),
    }
    return discreet.read(values, roles=dict.fromkeys(values, QI) | roles)


class Exchanging(Method):
    """Gives every record the place of the next one: no method of ours does that."""

    spec: ClassVar[Spec] = Spec("exchanging", "Exchanging", "a test", "moves with its record")

    def protect(self, data: discreet.Microdata, context: Context) -> Masked:
        next_one = np.roll(np.arange(len(data)), 1)
        names = self.treated(data, None)
        columns = (data.column(name).with_values(data[name][next_one]) for name in names)
        return Masked(data.replace(columns))


@pytest.fixture
def exchanging() -> Iterator[Task]:
    register(Exchanging)
    yield Task(({"exchanging": {}},))
    forget(Exchanging)


def test_swapping_every_column_is_no_protection() -> None:
    data = people()
    release = discreet.protect(data, Exchanging(), seed=1)
    assert only_exchanged(data, release.data, release.pairing)
    verdict = discreet.assess(data, release, ["k-anonymity"]).verdict
    assert verdict.light.value == "amber"
    assert "only exchanged with one another" in str(verdict)


def test_the_search_does_not_take_it_for_a_release(exchanging: Task) -> None:
    trial = run_trial(people(), exchanging, 1, ["distance-linkage"])
    assert not trial.scores
    assert trial.reason == EXCHANGED


def test_columns_that_stay_with_the_person_make_it_another_file() -> None:
    data = people(pay="confidential")
    release = discreet.protect(data, Exchanging(), seed=1)
    assert not only_exchanged(data, release.data, release.pairing)


def test_people_can_be_found_by_quasi_identifiers_that_stand_in_another_record(
    exchanging: Task,
) -> None:
    data = people(pay="confidential")
    release = discreet.protect(data, Exchanging(), seed=1)
    names = ("age", "town")
    before = list(zip(*(data[name].tolist() for name in names), strict=True))
    after = list(zip(*(release.data[name].tolist() for name in names), strict=True))
    own = [before[row] for row in release.origin]
    stays = {key for key, mine in zip(after, own, strict=True) if key == mine}
    found = [
        all(a != b for a, b in zip(key, mine, strict=True))
        and before.count(key) == after.count(key) == 1
        and key not in stays
        for key, mine in zip(after, own, strict=True)
    ]
    share = exchanged_keys(data, release.data, release.pairing)
    # A few would be found by chance.
    assert 0.1 < share <= np.mean(found)
    verdict = discreet.assess(data, release, ["distance-linkage"]).verdict
    said = f"{percent(share)} of the records carry all quasi-identifiers of another person"
    assert said in str(verdict)
    trial = run_trial(data, exchanging, 1, ["distance-linkage"])
    assert trial.reason == EXCHANGED_KEYS


def test_keys_that_nobody_else_had_or_many_have_are_not_exchanged() -> None:
    data = people(pay="confidential")
    for method in (
        discreet.RankSwapping(p=20, columns=["age"]),
        discreet.Microaggregation(discreet.partition.MDAV(k=3)),
        discreet.AdditiveNoise(columns=["age"]),
    ):
        release = discreet.protect(data, method, seed=1)
        assert exchanged_keys(data, release.data, release.pairing) < 0.1
    one = people(pay="confidential", town="other")
    swapped = discreet.protect(one, discreet.RankSwapping(p=50, columns=["age"]), seed=1)
    assert exchanged_keys(one, swapped.data, swapped.pairing) == 0, "a single quasi-identifier"
    assert exchanged_keys(data, data, Pairing.same_order(80)) == 0
    assert exchanged_keys(data, data, None) == 0


def test_keys_that_meet_by_chance_are_not_exchanged() -> None:
    # Ninety of 111 combinations occur: most that two columns form anew are somebody's.
    rows = np.arange(90)
    table = {"age": rows % 37, "town": np.array(list("abc"))[rows % 3], "pay": rows * 1.5}
    data = discreet.read(
        {name: values.tolist() for name, values in table.items()},
        roles={"quasi-identifier": ["age", "town"], "confidential": ["pay"]},
    )
    swapping = discreet.RankSwapping(p=50, columns=["age"])
    pram = discreet.PRAM(columns=["town"], stay=0.1)
    for seed in range(20):
        release = discreet.protect(data, [swapping, pram], seed=seed)
        assert exchanged_keys(data, release.data, release.pairing) < 0.1
    whole = discreet.protect(data, Exchanging(), seed=1)
    assert exchanged_keys(data, whole.data, whole.pairing) > 0.1


@pytest.mark.parametrize("method", [discreet.RankSwapping(p=20, columns=["age", "pay"])])
def test_swapping_column_by_column_is_another_file(method: discreet.Method) -> None:
    data = people()
    release = discreet.protect(data, method, seed=1)
    assert not only_exchanged(data, release.data, release.pairing)


def test_what_was_left_as_it_was_is_not_exchanged() -> None:
    data = people()
    assert not only_exchanged(data, data, Pairing.same_order(80))
    assert not only_exchanged(data, data.take(np.arange(5)), Pairing.same_order(5))
    assert not only_exchanged(data, data.take(np.arange(80)[::-1]), None)
