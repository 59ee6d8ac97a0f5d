"""The intruder's tree: a planted rule is found, and a protected file gives less away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, UsageError
from discreet.contracts import Context, Groups, Pairing, Randomness, Target
from discreet.measures.attack import RegressionAttack
from discreet.microaggregation.replacement import ValueConcatenation

ROLES = {
    "age": "quasi-identifier",
    "job": "quasi-identifier",
    "hand": "quasi-identifier",
    "pay": "confidential",
    "ill": "confidential",
}


def planted(rows: int = 600) -> tuple[discreet.Microdata, Any]:
    """Pay and illness are noise, but for judges above 50."""
    rng = np.random.default_rng(11)
    age = rng.integers(20, 80, rows).astype(float)
    job = rng.choice(["clerk", "judge", "nurse"], rows)
    secret = (age > 50) & (job == "judge")
    pay = np.where(secret, rng.uniform(990, 1000, rows), rng.uniform(0, 800, rows))
    ill = np.where(secret, "gout", rng.choice(["flu", "none", "cold"], rows))
    table = {
        "age": age.tolist(),
        "job": job.tolist(),
        "hand": rng.choice(["left", "right"], rows).tolist(),
        "pay": pay.tolist(),
        "ill": ill.tolist(),
    }
    return discreet.read(table, roles=ROLES), secret


def test_a_planted_rule_is_found_with_its_records_and_attributes() -> None:
    data, secret = planted()
    # Leaves as large as the planted set: nothing else can be split off it.
    found = RegressionAttack(leaf=int(secret.sum())).run(data)
    worst = found.places[0]
    assert set(worst.rule) == {"age > 50.5", "job is judge"}
    assert np.array_equal(np.sort(worst.rows), np.flatnonzero(secret))
    pay, ill = worst.narrowed
    assert (pay.column, ill.column) == ("pay", "ill")
    assert pay.low is not None
    assert pay.high is not None
    assert 990 <= pay.low < pay.guess < pay.high <= 1000
    truth = data["pay"]
    assert pay.range == pytest.approx((pay.high - pay.low) / np.ptp(truth))
    assert pay.spread == pytest.approx(truth[secret].std() / truth.std())
    assert (ill.guess, ill.share, ill.spread) == ("gout", 1.0, 0.0)
    assert worst.exposure == 1
    assert set(found.most_exposed(int(secret.sum()))) == set(np.flatnonzero(secret))
    assert list(found.attributes)[-1] == "hand"
    assert found.attributes["age"] > 0.05
    assert found.attributes["job"] > 0.05


def test_the_tree_as_plain_data_adds_up() -> None:
    data, _ = planted()
    found = RegressionAttack(leaf=25).run(data)
    nodes = found.detail["tree"]
    assert nodes[0]["parent"] is None
    assert nodes[0]["records"] == len(data)
    for i, node in enumerate(nodes):
        children = [n["records"] for n in nodes if n["parent"] == i]
        assert not children or sum(children) == node["records"]
        assert node["condition"] or i == 0
        assert bool(node["below"]) <= (not children)
    drawn = [n for i, n in enumerate(nodes) if all(m["parent"] != i for m in nodes)]
    assert len(drawn) <= 12
    assert sum(max(1, n["below"]) for n in drawn) == found.detail["leaves"]


def test_error_taken_off_against_a_slow_twin() -> None:
    data, _ = planted()
    found = RegressionAttack(leaf=25, responses=("pay",), places=1000).run(data)
    pay = data["pay"]
    rows = np.concatenate([place.rows for place in found.places])
    assert np.array_equal(np.sort(rows), np.arange(len(data)))
    assert all(len(place.rows) >= 25 for place in found.places)
    left = sum(((pay[p.rows] - pay[p.rows].mean()) ** 2).sum() for p in found.places)
    gain = 1 - left / ((pay - pay.mean()) ** 2).sum()
    assert found.gains == pytest.approx({"pay": gain})
    # With one response the attributes share out the very same gain.
    assert sum(found.attributes.values()) == pytest.approx(gain)


def test_noise_takes_off_no_more_than_chance() -> None:
    rng = np.random.default_rng(2)
    data = discreet.read(
        {"age": rng.uniform(size=800), "pay": rng.uniform(size=800)},
        roles={"age": "quasi-identifier", "pay": "confidential"},
    )
    found = RegressionAttack().run(data)
    assert 0 < found.gains["pay"] < 0.2
    assert found.gains["pay"] == pytest.approx(found.chance["pay"], abs=0.06)
    sure, _ = planted()
    strong = RegressionAttack().run(sure)
    assert strong.gains["pay"] > strong.chance["pay"] + 0.15


def test_a_concatenated_release_is_less_exposed() -> None:
    data, secret = planted()
    # Groups that cross the rule: neighbours in the file have nothing to do with each other.
    groups = Groups(np.arange(len(data)) // 10)
    replace = ValueConcatenation().replace
    columns = replace(data, ["age", "job", "hand"], groups, discreet.contracts.Context())
    before = RegressionAttack().run(data)
    after = RegressionAttack().run(data.replace(columns))
    assert after.exposure.mean() < before.exposure.mean()
    assert after.exposure[secret].mean() < 0.5 < before.exposure[secret].mean()
    for name in ("pay", "ill"):
        assert after.gains[name] < before.gains[name]


def test_mart_exposes_less_than_the_same_tree_unpruned() -> None:
    data, _ = planted()
    data = data.drop(["ill"])
    attack = RegressionAttack(leaf=5)
    found = attack.run(data)
    release = discreet.protect(data, discreet.MART(k=5), seed=1)
    after = attack.run(release.data)
    assert after.gains["pay"] < found.gains["pay"]
    assert after.exposure.mean() < found.exposure.mean()


def test_missing_values() -> None:
    rng = np.random.default_rng(4)
    pay: list[float | None] = [*([None] * 40), *rng.uniform(0, 9, 40).tolist()]
    data = discreet.read(
        {"job": ["a"] * 40 + ["b"] * 40, "pay": pay},
        roles={"job": "quasi-identifier", "pay": "confidential"},
    )
    found = RegressionAttack(leaf=40).run(data)
    for place in found.places:
        (narrowed,) = place.narrowed
        if "job is a" in place.rule:
            assert narrowed.known == 0
            assert narrowed.exposure == 0
    assert not np.isnan(found.exposure).any()


def test_nothing_to_find_is_said() -> None:
    data = discreet.read(
        {"age": [1, 2, 3, 4], "pay": [5, 5, 5, 5]},
        roles={"age": "quasi-identifier", "pay": "confidential"},
    )
    found = RegressionAttack(leaf=1).run(data)
    assert found.gains == {"pay": 0.0}
    assert found.exposure.tolist() == [0.0] * 4
    assert "all equal" in found.note
    assert found.places[0].rule == ("every record",)


def test_bad_input_is_explained() -> None:
    data, _ = planted(60)
    with pytest.raises(UsageError, match="confidential column"):
        RegressionAttack().run(data.drop(["pay", "ill"]))
    with pytest.raises(UsageError, match="that the intruder knows"):
        RegressionAttack().run(data.drop(["age", "job", "hand"]))
    with pytest.raises(UsageError, match=r"'agge'.*did you mean 'age'"):
        RegressionAttack(columns=("agge",)).run(data)
    with pytest.raises(DataError, match="needs records"):
        RegressionAttack().run(data.take(np.zeros(0, dtype=np.int64)))


def test_the_professionals_of_figure_1() -> None:
    """Li & Sarkar, introduction: who is known to be a professional has a very narrow income."""
    unskilled, technical = "unskilled", "technical"
    jobs = [unskilled] * 3 + [technical, unskilled, technical, unskilled, technical, technical]
    jobs += [unskilled, "managerial", "managerial", "professional", "professional"]
    table = {
        "age": [27, 39, 46, 59, 64, 33, 35, 45, 48, 62, 30, 56, 42, 51],
        "years": [12, 14, 14, 12, 13, 16, 16, 18, 16, 16, 18, 17, 18, 20],
        "job": jobs,
        "income": [38, 42, 45, 50, 51, 59, 52, 66, 68, 60, 69, 72, 74, 77],
        "asset": [65, 70, 79, 84, 88, 94, 85, 116, 129, 110, 124, 133, 137, 143],
    }
    roles = dict.fromkeys(["age", "years", "job"], "quasi-identifier")
    data = discreet.read(table, roles={**roles, "income": "confidential", "asset": "confidential"})
    found = RegressionAttack(leaf=2).run(data)
    leaves = {tuple(sorted((place.rows + 1).tolist())): place for place in found.places}
    assert set(leaves) == {(1, 2), (3, 4, 5), (6, 7), (8, 9, 10), (11, 12), (13, 14)}
    income, asset = leaves[13, 14].narrowed
    assert (income.low, income.high, asset.low, asset.high) == (74, 77, 137, 143)
    assert income.range == pytest.approx(3 / 39)
    assert leaves[13, 14].rule[-1] == "job is professional"


def people_with_pay_and_illness() -> discreet.Microdata:
    draw = np.random.default_rng(2)
    age = draw.integers(20, 80, 400).astype(float)
    return discreet.read(
        {
            "age": age,
            "pay": 10 * age + draw.normal(0, 20, 400),
            "ill": draw.choice(list("yn"), 400),
            "hand": draw.choice(["left", "right"], 400),
        },
        roles={"age": "quasi-identifier", "pay": "confidential", "ill": "confidential"},
    )


def attempted(data: discreet.Microdata, **parameters: Any) -> Any:
    target = Target(data, data, Pairing.same_order(len(data)))
    return RegressionAttack(**parameters).attempt(target, Context(Randomness(1)))


def test_its_success_is_that_of_the_measures_of_guessing() -> None:
    data = people_with_pay_and_illness()
    outcome = attempted(data)
    measured = discreet.assess(data, data, ["regression-attack"]).risk["regression-attack"]
    assert outcome.detail["column"] == "pay"
    assert outcome.success == pytest.approx(measured.value)


def test_against_a_release_only_the_named_columns_are_guessed() -> None:
    data = people_with_pay_and_illness()
    outcome = attempted(data, responses=("ill",))
    measured = discreet.assess(data, data, ["classification-attack"]).risk["classification-attack"]
    assert outcome.detail["column"] == "ill"
    assert outcome.success == pytest.approx(measured.value)
    assert list(outcome.detail["columns"]) == ["ill"]
    with pytest.raises(UsageError, match=r"'pya'.*did you mean 'pay'"):
        attempted(data, responses=("pya",))


def test_against_a_release_only_the_named_columns_are_known() -> None:
    data = people_with_pay_and_illness()
    outcome = attempted(data, columns=("hand",))
    assert outcome.detail["predictors"] == ["hand"]
    assert outcome.success < 0.5 < attempted(data).success
    with pytest.raises(UsageError, match=r"'hnad'.*did you mean 'hand'"):
        attempted(data, columns=("hnad",))


def test_of_many_classes_the_rare_ones_are_given_away_too() -> None:
    rng = np.random.default_rng(4)
    job = np.minimum(rng.geometric(0.12, 1_500), 40)
    data = discreet.read(
        {"age": (job * 10 + rng.integers(0, 10, 1_500)).tolist(), "job": [f"j{j}" for j in job]},
        roles={"age": "quasi-identifier", "job": "confidential"},
    )
    found = RegressionAttack(places=100).attack(data, Context())
    # The tree is grown for the twelve commonest; the leaves are judged by all forty.
    assert 0.5 < found.gains["job"] < 0.99
    named = {name for place in found.places for name in str(place.narrowed).split("'")}
    assert {f"j{j}" for j in (1, 2, 3)} <= named
