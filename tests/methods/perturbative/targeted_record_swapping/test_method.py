"""Targeted record swapping keeps households and areas whole, and finds those at risk."""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata, TargetedRecordSwapping, UsageError
from discreet.contracts import Context, Masked, Method, Randomness
from discreet.methods.perturbative.targeted_record_swapping.method import households_alike
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import classes
from tests.methods.perturbative.targeted_record_swapping.census import census, text_of
from tests.methods.perturbative.targeted_record_swapping.record_swap import record_swap

AREAS = ["region", "district"]


def swapped(data: Microdata, seed: int = 1, **parameters: object) -> Microdata:
    return masked(data, seed, columns=AREAS, **parameters).data


def masked(data: Microdata, seed: int = 1, **parameters: object) -> Masked:
    method: Method = TargetedRecordSwapping(**parameters)
    return method.protect(data, Context(Randomness(seed)))


def slowly_alike(data: Microdata, area: list[str], risk: list[str]) -> dict[int, int]:
    """For each household the minimum number of households of its area with such a member."""
    having: dict[object, set[int]] = collections.defaultdict(set)
    kinds = [tuple(data[name][row] for name in (*area, *risk)) for row in range(len(data))]
    for home, kind in zip(data["home"], kinds, strict=True):
        having[kind].add(home)
    least: dict[int, int] = {}
    for home, kind in zip(data["home"], kinds, strict=True):
        least[home] = min(least.get(home, len(data)), len(having[kind]))
    return least


def moves(data: Microdata, now: Microdata, area: str) -> dict[int, tuple[int, int]]:
    """The area of each household before and after; fails if its members are separated."""
    where: dict[int, set[tuple[int, int]]] = collections.defaultdict(set)
    for home, before, after in zip(data["home"], data[area], now[area], strict=True):
        where[home].add((before, after))
    assert all(len(pairs) == 1 for pairs in where.values()), "members were separated"
    return {home: next(iter(pairs)) for home, pairs in where.items()}


@pytest.mark.parametrize("level", [1, 2])
def test_the_risk_of_households_is_that_of_the_slow_twin(level: int) -> None:
    data = census(120)
    homes = clusters_of(data)
    assert homes is not None
    risk = ["sex", "trade"]
    slow = slowly_alike(data, AREAS[:level], risk)
    fast = households_alike(classes(data, AREAS[:level]), classes(data, risk), homes)
    assert fast[homes.labels].tolist() == [slow[home] for home in data["home"]]


def test_members_stay_together_and_everything_else_is_as_it_was() -> None:
    data = census()
    now = swapped(data, rate=0.2)
    assert any(a != b for a, b in moves(data, now, "district").values())
    for name in set(data.schema.names) - set(AREAS):
        assert now.column(name).same_as(data.column(name))
    # Every district still lies in its region.
    pairs = set(zip(text_of(now, "region"), text_of(now, "district"), strict=True))
    assert pairs == set(zip(text_of(data, "region"), text_of(data, "district"), strict=True))


def test_each_area_keeps_its_numbers_of_households_by_size() -> None:
    data = census()
    now = swapped(data, rate=0.3, similar=["tenure", "size"])
    sizes = np.bincount(data["home"])[data["home"]]
    for area in AREAS:
        before, after = (collections.Counter(zip(d[area], sizes, strict=True)) for d in (data, now))
        assert before == after


def test_every_household_at_risk_is_exchanged_across_the_level_it_stands_out_in() -> None:
    data = census()
    now = swapped(data, rate=0.0, k=3)
    for level, area in enumerate(AREAS, start=1):
        least = slowly_alike(data, AREAS[:level], ["sex", "trade"])
        places = moves(data, now, area)
        at_risk = [home for home, count in least.items() if count < 3]
        assert len(at_risk) > 5
        # Of every size there are hundreds, so that each finds a partner.
        assert all(places[home][0] != places[home][1] for home in at_risk)


def test_the_rate_is_kept_in_each_area() -> None:
    data = census(3000)
    for rate in (0.0, 0.05, 0.4):
        places = moves(data, swapped(data, rate=rate, k=1), "district")
        of_area = collections.Counter(before for before, _ in places.values())
        gone = collections.Counter(before for before, after in places.values() if before != after)
        for area, households in of_area.items():
            assert abs(gone[area] - rate * households) < 2, "random rounding, and one household"


def test_only_households_that_agree_in_a_profile_are_exchanged() -> None:
    data = census(2000)
    for similar in (["tenure"], ["tenure+sex"], ["tenure+sex+trade"]):
        now = swapped(data, rate=0.5, similar=similar, k=1)
        names = similar[0].split("+")
        for area in AREAS:
            for name in names:
                before = collections.Counter(zip(data[area], data[name], strict=True))
                assert before == collections.Counter(zip(now[area], data[name], strict=True))
        assert any(a != b for a, b in moves(data, now, "district").values())


def test_the_next_profile_is_tried_for_those_without_a_partner() -> None:
    data = census(400)
    narrow = "tenure+sex+trade+pay"
    alone = masked(data, columns=AREAS, similar=[narrow], k=2, rate=0)
    assert "have no partner of their size and profile" in alone.notes[1]
    assert len(masked(data, columns=AREAS, similar=[narrow, "size"], k=2, rate=0).notes) == 1


def test_what_is_carried_along_goes_with_the_area() -> None:
    data = census()
    now = swapped(data, rate=0.3, carry_along=["street"])
    before, after = (
        collections.Counter(zip(text_of(d, "district"), text_of(d, "street"), strict=True))
        for d in (data, now)
    )
    assert before == after
    assert not now.column("street").same_as(data.column("street"))


def test_a_household_without_an_area_stays() -> None:
    data = census(200)
    codes = data["district"].copy()
    nowhere = data["home"] < 20
    codes[nowhere] = -1
    data = data.replace([data.column("district").with_values(codes)])
    now = swapped(data, rate=1.0)
    assert (now["region"][nowhere] == data["region"][nowhere]).all()
    assert ((now["district"] < 0) == nowhere).all()
    assert (now["district"] != data["district"]).any()


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    data = census()
    first, again, other = (swapped(data, seed, rate=0.2) for seed in (1, 1, 2))
    assert first["district"].tobytes() == again["district"].tobytes()
    assert first["district"].tobytes() != other["district"].tobytes()


def test_without_households_each_record_is_one() -> None:
    data = census(300).drop(["home"])
    now = swapped(data, rate=0.5, k=1)
    assert (now["district"] != data["district"]).mean() == pytest.approx(0.5, abs=0.02)
    assert sorted(now["district"]) == sorted(data["district"])


def test_a_release_keeps_households_whole() -> None:
    release = discreet.protect(
        census(), TargetedRecordSwapping(columns=AREAS), seed=1, shuffle=False
    )
    homes = clusters_of(release.data)
    assert homes is not None
    assert all(homes.agreeing(release.data.column(area)).all() for area in AREAS)
    assert any("households exchanged 'region', 'district'" in note for note in release.notes)


@pytest.mark.parametrize("parameter", ["risk", "similar", "carry_along", "columns"])
def test_a_column_that_is_not_there_is_named(parameter: str) -> None:
    with pytest.raises(UsageError, match="names column 'tenrue', which is not in the data"):
        masked(census(20), 1, **{parameter: ["tenrue"]})


def test_an_exchange_of_all_quasi_identifiers_is_told() -> None:
    columns = {"town": list("aabb"), "job": list("wxyz"), "ill": list("ynyn")}
    data = discreet.read(
        columns, roles={"quasi-identifier": ["town", "job"], "ill": "confidential"}
    )
    for areas, told in ((None, True), (["town"], False)):
        notes = TargetedRecordSwapping(columns=areas).protect(data, Context()).notes
        assert any("people can still be found by them" in note for note in notes) == told


def test_an_exchange_of_everything_is_refused() -> None:
    columns = {"town": ["a", "a", "b", "b"], "job": ["w", "x", "y", "z"]}
    data = discreet.read(columns, roles={"quasi-identifier": ["town", "job"]})
    with pytest.raises(UsageError, match="whole households would change places"):
        masked(data, rate=1.0)
    with pytest.raises(UsageError, match="whole households would change places"):
        masked(data, columns=["town"], carry_along=["job"])
    assert masked(data, columns=["town"], rate=1.0).data["town"].tolist() == [1, 1, 0, 0]


def test_on_the_test_data_it_does_what_the_page_of_record_swap_says(data_files: Path) -> None:
    """Areas alone change, in pairs of one size; those at risk move, and the rate is kept."""
    data = discreet.read(
        data_files / "sdcmicro_testdata.csv",
        roles={"ori_hid": "household", "quasi-identifier": ["urbrur", "roof", "sex", "relat"]},
        kinds=dict.fromkeys(("urbrur", "roof", "sex", "relat"), "nominal"),
    )
    settings = {"columns": ["urbrur"], "risk": ["roof", "sex"], "k": 3, "rate": 0.1}
    now = masked(data, 3, **settings).data
    assert all(now.column(n).same_as(data.column(n)) for n in data.schema.names if n != "urbrur")
    homes = clusters_of(data)
    assert homes is not None
    assert homes.agreeing(now.column("urbrur")).all()
    before, after = data["urbrur"][homes.first], now["urbrur"][homes.first]
    changed = before != after
    for size in np.unique(homes.sizes):
        same = homes.sizes == size
        assert np.bincount(before[same]).tolist() == np.bincount(after[same]).tolist()
    risky = households_alike(classes(data, ["urbrur"]), classes(data, ["roof", "sex"]), homes) < 3
    elsewhere = [
        (before[homes.sizes == s] != a).any() for s, a in zip(homes.sizes, before, strict=True)
    ]
    assert risky.any()
    assert changed[risky & np.array(elsewhere)].all()
    # Pairs are of two areas, so that the smaller one, with its share, says how many there are.
    smaller = before == np.argmin(np.bincount(before))
    share = changed[smaller].mean()
    assert share + 1 / smaller.sum() >= 0.1
    assert share <= 0.1 + (risky.sum() + 1) / smaller.sum()


def both(data: Microdata, areas: list[str], risk: list[str], k: int, rate: float) -> dict[str, Any]:
    """Swap by the rules of recordSwap and by ours; households alike have one size."""
    homes = clusters_of(data)
    assert homes is not None
    levels = [classes(data, areas[: level + 1]) for level in range(len(areas))]
    kinds = classes(data, risk)
    theirs = record_swap(
        homes.labels, levels, kinds, homes.sizes, k, rate, np.random.default_rng(1)
    )
    now = masked(data, 1, columns=areas, risk=risk, k=k, rate=rate).data
    place = classes(data, areas)[homes.first]
    after = np.stack([now[name][homes.first] for name in areas])
    before = np.stack([data[name][homes.first] for name in areas])
    alike = [households_alike(level, kinds, homes) for level in levels]
    return {
        "theirs": theirs,
        "moved": (before != after).any(axis=0),
        "at risk": np.min(alike, axis=0) < k,
        "place": place,
        "sizes": homes.sizes,
    }


def test_beside_the_rules_of_record_swap() -> None:
    """As many households are swapped, and whoever is at risk there is at risk and swapped here."""
    found = both(census(1500), AREAS, ["sex", "trade"], 3, 0.2)
    theirs, moved = found["theirs"], found["moved"]
    assert theirs.at_risk.any()
    # Persons like a member are at least as many as households with one.
    assert not (theirs.at_risk & ~found["at risk"]).any()
    swapped_there = theirs.partner >= 0
    assert moved[theirs.at_risk & swapped_there].all()
    assert (found["at risk"] & ~moved).sum() <= theirs.without_donor
    assert moved.mean() == pytest.approx(swapped_there.mean(), abs=0.02)
    # The rate is that of the file there, drawn area by area, and that of each area here.
    for place in range(int(found["place"].max()) + 1):
        here = moved[found["place"] == place].mean()
        there = swapped_there[found["place"] == place].mean()
        assert here == pytest.approx(0.2, abs=0.02)
        assert there == pytest.approx(0.2, abs=0.1)


def test_beside_the_rules_of_record_swap_on_the_test_data(data_files: Path) -> None:
    data = discreet.read(
        data_files / "sdcmicro_testdata.csv",
        roles={"ori_hid": "household", "quasi-identifier": ["water", "roof", "sex"]},
        kinds=dict.fromkeys(("water", "roof", "sex"), "nominal"),
    )
    found = both(data, ["water"], ["roof", "sex"], 3, 0.1)
    theirs, moved = found["theirs"], found["moved"]
    assert theirs.at_risk.any()
    assert not (theirs.at_risk & ~found["at risk"]).any()
    assert moved[theirs.at_risk & (theirs.partner >= 0)].all()
    assert (found["at risk"] & ~moved).sum() <= theirs.without_donor
