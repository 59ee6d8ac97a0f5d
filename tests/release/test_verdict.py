"""The verdict: each light for its reason, with the column and the figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import UsageError
from discreet.contracts import Pairing
from discreet.io.formats import format_for
from discreet.release.assessment import Assessment
from discreet.release.verdict import Light, Thresholds, Verdict

QI = "quasi-identifier"


def judged(
    original: dict[str, Any],
    released: dict[str, Any],
    roles: dict[str, str],
    measures: list[Any],
    **options: Any,
) -> Verdict:
    data = discreet.read(original, roles=roles)
    pairing = Pairing.same_order(len(data))
    other = discreet.read({**original, **released}, roles=roles)
    return discreet.assess(data, other, measures, pairing=pairing, **options).verdict


def words(found: Verdict) -> list[str]:
    return [reason.words for reason in found.reasons]


AGES = {"age": [20.0, 21, 22, 50, 51, 52]}
COARSE = {"age": [21.0, 21, 21, 51, 51, 51]}


def test_nothing_wrong_is_green() -> None:
    found = judged(AGES, COARSE, {"age": QI}, ["k-anonymity"])
    assert found.light is Light.GREEN
    assert words(found) == []
    assert "No measure of risk got worse" in str(found)
    assert "The release makes no claim." in str(found)


def test_a_claim_that_fails_is_red_and_comes_first() -> None:
    found = judged(AGES, AGES, {"age": QI}, ["k-anonymity"], claims={"k-anonymity": 3})
    assert found.light is Light.RED
    assert words(found)[0] == "the claim of k-anonymity at least 3 does not hold: measured 1"
    assert "the quasi-identifier 'age' was left unchanged" in words(found)[1:]
    assert found.claims == ()


def test_a_claim_that_holds_and_one_that_was_not_measured_are_said() -> None:
    claims = {"k-anonymity": 3, "distance-linkage": 0.1}
    found = judged(AGES, COARSE, {"age": QI}, ["k-anonymity"], claims=claims)
    assert found.light is Light.GREEN
    assert found.claims == (
        "the claim of k-anonymity at least 3 holds: measured 3",
        "the claim of distance-linkage at most 10 % was not measured",
    )


def test_an_identifier_without_a_role_is_red() -> None:
    table = {**AGES, "email": [f"p{i}@example.org" for i in range(6)]}
    found = judged(table, COARSE, {"age": QI}, ["k-anonymity"])
    assert found.light is Light.RED
    assert found.reasons[0].columns == ("email",)


def test_what_got_worse_names_the_column_and_both_figures() -> None:
    original = {"age": [1, 1, 1, 1, 2, 2, 2, 2], "ill": [*"aabbaabb"], "pay": [1, 2] * 4}
    released = {"age": [1, 1, 2, 2, 1, 1, 2, 2]}
    roles = {"age": QI, "ill": "confidential", "pay": "confidential"}
    found = judged(original, released, roles, ["homogeneous-share", "l-diversity"])
    assert found.light is Light.AMBER
    assert [reason.columns for reason in found.reasons] == [("ill",), ("ill",)]
    assert words(found) == [
        "Records in groups of one confidential class (ill) got worse: 0 % → 100 %",
        "l-diversity of the release (ill) got worse: 2 → 1",
    ]


def test_a_column_can_get_worse_behind_one_that_is_worse_still() -> None:
    # The worst column stays as bad as it was; only its neighbour is given away more.
    original = {"age": [1, 1, 2, 2], "ill": [*"aabb"], "pay": [*"xyxy"]}
    released = {"age": [1, 1, 2, 2], "pay": [*"xxyy"]}
    roles = {"age": QI, "ill": "confidential", "pay": "confidential"}
    found = judged(original, released, roles, ["homogeneous-share"])
    assert found.reasons[0].columns == ("pay",)
    assert words(found)[0].endswith("0 % → 100 %")


def test_a_threshold_lets_a_measure_get_a_little_worse() -> None:
    original = {"age": [1.0] * 10 + [2.0] * 10}
    released = {"age": [1.0] * 9 + [2.0] * 10 + [3.0]}
    for worse, light in ((0.0, Light.AMBER), (0.1, Light.GREEN)):
        limits = Thresholds(worse=worse)
        found = judged(original, released, {"age": QI}, ["sample-uniqueness"], thresholds=limits)
        assert found.light is light


def test_an_attack_far_above_its_blind_guess_is_amber() -> None:
    rng = np.random.default_rng(1)
    original = {"age": np.arange(40.0), "pay": (np.arange(40.0) + 100).tolist()}
    released = {"age": np.arange(40.0) + rng.uniform(-0.1, 0.1, 40)}
    roles = {"age": QI, "pay": "confidential"}
    found = judged(original, released, roles, ["sensitive-match"])
    assert found.light is Light.AMBER
    assert found.reasons[0].measure == "sensitive-match"
    assert found.reasons[0].columns == ("pay",)
    assert "reaches 100 %, a blind guess 35 %" in words(found)[0]
    allowed = Thresholds(attack=0.8)
    again = judged(original, released, roles, ["sensitive-match"], thresholds=allowed)
    assert again.light is Light.GREEN


def test_persons_who_are_unique_in_all_their_records_are_amber() -> None:
    visits = {"age": [30.0] * 6 + [40.0] * 6, "who": [1, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]}
    roles = {"age": QI, "who": "person"}
    found = judged(visits, {}, roles, ["k-anonymity"])
    assert "22.2 % of the persons are unique in all their records together" in words(found)
    again = judged(visits, {}, roles, ["k-anonymity"], thresholds=Thresholds(attack=0.3))
    assert not any("together" in reason for reason in words(again))


def test_who_is_unique_as_a_whole_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    visits = {"age": [30.0] * 6 + [40.0] * 6, "who": [1, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]}
    for role, measure in (("person", "trajectory"), ("household", "household")):
        roles = {"age": QI, "who": role}
        counted = words(judged(visits, {}, roles, ["k-anonymity"]))
        with monkeypatch.context() as patched:
            patched.delattr("discreet.release.verdict.unique_as_a_whole")
            measured = words(judged(visits, {}, roles, [f"{measure}-k-anonymity"]))
        assert any("22.2 %" in reason and "together" in reason for reason in measured)
        assert [reason for reason in counted if "together" in reason] == [
            reason for reason in measured if "together" in reason
        ]


def test_columns_that_were_left_are_named_in_one_sentence() -> None:
    original = {**AGES, "sex": [*"ffmmfm"], "town": [*"abcabc"]}
    found = judged(original, COARSE, dict.fromkeys(original, QI), ["k-anonymity"])
    [reason] = found.reasons
    assert reason.words == "the quasi-identifiers 'sex', 'town' were left unchanged"
    assert reason.columns == ("sex", "town")


def test_columns_that_were_lost_or_left_are_amber() -> None:
    original = {**AGES, "sex": [*"ffmmfm"], "town": [*"abcabc"]}
    roles = {"age": QI, "sex": QI}
    found = judged(original, {**COARSE, "town": ["*"] * 6}, roles, ["k-anonymity"])
    assert words(found) == [
        "the quasi-identifier 'sex' was left unchanged",
        "'town' has only one value: all its information is lost",
    ]


def test_a_household_that_came_apart_is_amber() -> None:
    original = {**AGES, "hid": [1, 1, 2, 2, 3, 4], "town": [*"aabbcd"]}
    roles = {"age": QI, "hid": "household"}
    found = judged(original, {**COARSE, "town": [*"abbbcd"]}, roles, ["k-anonymity"])
    assert words(found) == [
        "members of a household agree on 'town' in 100 % → 50 % of the households",
        "50 % of the households are unique in all their records together",
    ]
    allowed = Thresholds(attack=0.6)
    same = judged(
        original, {**COARSE, "town": [*"bbaacd"]}, roles, ["k-anonymity"], thresholds=allowed
    )
    assert same.light is Light.GREEN


def test_three_figures_to_look_at_and_what_was_dropped(assessed_patients: Assessment) -> None:
    found = assessed_patients.verdict
    assert len(found.look_at) == 3
    assert found.look_at[1].columns, "a figure of a confidential column names it"
    assert found.dropped == ("patient_id", "name", "insurance_no", "email")
    assert "Dropped: patient_id" in str(found)


def test_a_part_of_a_release_has_no_verdict() -> None:
    data = discreet.read({**AGES, "sex": [*"ffmmfm"]}, roles={"age": QI})
    found = discreet.assess(data, data, ["marginals"], by="sex")
    with pytest.raises(UsageError, match="whole release"):
        _ = found.subdomains["f"].verdict


def test_a_seed_by_hand_and_formulas_are_said_and_change_no_light() -> None:
    data = discreet.read({**AGES, "town": ["=1+1"] * 6}, roles={"age": QI, "town": "other"})
    release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 3}}}}, 7)
    found = discreet.assess(data, release, ["k-anonymity"]).verdict
    assert found.light is Light.GREEN
    assert "The seed was given by hand, so others may guess it." in found.sentences
    assert any("'town' as formulas" in sentence for sentence in found.sentences)
    safe = format_for(".csv", spreadsheet_safe=True)
    again = discreet.assess(data, release, ["k-anonymity"]).written_as(safe).verdict
    assert not any("formulas" in sentence for sentence in again.sentences)
    secret = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 3}}}})
    assert "by hand" not in str(discreet.assess(data, secret, ["k-anonymity"]).verdict)
