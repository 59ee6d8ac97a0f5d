"""Consistent households: totals, sizes and counts go with the members as released."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.release.release import Release

QI = "quasi-identifier"


def families(**roles: str) -> Microdata:
    """Households of one to four, in which those under 15 have no pay, with what follows."""
    rng = np.random.default_rng(3)
    home = rng.permutation(np.repeat(np.arange(150), rng.integers(1, 5, 150)))
    frame = pd.DataFrame({"hid": home, "age": rng.integers(0, 90, len(home)).astype(float)})
    frame["pay"] = np.where(frame.age < 15, np.nan, rng.integers(5, 90, len(home)) * 100.0)
    homes = frame.groupby("hid")
    frame["size"] = homes.hid.transform("size")
    frame["total"] = homes.pay.transform("sum")
    frame["oldest"] = homes.age.transform("max")
    return discreet.read(frame, roles={"hid": "household"} | roles, kinds={"size": "continuous"})


def protect(data: Microdata, step: Any, **options: Any) -> Release:
    return discreet.protect(data, step, seed=1, allow=None, **options)


def made_of_members(released: Microdata) -> dict[str, bool]:
    """Return whether the total, the oldest and the size are those of the members, by hand."""
    frame = released.frame()
    homes = frame.groupby("hid")
    frame["total"], earning = frame.total.fillna(0), homes.pay.transform("count") > 0
    return {
        "total": bool(np.allclose(frame.total, homes.pay.transform("sum").where(earning, 0))),
        "oldest": bool((frame.oldest == homes.age.transform("max")).all()),
        "size": bool((frame["size"] == homes.hid.transform("size")).all()),
    }


@pytest.mark.parametrize("step", ["additive-noise", "bootstrap", "rank-swapping"])
def test_a_total_that_passes_over_members_without_a_value_follows_too(step: str) -> None:
    release = protect(families(age=QI, pay=QI, size=QI), step)
    assert made_of_members(release.data) == {"total": True, "oldest": True, "size": True}


def test_a_household_with_a_member_drawn_twice_is_another_household() -> None:
    release = protect(families(age=QI), "bootstrap")
    assert made_of_members(release.data) == {"total": True, "oldest": True, "size": True}


def test_a_value_suppressed_since_takes_the_total_with_it() -> None:
    data = families(pay=QI)
    cell = {"microaggregation": {"partition": {"mdav": {"k": 3}}, "replacement": "range"}}
    released = protect(data, cell, shuffle=False).data
    assert released.column("total").missing.all()
    assert not released.column("oldest").missing.any()


def test_what_would_be_exact_beside_intervals_is_suppressed_and_told() -> None:
    release = protect(families(age=QI), {"global-recoding": {"k": 10}})
    assert release.data.column("oldest").missing.all()
    assert any(
        note.startswith("'oldest' is suppressed: it is the largest") for note in release.notes
    )


@pytest.mark.parametrize("column", ["total", "size"])
def test_treating_what_can_be_computed_is_told(column: str) -> None:
    release = protect(families(**{column: QI}), {"rounding": {"base": 7}})
    assert any(note.startswith(f"'{column}' was treated, but it is") for note in release.notes)


def test_a_sample_keeps_what_was_true_of_the_household() -> None:
    data = families(size=QI)
    release = protect(data, {"sampling": {"fraction": 0.5}})
    assert np.array_equal(release.data["size"], data["size"][release.origin])


def test_whole_households_may_have_an_oldest_member_among_what_is_claimed() -> None:
    data = families(age=QI, oldest=QI)
    frame = data.frame().drop(columns=["pay", "total"])
    roles = {"hid": "household", "age": QI, "oldest": QI}
    data = discreet.read(frame, roles=roles, unit="household")
    release = protect(data, {"microaggregation": {"partition": {"mdav": {"k": 3}}}})
    assert [claim.measure for claim in release.claims] == ["k-anonymity", "household-k-anonymity"]
    homes = clusters_of(release.data)
    assert homes is not None
    oldest = pd.Series(release.data["age"]).groupby(homes.labels).transform("max")
    numbered = ~release.data.column("oldest").missing
    assert np.array_equal(release.data["oldest"][numbered], oldest[numbered])


def test_what_follows_from_untreated_members_is_not_claimed() -> None:
    data = families(age=QI, total=QI)
    data = discreet.read(
        data.frame(), roles={"hid": "household", "age": QI, "total": QI}, unit="household"
    )
    release = protect(data, {"microaggregation": {"partition": {"mdav": {"k": 3}}}})
    assert release.claims == ()
    assert any(note.startswith("k-anonymity is not claimed: 'total'") for note in release.notes)
