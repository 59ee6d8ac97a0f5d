"""Protecting by level: household columns once per household, and nothing to be read off a mate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import class_sizes
from discreet.microdata.levels import of_household
from discreet.release.release import Release

QI = "quasi-identifier"
METHODS: list[Any] = [
    {"local-suppression": {"k": 3, "steps": 0}},
    {"global-recoding": {"k": 3, "suppression": 0.05}},
    {"microaggregation": {"partition": {"mdav": {"k": 3}}}},
    "pram",
    {"risk-suppression": {"threshold": 0.3}},
    [
        {"local-suppression": {"k": 3, "steps": 0}},
        {"linked-suppression": {"where": "sex", "columns": ["hsize"]}},
    ],
    "rank-swapping",
    "cart-synthesis",
]


def invented(persons: int = 900) -> pd.DataFrame:
    """Households of one to five, two of six, with region, tenure, size and total income."""
    rng = np.random.default_rng(11)
    size = rng.choice([1, 2, 3, 4, 5], persons, p=[0.3, 0.3, 0.2, 0.12, 0.08])
    size[:2] = 6
    home = np.repeat(np.arange(persons), size)[:persons]
    homes = home.max() + 1
    frame = pd.DataFrame(
        {
            "hid": home,
            "region": np.array(list("ABCDEFG"))[rng.integers(0, 7, homes)][home],
            "tenure": np.array(["own", "rent", "free"])[rng.integers(0, 3, homes)][home],
            "sex": np.array(["f", "m"])[rng.integers(0, 2, persons)],
            "status": np.array(["s", "m", "w", "d"])[rng.integers(0, 4, persons)],
            "pay": rng.integers(0, 90, persons) * 100.0,
        }
    )
    frame["hsize"] = frame.groupby("hid").hid.transform("size")
    frame["total"] = frame.groupby("hid").pay.transform("sum")
    return frame.sample(frac=1, random_state=1)


KEYS = ["region", "tenure", "hsize", "sex", "status"]


def survey(keys: list[str] = KEYS) -> Microdata:
    frame = invented()[["hid", "pay", "total", *keys]]
    roles = {"hid": "household", "pay": "confidential", **dict.fromkeys(keys, QI)}
    return discreet.read(frame, roles=roles, kinds=dict.fromkeys(keys, "nominal"))


def living_standards(folder: Path) -> Microdata:
    keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "hsize"]
    frame = pd.read_csv(folder / "sdcmicro_testdata.csv")
    frame["hsize"] = frame.groupby("ori_hid").ori_hid.transform("size")
    roles = {**dict.fromkeys(keys, QI), "ori_hid": "household"}
    return discreet.read(frame[[*roles]], roles=roles, kinds=dict.fromkeys(keys, "nominal"))


def silc(folder: Path) -> Microdata:
    keys = ["region", "hsize", "gender", "citizenship"]
    table = pq.read_table(folder / "eusilcP.parquet", columns=["hid", *keys]).slice(0, 20_000)
    roles = {**dict.fromkeys(keys, QI), "hid": "household"}
    return discreet.read(table, roles=roles, kinds={"hsize": "nominal"})


def protect(data: Microdata, step: Any, **options: Any) -> Release:
    return discreet.protect(data, step, seed=1, allow=None, **options)


def read_off_mates(released: Microdata) -> int:
    """Attack: fill in each gap of a household column from a record of the same household."""
    key = released.column(released.having("household")[0])  # type: ignore[arg-type]
    numbered = ~key.missing
    homes = np.unique(key.values[numbered], return_inverse=True)[1]
    filled = 0
    for name in of_household(released):
        gap = released.column(name).missing[numbered]
        known = np.bincount(homes, ~gap) > 0
        filled += int((gap & known[homes]).sum())
    return filled


def counted(released: Microdata, size: str) -> int:
    """Attack: count the records of a household whose size is suppressed."""
    key = released.column(released.having("household")[0])  # type: ignore[arg-type]
    return int((released.column(size).missing & ~key.missing).sum())


def broken(released: Microdata) -> int:
    homes = clusters_of(released)
    assert homes is not None
    return sum(int((~homes.agreeing(released.column(n))).sum()) for n in of_household(released))


@pytest.mark.parametrize("step", METHODS, ids=str)
def test_no_household_is_broken_and_nothing_can_be_read_off_it(step: Any) -> None:
    data = survey()
    assert of_household(data) == ("total", "region", "tenure", "hsize")
    release = protect(data, step)
    assert broken(release.data) == 0
    assert read_off_mates(release.data) == 0
    assert counted(release.data, "hsize") == 0


@pytest.mark.parametrize("read", [living_standards, silc])
def test_nor_in_surveys_as_they_are(read: Any, data_files: Path) -> None:
    data = read(data_files)
    for step in METHODS[:5]:
        release = protect(data, step)
        assert broken(release.data) == 0, step
        assert read_off_mates(release.data) == 0, step
        assert counted(release.data, "hsize") == 0, step


@pytest.mark.parametrize("step", METHODS[:3], ids=str)
def test_a_promised_k_holds_over_both_levels(step: Any) -> None:
    release = protect(survey(), step)
    assert [(c.measure, c.bound) for c in release.claims] == [("k-anonymity", 3.0)]
    assert class_sizes(release.data, release.data.quasi_identifiers).min() >= 3


def test_gaps_were_made_so_that_the_attack_has_something_to_fill() -> None:
    released = protect(survey(), METHODS[0]).data
    gaps = {name: int(released.column(name).missing.sum()) for name in KEYS}
    assert gaps["region"] + gaps["tenure"] > 0
    assert gaps["hsize"] == released.column("hid").missing.sum() > 0


def test_the_old_way_would_have_been_read_off() -> None:
    """Person by person, the same method leaves what the attack finds: it can find something."""
    data = survey()
    from discreet.contracts import Context

    step = discreet.LocalSuppression(k=3, steps=0)
    table = step.protect(data, Context()).data
    assert read_off_mates(table) > 0
    assert counted(table, "hsize") > 0


def test_what_a_household_shares_is_treated_once_for_each() -> None:
    data = survey(["region", "tenure", "sex"])
    release = protect(data, "pram", shuffle=False)
    (note,) = [n for n in release.notes if "of household level" in n]
    assert note.startswith("'region', 'tenure' are of household level: treated once for each of")


def test_a_total_follows_its_parts() -> None:
    data = discreet.read(invented()[["hid", "pay", "total"]], roles={"hid": "household", "pay": QI})
    release = protect(data, "additive-noise", shuffle=False)
    homes = clusters_of(data)
    assert homes is not None
    sums = np.bincount(homes.labels, release.data["pay"])[homes.labels]
    assert release.data["total"] == pytest.approx(sums)
    assert any(note.startswith("'total': computed again") for note in release.notes)


def test_a_few_errors_are_corrected_and_told() -> None:
    frame = invented()
    home = frame.hid.value_counts().index[0]
    frame.loc[frame.index[frame.hid == home][1], "region"] = "Z"
    roles = {"hid": "household", "region": QI, "sex": QI}
    release = protect(discreet.read(frame[[*roles]], roles=roles), {"sampling": {"fraction": 0.9}})
    assert broken(release.data) == 0
    assert any("'region' is of household level, but 1 household has" in n for n in release.notes)


def test_without_households_nothing_changes() -> None:
    frame = invented().drop(columns="hid")
    roles = dict.fromkeys(KEYS, QI)
    data = discreet.read(frame[KEYS], roles=roles, kinds={"hsize": "nominal"})
    release = protect(data, METHODS[0])
    assert not any("household" in note for note in release.notes)
