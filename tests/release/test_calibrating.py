"""Weights are raked after the steps, so that a release counts as its original did."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import UsageError
from discreet.microdata import Microdata
from discreet.microdata.clusters import counted_once
from discreet.microdata.equivalence import classes
from discreet.release.calibrating import calibrated_to
from discreet.release.plan import Plan


def people(rows: int = 600) -> Microdata:
    draw = np.random.default_rng(1)
    columns = {
        "sex": draw.choice(["f", "m"], rows),
        "town": draw.choice(["Ayle", "Bron", "Cull"], rows, p=[0.6, 0.3, 0.1]),
        "pay": draw.lognormal(8, 0.4, rows).round(),
        "w": draw.lognormal(3, 0.6, rows).round(2),
    }
    roles = {"quasi-identifier": ["sex", "town"], "weight": ["w"], "confidential": ["pay"]}
    return discreet.read(columns, roles=roles)


def counts(data: Microdata, name: str) -> np.ndarray:
    present = data[name] >= 0
    return np.bincount(data[name][present], data["w"][present], len(data.schema[name].categories))


def test_a_sample_counts_as_the_file_did() -> None:
    data = people()
    sampling = discreet.Sampling(fraction=0.3)
    plain = discreet.protect(data, sampling, seed=1)
    release = discreet.protect(data, sampling, seed=1, calibrate=["sex", "town"])
    assert counts(plain.data, "town") != pytest.approx(counts(data, "town"), rel=0.01)
    for name in ("sex", "town"):
        assert counts(release.data, name) == pytest.approx(counts(data, name))
    assert any("'w' were calibrated" in note for note in release.notes)


def test_suppressed_cells_leave_the_shares_of_the_others() -> None:
    data = people()
    hidden = data["sex"].copy()
    hidden[:100] = -1
    table, _ = calibrated_to(data, data.replace([data.column("sex").with_values(hidden)]), ["sex"])
    assert table["w"].sum() == pytest.approx(data["w"].sum())
    shown, before = counts(table, "sex"), counts(data, "sex")
    assert shown / shown.sum() == pytest.approx(before / before.sum())


def test_households_of_one_weight_keep_one() -> None:
    draw = np.random.default_rng(2)
    home = np.repeat(np.arange(200), draw.integers(1, 5, 200))
    data = discreet.read(
        {
            "home": home,
            "w": draw.integers(5, 50, 200)[home].astype(float),
            "sex": draw.choice(["f", "m"], len(home)),
        },
        roles={"household": ["home"], "weight": ["w"], "quasi-identifier": ["sex"]},
        kinds={"w": "continuous"},
    )
    kept = np.flatnonzero(home % 3 > 0)
    table, _ = calibrated_to(data, data.take(kept), ["sex"])
    assert counts(table, "sex") == pytest.approx(counts(data, "sex"))
    for number in np.unique(home[kept]):
        assert np.ptp(table["w"][home[kept] == number]) == 0


def test_rounded_weights_within_strata_are_the_way_out_of_unique_ones() -> None:
    data = people()
    alone = discreet.protect(data, discreet.PRAM(), seed=1)
    assert any("have a weight that no other record has" in note for note in alone.notes)
    mdav = discreet.Microaggregation(discreet.partition.MDAV(k=5), columns=["w"], by=["town"])
    release = discreet.protect(
        data, [discreet.PRAM(), mdav], seed=1, calibrate=["town"], keep_decimals=True
    )
    values, times = np.unique(release.data["w"], return_counts=True)
    assert len(values) > 1
    assert times.min() > 1
    assert not any("have a weight that no other" in note for note in release.notes)
    assert counts(release.data, "town") == pytest.approx(counts(data, "town"))


def test_what_cannot_be_calibrated_is_refused() -> None:
    data = people()
    for columns, words in ((["pay"], "is continuous"), (["twon"], "twon")):
        with pytest.raises(UsageError, match=words):
            discreet.protect(data, discreet.PRAM(), calibrate=columns)
    with pytest.raises(UsageError, match="role weight"):
        discreet.protect(data.drop(["w"]), discreet.PRAM(), calibrate=["sex"])
    towns = data.column("town")
    whole = towns.recoded(np.zeros(len(data)), towns.attribute.kind, ["all"])
    with pytest.raises(UsageError, match="recoded it"):
        calibrated_to(data, data.replace([whole]), ["town"])


def test_a_plan_says_it_and_keeps_it() -> None:
    text = "{columns: {sex: quasi-identifier, w: weight}, steps: [pram], calibrate: [sex]}"
    plan = Plan.parse(text)
    assert plan.calibrate == ("sex",)
    assert Plan.parse(plan.dump()).calibrate == ("sex",)


def test_synthetic_weights_count_as_the_original_ones() -> None:
    data = people(300)
    release = discreet.protect(
        data, discreet.SequentialRegression(), seed=1, calibrate=["sex", "town"]
    )
    assert (release.data["w"] > 0).all()
    assert not np.isin(release.data["w"], data["w"]).all()
    for name in ("sex", "town"):
        assert counts(release.data, name) == pytest.approx(counts(data, name))


def test_households_of_one_weight_and_stratum_still_have_one_after_calibration() -> None:
    draw = np.random.default_rng(4)
    home = np.repeat(np.arange(150), draw.integers(1, 5, 150))
    town = np.array(["Ayle", "Bron", "Cull"])[draw.integers(0, 3, 150)][home]
    columns = {"hid": home, "town": town, "w": draw.lognormal(3, 0.5, 150)[home]}
    roles = {"hid": "household", "town": "quasi-identifier", "w": "weight"}
    step = {"microaggregation": {"partition": {"mdav": {"k": 5}}, "columns": ["w"], "by": ["town"]}}
    release = discreet.protect(
        discreet.read(columns, roles=roles), step, seed=1, allow=None, calibrate=["town"]
    )
    assert counted_once(classes(release.data, ["w"]), classes(release.data, ["hid"])).min() >= 5
    assert not any("a weight that no other" in note for note in release.notes)
