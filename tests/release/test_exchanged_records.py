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
from discreet.exploring.worker import EXCHANGED, run_trial
from discreet.release.exchanged_records import only_exchanged

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
    assert "only in each other's places" in str(verdict)


def test_the_search_does_not_take_it_for_a_release(exchanging: Task) -> None:
    trial = run_trial(people(), exchanging, 1, ["distance-linkage"])
    assert not trial.scores
    assert trial.reason == EXCHANGED


def test_columns_that_stay_with_the_person_make_it_another_file() -> None:
    data = people(pay="confidential")
    swapping = {"targeted-record-swapping": {"rate": 1.0}}
    release = discreet.protect(data, swapping, seed=1)
    assert not only_exchanged(data, release.data, release.pairing)


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
