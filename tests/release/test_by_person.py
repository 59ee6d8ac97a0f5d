"""Persons over waves in households: three levels, and none of them comes apart."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Method
from discreet.errors import DataError
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_by
from discreet.release.by_person import belonging


def panel(movers: bool = False, unit: str | None = None) -> Microdata:
    """Return 150 persons in 60 households, each in three waves."""
    draw = np.random.default_rng(1)
    home = np.append(np.arange(60), draw.integers(0, 60, 90))
    who = np.repeat(np.arange(150), 3)
    homes = home[who]
    if movers:
        homes[::30] = (homes[::30] + 1) % 60
    columns = {
        "hid": homes,
        "pid": who,
        "wave": np.tile([1, 2, 3], 150),
        "town": draw.choice(["Ayle", "Bron", "Cull"], 60)[homes],
        "sex": draw.choice(["f", "m"], 150)[who],
        "height": draw.normal(170, 9, 150).round()[who],
        "pay": draw.lognormal(8, 0.5, 450).round(),
        "job": draw.choice(list("abcd"), 450),
    }
    roles = {
        "hid": "household",
        "pid": "person",
        "quasi-identifier": ["town", "sex", "height", "pay", "job"],
    }
    return discreet.read(columns, roles=roles, unit=unit)


NUMBERS, WORDS = ["height", "pay"], ["town", "sex", "job"]
STEPS: list[Method] = [
    discreet.AdditiveNoise(columns=NUMBERS),
    discreet.RankSwapping(columns=[*NUMBERS, *WORDS], p=10),
    discreet.PRAM(columns=WORDS, stay=0.3),
    discreet.Microaggregation(discreet.partition.MDAV(k=3)),
    discreet.LocalSuppression(k=2, columns=WORDS),
    discreet.GlobalRecoding(k=2, columns=WORDS),
    discreet.TargetedRecordSwapping(columns=["town"], rate=0.5),
    discreet.Sampling(fraction=0.6),
]


def test_levels_are_three() -> None:
    levels = {a.name: a.level.value for a in panel().schema if a.level}
    assert levels["town"] == "household"
    assert levels["sex"] == levels["height"] == "person"
    assert levels["pay"] == levels["job"] == levels["wave"] == "record"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.spec.name)
@pytest.mark.parametrize("movers", [False, True], ids=["stay", "move"])
def test_no_level_comes_apart(step: Method, movers: bool) -> None:
    data = panel(movers)
    if movers and step.spec.name == "microaggregation":
        # Its groups are within classes of households, and who moves would be in two of them.
        with pytest.raises(DataError, match="since they change households"):
            discreet.protect(data, step, seed=1, allow=None)
        return
    release = discreet.protect(data, step, seed=1, allow=None)
    table = release.data
    for key, names in (("pid", ["sex", "height"]), ("hid", [] if movers else ["town"])):
        clusters = clusters_by(table, key)
        for name in names:
            assert clusters.agreeing(table.column(name)).all(), name


def test_what_is_of_a_record_differs_still() -> None:
    noisy = discreet.protect(panel(), discreet.AdditiveNoise(columns=NUMBERS), seed=1).data
    assert not clusters_by(noisy, "pid").agreeing(noisy.column("pay")).any()


def test_few_deviating_records_are_corrected_and_told() -> None:
    data = panel()
    height = data["height"].copy()
    height[4] += 1
    data = data.replace([data.column("height").with_values(height)])
    release = discreet.protect(data, discreet.AdditiveNoise(columns=NUMBERS), seed=1)
    assert any("'height' is of person level, but 1 person has" in note for note in release.notes)


def test_whole_households_would_tear_persons_apart() -> None:
    mdav = discreet.Microaggregation(discreet.partition.MDAV(k=3))
    with pytest.raises(DataError, match="persons several values of"):
        discreet.protect(panel(unit="household"), mdav, seed=1)


def test_who_moved_belongs_to_both_households() -> None:
    assert len(belonging(panel()).sizes) == 60
    assert len(belonging(panel(movers=True)).sizes) < 60
