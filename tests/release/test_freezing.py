"""Frozen plans: the same transformation on the next file, its claims measured again."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import ClaimError, DataError, Plan, UsageError
from discreet.contracts import Context
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


def test_a_batch_too_small_for_the_levels_says_what_to_do() -> None:
    roles = {"age": "quasi-identifier", "town": "quasi-identifier"}
    ages, towns = [20, 21, 22, 41, 42, 43] * 4, ["A", "B"] * 12
    data = discreet.read({"age": ages, "town": towns}, roles=roles)
    frozen = discreet.protect(data, discreet.GlobalRecoding(k=4, suppression=0.1), seed=1).frozen
    with pytest.raises(discreet.DataError, match=r"levels stated do not meet.*discreet pool"):
        discreet.apply(frozen, {"age": [20, 21, 22, 41, 42], "town": ["A", "A", "A", "B", "B"]})
    with pytest.raises(discreet.DataError, match=r"at least 4 records.*discreet pool"):
        discreet.apply(frozen, {"age": [20, 41], "town": ["A", "B"]})


def test_a_new_category_is_refused_and_an_absent_one_is_not(first: discreet.Release) -> None:
    with pytest.raises(DataError, match="'town' holds a category that the plan does not allow"):
        discreet.apply(first.frozen, people(240, 4, towns="abcd"))
    assert discreet.apply(first.frozen, people(240, 5, towns="ab"), seed=1).claims


def test_categories_that_the_plan_allows_may_come_if_it_is_stated_what_they_become() -> None:
    plan = Plan.parse(
        "columns:\n"
        "  town: {role: quasi-identifier, kind: nominal, categories: [a, b, c]}\n"
        "  home: {role: quasi-identifier, kind: nominal, categories: [a, b, c]}\n"
        "  pay: confidential\n"
        "steps: [{pram: {columns: [home]}}]"
    )
    frame = {"town": list("ab") * 20, "home": list("aabb") * 10, "pay": list(range(40))}
    data = discreet.read(frame, plan.roles, plan.kinds)
    frozen = frozen_plan(plan.run(data, seed=1), plan)
    assert list(frozen.allowed["town"]) == ["a", "b", "c"]
    assert list(frozen.allowed["home"]) == ["a", "b"]


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


@pytest.mark.parametrize(
    "step",
    [
        {"additive-noise": {"columns": ["height", "pay"], "variant": "linear"}},
        {"additive-noise": {"columns": ["height", "pay"], "variant": "uncorrelated"}},
        {"moment-preserving-noise": {"columns": ["height", "pay"]}},
    ],
    ids=["linear", "uncorrelated", "moments"],
)
def test_noise_keeps_its_scale(step: dict[str, Any]) -> None:
    first = discreet.protect(read(people(300, 1)), step, seed=1, shuffle=False)
    frozen = Plan.parse(first.frozen.dump())
    assert not anew(frozen.steps)
    wider = people(300, 2)
    wider["pay"] = [100 * pay for pay in wider["pay"]]
    for frame in (people(300, 1), wider):
        again = discreet.apply(frozen, frame, seed=1)
        # The same seed draws the same noise, whatever the spread of the file.
        centre = frozen.steps[0].values()["means"]
        shrink = 1.0 if centre is None else np.sqrt(1.1 if "additive-noise" in step else 1.15)
        moved = [
            shrink * (r.data["pay"] - (0 if centre is None else centre["pay"])) - r.original["pay"]
            for r in (first, again)
        ]
        assert np.allclose(moved[0], moved[1], atol=1e-6)
        assert again.frozen.steps == frozen.steps


def test_noise_in_dates_is_stated_in_days() -> None:
    days = np.arange("2020-01-01", "2020-03-01", dtype="datetime64[D]")
    role = {"born": "quasi-identifier"}
    first = discreet.protect(discreet.read({"born": days}, roles=role), "additive-noise", seed=1)
    variance = first.frozen.steps[0].values()["covariances"]["born"]["born"]
    assert variance == pytest.approx(np.var(np.arange(len(days)), ddof=1))
    fine = discreet.read({"born": days.astype("datetime64[us]")}, roles=role)
    again = discreet.protect(fine, first.frozen.steps, seed=1, shuffle=False)
    moved = (again.data["born"] - fine["born"]) / 86_400e6
    assert np.std(moved) == pytest.approx(np.sqrt(0.1 * variance), rel=0.4)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"covariances": {"pay": {"pay": 4.0}}}, "a number for each pair.*'height'"),
        ({"covariances": {"pay": {"pay": -1.0}}, "columns": ["pay"]}, "not below 0"),
        (
            {"covariances": {"pay": 4.0}, "columns": ["pay"]},
            "must list columns with numbers for 'pay'",
        ),
        ({"covariances": {"pay": {"town": 4.0}}, "columns": ["pay"]}, "'town', which is not"),
        ({"means": {"pay": 1.0}, "columns": ["pay"]}, "leave them out"),
        (
            {"covariances": {"pay": {"pay": 4.0}}, "variant": "linear", "columns": ["pay"]},
            "means .* for each treated column",
        ),
    ],
)
def test_moments_that_do_not_fit_are_explained(stated: dict[str, Any], says: str) -> None:
    step = {"additive-noise": {"columns": ["height", "pay"], **stated}}
    with pytest.raises(UsageError, match=says):
        discreet.protect(read(people(30, 1)), step, seed=1)


def test_vectors_of_rounding_keep_their_distances() -> None:
    points = {"height": [160, 180], "pay": [10, 60]}
    step = {"rounding": {"columns": ["height", "pay"], "together": True, "points": points}}
    first = discreet.protect(read(people(200, 1)), step, seed=1)
    frozen = Plan.parse(first.frozen.dump())
    spreads = frozen.steps[0].values()["spreads"]
    assert spreads["height"] == pytest.approx(np.std(people(200, 1)["height"], ddof=1))
    # One record has no spread of its own.
    alone = read(people(200, 1)).take(np.array([0]))
    made = frozen.steps[0].protect(alone, Context()).data["height"]
    whole = first.steps[0].protect(read(people(200, 1)), Context()).data["height"]
    assert made[0] == whole[0]


def test_suppression_goes_on_with_fixed_levels() -> None:
    step = {
        "global-recoding": {"k": 4, "suppression": 0.05, "columns": ["height", "grade", "town"]}
    }
    first = discreet.protect(read(people(240, 1)), step, seed=1)
    gaps = first.data.column("town").missing.sum()
    assert gaps
    again = discreet.apply(Plan.parse(first.frozen.dump()), people(240, 1), seed=1)
    assert again.data.column("town").missing.sum() == gaps
    assert anew(again.chosen) == {"global-recoding": "which records are suppressed"}


def test_levels_before_local_suppression_become_a_step() -> None:
    step = {"local-suppression": {"k": 4, "recode_until": 0.02, "columns": ["grade", "town"]}}
    data = read(people(60, 1, towns="aaaaabbbbc")).drop(["height"])
    first = discreet.protect(data, step, seed=1, shuffle=False)
    frozen = Plan.parse(first.frozen.dump())
    assert [s.spec.name for s in frozen.steps] == ["global-recoding", "local-suppression"]
    again = discreet.protect(data, frozen.steps, seed=1, shuffle=False)
    for name in ("grade", "town"):
        assert again.data.column(name).same_as(first.data.column(name)), name


def test_the_least_k_is_kept() -> None:
    data = read(people(60, 1)).drop(["town", "grade"])
    step = {"camp-crest": {"target_linkage": 0.5, "classes": 2}}
    frozen = discreet.protect(data, step, seed=1).frozen.steps[0].values()
    assert (frozen["target_linkage"], frozen["k"] >= 3) == (None, True)


def test_the_bandwidth_and_the_widths_are_kept() -> None:
    data = read(people(80, 1)).drop(["town", "grade"])
    assert discreet.protect(data, "bootstrap", seed=1).frozen.steps[0].values()["bandwidth"] > 0
    local = discreet.protect(data, {"local-recoding": {"k": 3}}, seed=1)
    assert set(local.frozen.steps[0].values()["widths"]) == {"height"}
    assert anew(local.chosen) == {"local-recoding": "classes of records"}


def test_what_is_not_frozen_is_named() -> None:
    steps: list[Any] = ["rounding", {"microaggregation": {"partition": {"mdav": {"k": 3}}}}]
    data = read(people(60, 1)).drop(["grade", "town"])
    assert anew(discreet.protect(data, steps, seed=1).chosen) == {
        "microaggregation": "groups of records"
    }


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
    assert "Wrote frozen.yaml: it contains values from the data" in outcome.out
    assert "Found afresh in each file: groups of records (microaggregation)." in outcome.out
    place = folder / "frozen.yaml"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert place.read_text(encoding="utf-8").startswith("# Frozen: ")
    again = discreet_command("protect", "frozen.yaml", "--data", "people.csv", "--out", "again")
    assert again.code == 0, again.err
    refused = discreet_command(*asked)
    assert refused.code == 1
    assert "exists already" in refused.err
    assert discreet_command(*asked, "--overwrite", "--copies", "2").code == 2


def test_a_frozen_plan_draws_from_the_model_that_was_kept(
    folder: Path, discreet_command: Discreet
) -> None:
    plan = (folder / "plan.yaml").read_text()
    steps = plan.index("steps:")
    (folder / "synthetic.yaml").write_text(f"{plan[:steps]}steps: [sequential-regression]\n")
    made = discreet_command(
        "protect", "synthetic.yaml", "--freeze", "frozen.yaml", "--save-model", "kept.model",
        "--dry-run",
    )  # fmt: skip
    assert made.code == 0, made.err
    assert (
        "Found afresh in each file: how many records there are (sequential-regression)" in made.out
    )
    assert "model=kept.model" in (folder / "frozen.yaml").read_text()
    again = discreet_command("protect", "frozen.yaml", "--data", "people.csv", "--out", "again")
    assert again.code == 0, again.err
    assert len((folder / "again" / "release.csv").read_text().splitlines()) == 41
    assert "kept.model" in (folder / "again" / "manifest.json").read_text()
    assert str(folder) not in (folder / "again" / "manifest.json").read_text()
    other = (folder / "frozen.yaml").read_text().replace("sequential-regression", "cart-synthesis")
    (folder / "other.yaml").write_text(other)
    refused = discreet_command("protect", "other.yaml", "--data", "people.csv", "--out", "third")
    assert refused.code == 2, refused.err
    (folder / "kept.model").unlink()
    gone = discreet_command("protect", "frozen.yaml", "--data", "people.csv", "--out", "third")
    assert gone.code == 1
    assert "cannot be read" in gone.err
