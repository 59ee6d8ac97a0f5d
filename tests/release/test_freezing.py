"""Frozen plans: the same transformation on the next file, its claims measured again."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import ClaimError, DataError, Plan
from discreet.release.freezing import anew, frozen_plan
from tests.command_line import Discreet

ROLES = {
    "height": "quasi-identifier",
    "grade": "quasi-identifier",
    "town": "quasi-identifier",
    "pay": "confidential",
}
GRADES = ["low", "fair", "good", "top"]
RECODING: dict[str, Any] = {"global-recoding": {"k": 4, "columns": ["height", "grade", "town"]}}
CODING: dict[str, Any] = {
    "top-bottom-coding": {"columns": ["pay"], "top_share": 0.05, "bottom_share": 0}
}


def people(count: int, seed: int, towns: str = "abc") -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        "height": rng.normal(170, 8, count).round().tolist(),
        "grade": rng.choice(GRADES, count).tolist(),
        "town": rng.choice(list(towns), count).tolist(),
        "pay": rng.lognormal(3, 1, count).round(2).tolist(),
    }


def read(frame: dict[str, Any]) -> discreet.Microdata:
    return discreet.read(frame, roles=ROLES, kinds={"grade": GRADES})


@pytest.fixture(scope="module")
def first() -> discreet.Release:
    return discreet.protect(read(people(240, 1)), [RECODING, CODING], seed=1)


def labels(release: discreet.Release, name: str) -> set[str]:
    return set(release.data.schema[name].categories)


def test_levels_and_cut_points_are_those_of_the_first_file(first: discreet.Release) -> None:
    again = discreet.apply(Plan.parse(first.frozen.dump()), people(400, 2), seed=1)
    assert first.claims[0].bound == again.claims[0].bound == 4
    for name in ("grade", "town"):
        assert labels(again, name) == labels(first, name)
    # Intervals begin at multiples of one width; a file with other heights has others of them.
    widths = set()
    for release in (first, again):
        decoding = release.data.schema["height"].decoding
        assert decoding is not None
        widths.add(tuple(np.unique((decoding.high - decoding.low)[np.isfinite(decoding.high)])))
    assert len(widths) == 1
    top = first.frozen.steps[1].values()["top"]["pay"]
    paid = np.array(people(400, 2)["pay"])
    assert np.allclose(
        np.sort(again.data["pay"])[: (paid <= top).sum()], np.sort(paid[paid <= top])
    )
    # Left to itself, a run on the second file chooses another cut.
    alone = discreet.protect(read(people(400, 2)), [RECODING, CODING], seed=1)
    assert alone.frozen.steps[1].values()["top"]["pay"] != top


def test_applied_to_the_same_file_nothing_differs(first: discreet.Release) -> None:
    again = discreet.apply(first.frozen, people(240, 1), seed=1)
    for name in ROLES:
        assert again.data.column(name).same_as(first.data.column(name)), name


def test_a_batch_for_which_the_claim_fails_says_what_to_do(first: discreet.Release) -> None:
    with pytest.raises(ClaimError, match="keep these records back and protect them together"):
        discreet.apply(first.frozen, people(9, 3))
    with pytest.raises(DataError, match=r"at least two records.*together with the next one"):
        discreet.apply(first.frozen, people(1, 3))


def test_a_new_category_is_refused_and_an_absent_one_is_not(first: discreet.Release) -> None:
    with pytest.raises(DataError, match="'town' holds a category that the plan does not allow"):
        discreet.apply(first.frozen, people(240, 4, towns="abcd"))
    assert discreet.apply(first.frozen, people(240, 5, towns="ab"), seed=1).claims


def test_pram_keeps_its_matrix() -> None:
    skewed = read(people(300, 1, towns="aaabbc"))
    release = discreet.protect(skewed, {"pram": {"columns": ["town"]}}, seed=1)
    frozen = release.frozen
    matrix = frozen.steps[0].values()["matrices"]["town"]
    assert matrix["c"]["c"] == pytest.approx(0.8)
    assert matrix["a"]["a"] > matrix["c"]["c"]
    even = discreet.apply(frozen, people(400, 2), seed=1)
    assert even.frozen.steps[0].values()["matrices"]["town"] == matrix
    by_grade = {"pram": {"columns": ["town"], "strata": ["grade"]}}
    strata = discreet.protect(skewed, by_grade, seed=1).frozen.steps[0].values()["matrices"]
    assert set(strata["town"]) == set(GRADES)
    assert discreet.apply(Plan.parse(discreet.protect(skewed, by_grade).frozen.dump()), skewed)


def test_what_is_not_frozen_is_named() -> None:
    steps: list[Any] = ["rounding", {"microaggregation": {"partition": {"mdav": {"k": 3}}}}]
    data = read(people(60, 1)).drop(["grade", "town"])
    assert anew(discreet.protect(data, steps, seed=1)) == ("microaggregation",)


def test_the_frozen_plan_of_a_plan_keeps_what_it_says_of_the_release() -> None:
    plan = Plan.parse("steps: [rounding]\nrelease: {shuffle: false, decimals: free}\nallow: [pay]")
    release = plan.run(read(people(20, 1)).drop(["grade", "town"]), seed=1)
    frozen = frozen_plan(release, plan)
    assert (frozen.shuffle, frozen.keep_decimals, frozen.allow) == (False, False, ("pay",))
    assert frozen.strict
    assert Plan.parse(frozen.dump()).frozen


def test_by_the_command_line(folder: Path, discreet_command: Discreet) -> None:
    asked = ("protect", "plan.yaml", "--freeze", "frozen.yaml", "--dry-run")
    outcome = discreet_command(*asked)
    assert outcome.code == 0, outcome.err
    assert "Wrote frozen.yaml: it holds values of the data" in outcome.out
    assert "Computed for each file anew: microaggregation." in outcome.out
    place = folder / "frozen.yaml"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert place.read_text(encoding="utf-8").startswith("# Frozen: ")
    again = discreet_command("protect", "frozen.yaml", "--data", "people.csv", "--out", "again")
    assert again.code == 0, again.err
    refused = discreet_command(*asked)
    assert refused.code == 1
    assert "exists already" in refused.err
    assert discreet_command(*asked, "--overwrite", "--copies", "2").code == 2
