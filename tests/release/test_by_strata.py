"""A step with `by` is run in each stratum by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method, Randomness
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import class_sizes
from discreet.release.course import run_steps
from discreet.release.plan import Plan

SEXES = ("f", "m")


def people(rows: int = 90, quasi: tuple[str, ...] = ("sex", "age", "height")) -> Microdata:
    rng = np.random.default_rng(4)
    sex = rng.choice(SEXES, rows)
    columns = {
        "sex": sex,
        "age": rng.integers(18, 90, rows).astype(float),
        "height": (rng.normal(170, 8, rows) + 10 * (sex == "m")).round(1),
        "pay": rng.lognormal(8, 0.5, rows).round(),
    }
    return discreet.read(columns, roles={"quasi-identifier": list(quasi), "confidential": ["pay"]})


def run(data: Microdata, step: Method) -> Microdata:
    return run_steps(data, [step], Context(Randomness(1))).data


def test_groups_of_strata_keep_their_means_and_k_holds_of_the_whole_file() -> None:
    data = people()
    step = discreet.Microaggregation(discreet.partition.MDAV(k=4), by=["sex"])
    release = discreet.protect(data, step, seed=1, shuffle=False)
    assert class_sizes(release.data, data.quasi_identifiers).min() >= 4
    assert [(claim.measure, claim.bound) for claim in release.claims] == [("k-anonymity", 4)]
    assert release.data.column("sex").same_as(data.column("sex"))
    for code in range(2):
        at = data["sex"] == code
        assert np.isclose(release.data["height"][at].mean(), data["height"][at].mean())
    assert any("in each of 2 strata by sex" in note for note in release.notes)


def test_values_are_exchanged_within_strata_only() -> None:
    data = people()
    swapped = run(data, discreet.RankSwapping(columns=["height"], by=["sex"]))
    for code in range(2):
        at = data["sex"] == code
        assert sorted(swapped["height"][at]) == sorted(data["height"][at])
    assert not np.array_equal(swapped["height"], data["height"])


def test_strata_draw_numbers_of_their_own() -> None:
    """Two strata with the same values do not get the same noise."""
    data = discreet.read(
        {"half": ["a"] * 30 + ["b"] * 30, "x": np.tile(np.arange(30.0), 2)},
        roles={"x": "quasi-identifier"},
    )
    noise = run(data, discreet.AdditiveNoise(by=["half"]))["x"] - data["x"]
    assert not np.isclose(noise[:30], noise[30:]).any()


def test_a_sample_of_each_stratum() -> None:
    data = people(quasi=("sex",))
    masked = run_steps(data, [discreet.Sampling(fraction=0.5, by=["sex"])], Context(Randomness(1)))
    assert masked.origin is not None
    assert np.array_equal(masked.data["sex"], data["sex"][masked.origin])
    for code in range(2):
        drawn = (masked.data["sex"] == code).sum()
        assert abs(drawn - (data["sex"] == code).sum() / 2) <= 1


def test_synthetic_records_of_each_stratum() -> None:
    data = people()
    release = discreet.protect(data, discreet.CartSynthesis(by=["sex"]), seed=1)
    counts = [np.bincount(table["sex"]).tolist() for table in (data, release.data)]
    assert counts[0] == counts[1]
    assert release.frame().num_rows == len(data)


def test_a_plan_says_so_and_is_written_back(tmp_path: Path) -> None:
    plan = Plan.parse("steps:\n  - rank-swapping: {p: 10, by: [sex, region]}\n")
    assert plan.steps[0].by == ("sex", "region")
    assert Plan.parse(plan.dump()).steps == plan.steps


def test_what_cannot_be_done_is_explained() -> None:
    data = people(12)
    with pytest.raises(DataError, match=r"in a stratum of \d of the 12 records by 'sex': .*k = 9"):
        run(data, discreet.Microaggregation(discreet.partition.MDAV(k=9), by=["sex"]))
    with pytest.raises(UsageError, match="'by' of the step rounding names column 'sax'"):
        run(data, discreet.Rounding(columns=["age"], by=["sax"]))
    with pytest.raises(UsageError, match="takes at most"):
        discreet.Bootstrap(*[None] * 20)
    inside = discreet.PostMaskingOptimisation(discreet.Rounding(by=["sex"]))
    with pytest.raises(UsageError, match="'by' belongs to a step"):
        run(data, inside)


def test_members_of_a_household_are_not_torn_apart() -> None:
    home = np.repeat(np.arange(40), 2)
    data = discreet.read(
        {
            "hid": home,
            "sex": ["f", "m"] * 40,
            "rent": np.random.default_rng(1).normal(size=40)[home],
        },
        roles={"hid": "household", "rent": "quasi-identifier"},
    )
    with pytest.raises(DataError, match="may be in different strata by 'sex'"):
        run(data, discreet.AdditiveNoise(by=["sex"]))


@pytest.mark.parametrize("role", ["household", "person"])
def test_synthetic_households_of_strata_have_numbers_of_their_own(role: str) -> None:
    rng = np.random.default_rng(8)
    home = np.repeat(np.arange(80), rng.integers(1, 4, 80))
    columns = {
        "home": home,
        "region": np.array(["n", "s"])[home % 2],
        "rooms": rng.integers(1, 7, 80)[home],
        "sex": np.array(SEXES)[rng.integers(0, 2, len(home))],
    }
    data = discreet.read(columns, {"home": role, "region": "other", "sex": "quasi-identifier"})
    made = run(data, discreet.SequentialRegression(by=["region"]))
    homes = clusters_of(made)
    assert homes is not None
    assert len(homes.sizes) == 80
    assert homes.agreeing(made.column("region")).all()
    assert homes.agreeing(made.column("rooms")).all()
    with pytest.raises(DataError, match=f"draws whole {role}s; use strata of whole {role}s"):
        run(data, discreet.SequentialRegression(by=["sex"]))
