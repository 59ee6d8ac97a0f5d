"""Synthetic releases are attacked by default, with people whom a second synthesis never saw."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Progress
from discreet.release.second_synthesis import MEASURES, MOST, SecondSynthesis


def _people(rows: int = 400) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(size=rows) for name in "abc"}
    return discreet.read(columns, roles=dict.fromkeys("abc", "quasi-identifier"))


def _release(data: discreet.Microdata, **options: object) -> discreet.Release:
    method = discreet.CartSynthesis(everything=True, leaf=2, **options)
    return discreet.protect(data, method, seed=1, progress=Progress())


def test_membership_and_nearest_records_are_measured_by_default() -> None:
    data = _people()
    found = discreet.assess(data, _release(data, smoothing=False), progress=Progress()).risk
    for name in MEASURES:
        # Numbers of originals are released: that must show.
        assert found[name].value > 0.6
        assert "second synthesis, from 200 records with 200 held back" in found[name].note


def test_the_second_synthesis_is_of_other_people_than_its_control() -> None:
    data = _people()
    second = SecondSynthesis.of(_release(data), Context())
    assert second is not None
    assert not set(second.used["a"]) & set(second.control["a"])
    assert set(second.used["a"]) | set(second.control["a"]) == set(data["a"])


def test_a_large_file_is_not_synthesised_whole_again() -> None:
    data = _people(3 * MOST)
    release = discreet.protect(data, discreet.GaussianCopula(), seed=1, progress=Progress())
    second = SecondSynthesis.of(release, Context())
    assert second is not None
    assert len(second.used) == len(second.control) == MOST // 2


@pytest.mark.parametrize("case", ["masked", "held back", "few"])
def test_no_second_synthesis_where_it_says_nothing(case: str) -> None:
    data = _people(100 if case == "few" else 400)
    method = discreet.CartSynthesis(everything=case != "masked", leaf=2)
    hold_back = 0.25 if case == "held back" else None
    release = discreet.protect(data, method, seed=1, hold_back=hold_back, progress=Progress())
    assert SecondSynthesis.of(release, Context()) is None


def test_measures_asked_for_are_the_only_ones() -> None:
    data = _people()
    found = discreet.assess(data, _release(data), ["marginals"], progress=Progress())
    assert [row.spec.name for row in found.rows] == ["marginals"]
