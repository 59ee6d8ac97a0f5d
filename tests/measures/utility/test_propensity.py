"""Propensity: the logistic model against a direct minimiser, the learner, sizes and sampling."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build, entries, find
from discreet.errors import NotApplicable
from discreet.models.logistic_regression import logistic
from discreet.testing.tables import ordinary

PROPENSITY: Any = build("measure", "propensity")
LEARNER: Any = find("measure", "propensity")(model="learner")
PRINTED: Any = find("measure", "propensity")(model="logistic", powers=1)
PRODUCTS: Any = find("measure", "propensity")(model="logistic")
MODULE = "discreet.measures.utility.propensity"


def score(before: Any, after: Any, measure: Any = PROPENSITY, pairing: Any = None) -> Any:
    read = [t if isinstance(t, discreet.Microdata) else discreet.read(t) for t in (before, after)]
    return measure.score(*read, Context(Randomness(3)), pairing)


def slow(x: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Fitted probabilities by direct minimisation of the deviance."""

    def deviance(b: np.ndarray) -> tuple[float, np.ndarray]:
        linear = x @ b
        value = np.logaddexp(0, np.where(target > 0, -linear, linear)).sum()
        return float(value), x.T @ (1 / (1 + np.exp(-linear)) - target)

    found = minimize(deviance, np.zeros(x.shape[1]), jac=True, method="BFGS", tol=1e-10)
    return np.asarray(1 / (1 + np.exp(-x @ found.x)))


def test_files_that_can_be_told_apart_completely() -> None:
    before = {"x": np.arange(50.0)}
    found = score(before, {"x": np.arange(50.0) + 100})
    assert found.value == pytest.approx(0.25, abs=1e-6)
    assert found.detail["2N·U_p"] == pytest.approx(50, abs=1e-3)
    assert "all records are told apart with certainty" in found.note
    town = {"town": ["a"] * 40 + ["b"] * 9 + ["c"]}
    assert "1 record is told apart" in score(town, {"town": ["a"] * 45 + ["b"] * 5}).note
    assert "10 records are told apart" in score(town, {"town": ["a"] * 50}).note
    assert "certainty" not in score(before, {"x": np.arange(50.0) + 10}).note


def test_one_binary_column_by_hand() -> None:
    before = {"x": [0] * 5 + [1] * 5}
    after = {"x": [0] * 8 + [1] * 2}
    found = score(before, after)
    # Of the 13 zeros 8 are released, of the 7 ones 2.
    expected = (13 * (8 / 13 - 0.5) ** 2 + 7 * (2 / 7 - 0.5) ** 2) / 20
    assert found.value == pytest.approx(expected)
    assert found.detail["2N·U_p"] == pytest.approx(40 * expected)
    assert found.detail["expected under the null"] == pytest.approx(1 / 8 / 20)
    assert found.detail["ratio to the null"] == pytest.approx(expected * 160)
    assert found.per_record == pytest.approx([(8 / 13 - 0.5) ** 2] * 8 + [(2 / 7 - 0.5) ** 2] * 2)


def test_other_sizes_take_the_released_share() -> None:
    before = {"x": [0] * 6 + [1] * 6}
    found = score(before, {"x": [0] * 2 + [1] * 2})
    assert found.value == pytest.approx(0, abs=1e-20)
    assert found.detail["released share"] == 0.25
    found = score(before, {"x": [0] * 4})
    share = 4 / 16
    expected = (10 * (0.4 - share) ** 2 + 6 * share**2) / 16
    assert found.value == pytest.approx(expected, rel=1e-4)
    assert found.detail["expected under the null"] == pytest.approx(0.75**2 * 0.25 / 16)


def test_terms_are_products_of_different_columns() -> None:
    rng = np.random.default_rng(2)
    before, after = rng.normal(size=(200, 4)), rng.normal(size=(200, 4)) * 1.1
    names = list("abcd")
    found = score(
        dict(zip(names, before.T.copy(), strict=True)),
        dict(zip(names, after.T.copy(), strict=True)),
        PRINTED,
    )
    assert found.detail["terms"] == 4 + 6 + 4
    z = (np.vstack([before, after]) - before.mean(axis=0)) / before.std(axis=0)
    terms = [np.ones(400)]
    for order in (1, 2, 3):
        terms += [z[:, list(chosen)].prod(axis=1) for chosen in combinations(range(4), order)]
    fitted = slow(np.column_stack(terms), np.repeat([0.0, 1.0], 200))
    assert found.value == pytest.approx(float(((fitted - 0.5) ** 2).mean()), rel=1e-4)


def test_the_order_falls_where_records_are_few() -> None:
    rng = np.random.default_rng(3)
    data = {name: rng.normal(size=30) for name in "abcd"}
    found = score(data, data, PRINTED).detail
    assert found["order"] == 2  # 10 terms in 60 records; order 3 has 14
    small = {name: values[:12] for name, values in data.items()}
    assert score(small, small, PRINTED).detail["order"] == 1


def test_nominal_columns_enter_as_categories() -> None:
    found = score({"town": ["a", "b", "c", "d"] * 5}, {"town": ["a", "b", "c", "a"] * 5})
    # Shares of released: a 2/3, b and c 1/2, d 0.
    expected = (15 * (2 / 3 - 0.5) ** 2 + 5 * 0.25) / 40
    assert found.value == pytest.approx(expected, abs=1e-6)
    assert found.detail["terms"] == 3


def test_independent_draws_are_near_what_the_null_expects() -> None:
    rng = np.random.default_rng(4)
    ratios = []
    for _ in range(30):
        before, after = ({n: rng.normal(size=300) for n in "abc"} for _ in range(2))
        ratios.append(score(before, after, PRINTED).detail["ratio to the null"])
    # Both files are random here, the original of the null is not: twice the expectation.
    assert 1.5 < np.mean(ratios) < 2.6


def test_the_learner_finds_what_no_product_can() -> None:
    rng = np.random.default_rng(5)
    before, after = {"x": rng.normal(size=400)}, {"x": rng.choice([-1.0, 1.0], 400)}
    by_learner, by_line = score(before, after, LEARNER), score(before, after, PRINTED)
    assert by_line.value < 0.01
    assert by_learner.value > 0.1
    assert by_learner.detail["ratio to the null"] > 5
    assert by_learner.detail["out-of-fold AUC"] > 0.9


def test_the_learner_of_the_same_records_is_at_zero() -> None:
    rng = np.random.default_rng(6)
    data = discreet.read({"x": rng.normal(size=300), "t": rng.choice(["a", "b", "c"], 300)})
    order = rng.permutation(300)
    assert score(data, data.take(order), LEARNER, Pairing(order)).value == 0


def test_the_learner_does_not_see_what_is_not_there() -> None:
    rng = np.random.default_rng(9)
    ratios = []
    for _ in range(6):
        before, after = (
            {"x": rng.normal(size=400), "t": rng.choice(["a", "b", "c"], 400)} for _ in range(2)
        )
        found = score(before, after, LEARNER)
        ratios.append(found.detail["ratio to the null"])
        assert 0.4 < found.detail["out-of-fold AUC"] < 0.6
    assert np.mean(ratios) < 3


def test_large_files_are_sampled_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.LEARNER_RECORDS", 200)
    rng = np.random.default_rng(7)
    data = discreet.read({"x": rng.normal(size=1000)})
    noisy = data.replace([data.column("x").with_values(data["x"] + rng.normal(size=1000))])
    order = rng.permutation(1000)
    plain = score(data, noisy, LEARNER, Pairing.same_order(1000))
    assert "sampled records" in plain.note
    assert plain.interval[0] <= plain.value <= plain.interval[1]
    assert plain.per_record is None
    shuffled = score(data, noisy.take(order), LEARNER, Pairing(order))
    assert shuffled.value == pytest.approx(plain.value, rel=1e-12)
    assert score(data, data, LEARNER, Pairing.same_order(1000)).value == 0


def test_per_record_figures_follow_the_rows_of_the_release() -> None:
    rng = np.random.default_rng(11)
    data = discreet.read({"x": rng.normal(size=300)})
    moved = data["x"].copy()
    moved[:30] += 20
    noisy = data.replace([data.column("x").with_values(moved)])
    order = rng.permutation(300)
    found = score(data, noisy.take(order), LEARNER, Pairing(order))
    assert found.per_record[order < 30].min() > 3 * np.median(found.per_record[order >= 30])


def permuted(data: discreet.Microdata, seed: int = 1) -> discreet.Microdata:
    rng = np.random.default_rng(seed)
    return data.replace([c.with_values(rng.permutation(c.values)) for c in data])


def mixed(rows: int = 600) -> discreet.Microdata:
    """Return columns of all kinds that hang together, with too many categories for products."""
    rng = np.random.default_rng(8)
    level = rng.normal(size=rows)
    code = np.digitize(level + rng.normal(0, 0.2, rows), np.linspace(-2, 2, 29))
    return discreet.read(
        {
            "code": [f"c{i}" for i in code],
            "job": [f"j{(i * 7) % 30}" for i in code],
            "x": level,
            "y": level + rng.normal(0, 0.5, rows),
        }
    )


def test_permuted_columns_are_seen_where_products_do_not_fit() -> None:
    data = mixed()
    found = score(data, permuted(data), pairing=Pairing.same_order(len(data)))
    assert found.detail["model"] == "learner"
    assert found.detail["out-of-fold AUC"] > 0.75
    assert found.detail["ratio to the null"] > 2
    assert found.note.split(";")[0].endswith("times the value expected under the null")


def test_permuted_columns_are_seen_where_they_fit() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=500)
    data = discreet.read({"x": x, "y": x + rng.normal(0, 0.3, 500)})
    assert score(data, permuted(data)).detail["ratio to the null"] > 5


def test_what_the_learner_tells_apart_is_never_near_the_null() -> None:
    """Rings and squares of the same moments: products up to squares see little of it."""
    rng = np.random.default_rng(4)
    before = rng.normal(size=(800, 2))
    angle = rng.uniform(0, 2 * np.pi, 800)
    after = np.sqrt(2) * np.column_stack([np.cos(angle), np.sin(angle)])
    found = score(dict(zip("xy", before.T, strict=True)), dict(zip("xy", after.T, strict=True)))
    assert found.detail["out-of-fold AUC"] > 0.6
    assert found.detail["ratio to the null"] > 2


@pytest.mark.parametrize("measure", [PRODUCTS, LEARNER, PROPENSITY])
def test_a_column_that_says_nothing_tells_every_record_apart(measure: Any) -> None:
    data = mixed()
    nothing = np.zeros(len(data), dtype=np.int32)
    starred = data.replace([data.column("x").recoded(nothing, discreet.Kind.NOMINAL, ("*",))])
    for released in (data.drop(["x"]), starred):
        found = score(data, released, measure)
        assert found.value > 0.2
        assert "nothing is known about x" in found.note


def test_intervals_cost_less_than_nothing_known() -> None:
    rng = np.random.default_rng(2)
    ages = rng.integers(20, 80, 500)
    data = discreet.read({"age": ages})
    tens = discreet.read({"age": [f"{10 * (a // 10)}–{10 * (a // 10) + 9}" for a in ages]})
    whole = discreet.read(
        {"age": [f"{40 * ((a - 20) // 40) + 20}–{40 * ((a - 20) // 40) + 59}" for a in ages]}
    )
    fine, coarse = score(data, tens).value, score(data, whole).value
    assert fine < 0.01
    assert fine <= coarse < 0.1


def test_what_cannot_be_measured_is_said() -> None:
    data = discreet.read({"x": [1.0, 2.0]})
    with pytest.raises(NotApplicable, match="no records"):
        score(data, data.take(np.zeros(0, dtype=np.int64)))
    with pytest.raises(NotApplicable, match="no column that an analyst would work with"):
        score(discreet.read({"w": [1.0, 2.0]}, roles={"w": "weight"}), data)


def test_powers_see_a_spread_that_products_do_not() -> None:
    rng = np.random.default_rng(5)
    before = {"x": rng.normal(size=400), "y": rng.normal(size=400), "b": rng.integers(0, 2, 400)}
    # The mean is the same to the last digit, the spread is not.
    after = {**before, "x": 1.5 * (before["x"] - before["x"].mean()) + before["x"].mean()}
    squares = PRODUCTS
    blind, seeing = score(before, after, PRINTED), score(before, after, squares)
    assert blind.detail["2N·U_p"] < 1
    assert seeing.detail["2N·U_p"] > 10
    # x, x², y, y² and b, whose square is itself: 5, 8 products of two and 4 of three.
    assert (blind.detail["terms"], seeing.detail["terms"]) == (7, 17)
    assert score(before, before, squares).value == pytest.approx(0, abs=1e-12)
    far = {name: np.append(column, 1e300) for name, column in before.items()}
    assert np.isfinite(
        score(before, far, find("measure", "propensity")(model="logistic", powers=3)).value
    )
    cubes: Any = find("measure", "propensity")(model="logistic", powers=3, order=1)
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0] * 3)
    y = np.array([0.0, 0.0, 2.0, 3.0, 5.0, 5.0] * 3)
    v = np.concatenate([x, y])
    direct = slow(np.column_stack([v**p for p in range(4)]) / [1, 5, 25, 125], np.arange(36) // 18)
    assert score({"x": x}, {"x": y}, cubes).per_record == pytest.approx(
        (direct[18:] - 0.5) ** 2, abs=1e-4
    )


def test_a_fit_that_needs_many_steps_is_taken_to_its_end(data_files: Path) -> None:
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(data_files / "thyroid_complete_1947.csv", roles=roles)
    data = data.drop([name for name in data.schema.names if name not in names])
    micro = discreet.Microaggregation(discreet.partition.MDAV(k=20))
    before, after = data.matrix(names), discreet.protect(data, micro, seed=1).data.matrix(names)
    z = (np.vstack([before, after]) - before.mean(axis=0)) / before.std(axis=0)
    powers = [t for o in range(1, 5) for t in combinations_with_replacement(range(5), o)]
    x = np.column_stack([np.ones(len(z)), *(z[:, t].prod(axis=1) for t in powers)])
    target = np.repeat([0.0, 1.0], len(before))
    found = logistic(target, lambda piece: x[piece], 2_048)
    # Extreme values make the steps small: after forty of them U_p still lacked a fourteenth.
    assert found.settled
    slope = x.T @ (target - found.probabilities) / np.sqrt((x**2).sum(axis=0))
    assert np.abs(slope).max() < 1e-6


def test_thyroid_keeps_the_order_of_table_1(reference_data: Path) -> None:
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(reference_data / "thyroid_complete_1947.csv", roles=roles)
    data = data.drop([name for name in data.schema.names if name not in names])
    x = data.matrix(names)
    rng = np.random.default_rng(0)
    synthetic = rng.multivariate_normal(x.mean(axis=0), np.cov(x.T), len(x))
    drawn = data.replace([data.column(n).with_values(synthetic[:, i]) for i, n in enumerate(names)])
    micro = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=20)), seed=1)
    found = [score(data, table, PRINTED).detail for table in (micro.data, drawn)]
    assert found[0]["terms"] == 25
    assert found[0]["2N·U_p"] == pytest.approx(10.04, abs=0.01)
    assert found[0]["2N·U_p"] < found[1]["2N·U_p"]


def test_it_says_where_it_sees_single_columns_only() -> None:
    rng = np.random.default_rng(4)
    town = rng.integers(0, 40, 2000)
    frame = {"town": town.astype(str), "street": (town + rng.integers(0, 3, 2000)).astype(str)}
    original = discreet.read(frame)
    swapped = discreet.read({**frame, "street": rng.permutation(frame["street"])})
    found = score(original, swapped, PRODUCTS)
    assert found.value < 1e-6
    assert "relations between columns were not compared" in found.note
    assert score(original, swapped).detail["out-of-fold AUC"] > 0.9


def test_no_release_is_near_the_null_that_the_learner_tells_apart() -> None:
    data = ordinary(rows=400, missing=False).drop(["id", "weight", "household", "stratum"])
    measured = 0
    for entry in entries("method"):
        method: Any = entry.example()
        try:
            release = discreet.protect(data, method, seed=1)
        except discreet.DiscreetError:
            continue
        found = score(data, release.data, PROPENSITY, release.pairing).detail
        measured += 1
        if found["out-of-fold AUC"] > 0.6:
            assert found["ratio to the null"] > 3, (entry.spec.name, found)
    assert measured > 15
