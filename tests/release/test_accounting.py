from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts.accounting import Access
from discreet.errors import ClaimError
from discreet.measures.risk.differential_privacy import DifferentialPrivacy
from discreet.release.accounting import DP
from discreet.release.copies import copies
from discreet.release.plan import Plan

SYNTHESIS: dict[str, Any] = {
    "dp-synthesis": {
        "epsilon": 1.0,
        "size_is_public": True,
        "domains": {
            "sex": ["f", "m"],
            "age": {"low": 0, "high": 100, "bins": 5},
            "pay": {"low": 0, "high": 5000, "bins": 5},
            "weight": {"low": 0, "high": 10, "bins": 2},
        },
    }
}
NOISY_AGE = {
    "dp-microaggregation": {
        "epsilon": 0.5, "k": 20, "bounds": {"age": [0, 100]}, "columns": ["age"],
        "size_is_public": True,
    }
}  # fmt: skip
NOISY_PAY = {
    "dp-microaggregation": {
        "epsilon": 0.3, "k": 20, "bounds": {"pay": [0, 5000]}, "columns": ["pay"],
        "size_is_public": True,
    }
}  # fmt: skip
CLAIM = {"differential-privacy": 1.0}


def people(*names: str, **roles: str) -> Microdata:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 90, 80)
    columns: dict[str, Any] = {
        "sex": np.where(rng.random(80) < 0.5, "f", "m").tolist(),
        "age": age,
        "pay": 40.0 * age,
        "weight": rng.uniform(1, 9, 80).round(1),
        "home": np.arange(80) // 2,
    }
    usual = {
        "sex": "quasi-identifier", "age": "quasi-identifier", "pay": "confidential",
        "weight": "weight", "home": "household",
    }  # fmt: skip
    kept = names or ("sex", "age", "pay")
    return discreet.read(
        {name: columns[name] for name in kept}, {name: usual[name] for name in kept} | roles
    )


def accesses(data: Microdata, steps: list[Any]) -> list[Access]:
    accounting = discreet.protect(data, steps, allow=None).accounting
    assert accounting is not None
    return [account.access for account in accounting.accounts]


def test_a_synthesis_is_claimed_with_what_it_spends() -> None:
    release = discreet.protect(people(), SYNTHESIS, claims=CLAIM)
    [claim] = release.claims
    assert (claim.measure, claim.bound, claim.measured) == ("differential-privacy", 1.0, 1.0)


def test_what_follows_a_mechanism_of_all_columns_is_post_processing() -> None:
    steps = [SYNTHESIS, {"rounding": {"columns": ["age"]}}, {"rank-swapping": {"p": 10}}]
    data = people(sex="other")
    post = Access.POST_PROCESSING
    assert accesses(data, steps) == [Access.MECHANISM, post, post]
    assert discreet.protect(data, steps, allow=None, claims=CLAIM).claims[0].measured == 1.0


def test_a_step_that_does_what_its_parameters_say_may_come_first() -> None:
    steps = [{"rounding": {"base": 5, "columns": ["age"]}}, SYNTHESIS]
    assert accesses(people(), steps) == [Access.FIXED, Access.MECHANISM]


def test_mechanisms_on_different_columns_add_up() -> None:
    release = discreet.protect(people("age", "pay"), [NOISY_AGE, NOISY_PAY], allow=None)
    assert release.claims[0].bound == 0.8


@pytest.mark.parametrize(
    ("data", "steps", "options", "says"),
    [
        (people(), [{"rank-swapping": {"p": 5, "columns": ["age"]}}, SYNTHESIS], {},
         r"step 1 \(rank-swapping\) reads the data outside the accounting"),
        (people(), [{"top-bottom-coding": {"top_share": 0.1, "columns": ["age"]}}, SYNTHESIS], {},
         "it chooses its parameters from the data"),
        (people(), [{"top-bottom-coding": {"top": {"age": 60}, "top_share": 0, "bottom_share": 0,
                                           "columns": ["age"]}}, SYNTHESIS], {},
         r"step 1 \(top-bottom-coding\) reads the data"),
        (people(), [NOISY_AGE], {}, "'sex', 'pay' would be released without noise"),
        (people("age", "weight"), [NOISY_AGE], {}, "'weight' would be released without noise"),
        (people("age", "pay"), [NOISY_AGE, {"rank-swapping": {"p": 5, "columns": ["pay"]}}], {},
         r"step 2 \(rank-swapping\) reads the data"),
        (people("age"), [{"dp-microaggregation": {
            **NOISY_AGE["dp-microaggregation"], "in_blocks": 40}}], {}, "in parts of the file"),
        (people("sex", "age", "home"), [SYNTHESIS], {}, "'home'.*role identifier"),
        (people("sex", "age", "weight"), [SYNTHESIS], {"calibrate": ["sex"]}, "calibrate"),
        (people(), [SYNTHESIS], {"rules": ["always age >= 0"]}, "rules"),
        (people(), [SYNTHESIS], {"hold_back": 0.2}, "hold_back"),
        (people(), [SYNTHESIS], {"shuffle": False}, "shuffle"),
        (people(), [SYNTHESIS], {"keep_decimals": True}, "decimals: free"),
        (people("age"), ["rounding"], {}, "no step is a differentially private mechanism"),
    ],
)  # fmt: skip
def test_the_claim_is_refused_in_a_sentence(
    data: Microdata, steps: list[Any], options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ClaimError, match=says):
        discreet.protect(data, steps, claims=CLAIM, allow=None, **options)


def test_a_promise_that_cannot_be_kept_is_a_note() -> None:
    release = discreet.protect(people(), NOISY_AGE, allow=None)
    assert release.claims == ()
    assert any("differential-privacy is not claimed" in note for note in release.notes)


def test_a_claim_below_what_is_spent_is_false() -> None:
    with pytest.raises(ClaimError, match=r"at most 0\.5, but the data to be released have 1"):
        discreet.protect(people(), SYNTHESIS, claims={"differential-privacy": 0.5})


def test_copies_are_counted_and_a_claim_for_one_is_refused() -> None:
    made = copies(people(), SYNTHESIS, 3)
    assert [release.claims[0].bound for release in made] == [3.0, 3.0, 3.0]
    with pytest.raises(ClaimError, match="at most 1, but the data to be released have 3"):
        copies(people(), SYNTHESIS, 3, claims=CLAIM)


def test_a_delta_has_to_be_claimed_too() -> None:
    step = {"dp-synthesis": {**SYNTHESIS["dp-synthesis"], "delta": 1e-6}}
    with pytest.raises(ClaimError, match="δ of 1e-06, but 0 is claimed"):
        discreet.protect(people(), step, claims=CLAIM)
    stated = [DifferentialPrivacy(delta=1e-6)]
    [claim] = discreet.protect(people(), step, claims=CLAIM, measures=stated).claims
    assert claim.by == stated[0]


def test_an_assessment_has_the_figure_of_the_release_and_none_of_the_original() -> None:
    data = people()
    [row] = discreet.assess(data, discreet.protect(data, SYNTHESIS), [DP]).rows
    assert row.after is not None
    assert (row.before, row.after.value) == (None, 1.0)


def test_manifest_and_record_state_the_accounting(tmp_path: Path) -> None:
    plan = Plan.parse(
        "{columns: {age: {role: quasi-identifier}}, "
        "steps: [{dp-microaggregation: {epsilon: 0.5, k: 20, size_is_public: true, "
        "bounds: {age: [0, 100]}}}], claims: {differential-privacy: 0.5}, "
        "release: {decimals: free}}"
    )
    plan.run(people("age")).write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    record = json.loads((tmp_path / "out" / "record.json").read_text(encoding="utf-8"))
    assert manifest["accounting"]["epsilon"] == 0.5
    assert manifest["accounting"]["steps"][0]["step"] == "step 1 (dp-microaggregation)"
    assert "number of records is public" in manifest["accounting"]["neighbours"]
    assert record["accounting"] == manifest["accounting"]
    assert manifest["claims"][0]["bound"] == 0.5
    assert manifest["steps"][0]["parameters"]["bounds"] == {"age": [0, 100]}
