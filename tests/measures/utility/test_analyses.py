"""Declared analyses: hand computation, whole flow by plan, claim and search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Measure, Randomness
from discreet.contracts.registry import build
from discreet.errors import ClaimError, NotApplicable, UsageError

ROLES = {
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "income": "confidential",
    "w": "weight",
}


def people(rows: int = 300) -> discreet.Microdata:
    draw = np.random.default_rng(3)
    age = draw.integers(18, 80, rows)
    sex = draw.choice(["f", "m"], rows)
    income = 20.0 * age + 200 * (sex == "m") + draw.normal(0, 150, rows)
    columns: dict[str, list[Any]] = {
        "age": age.tolist(),
        "sex": sex.tolist(),
        "income": income.round(2).tolist(),
        "w": draw.uniform(1, 4, rows).round(3).tolist(),
    }
    return discreet.read(columns, roles=ROLES)


DECLARED: list[dict[str, Any]] = [
    {"mean": {"of": ["income"], "by": ["sex"]}},
    {"table": {"of": ["sex"]}},
    {"linear": {"formula": "income ~ age + sex"}},
    {"logistic": {"formula": "sex ~ age"}},
]


def measured(original: discreet.Microdata, released: discreet.Microdata, *of: Any) -> Any:
    measure = build("measure", {"analyses": {"of": list(of or DECLARED)}})
    assert isinstance(measure, Measure)
    return measure.score(original, released, Context(Randomness(1)))


def test_identity_keeps_every_interval() -> None:
    score = measured(people(), people())
    assert score.value == pytest.approx(1)
    labels = [row["figure"] for row in score.detail["figures"]]
    assert labels == [
        "mean of income (sex = f)",
        "mean of income (sex = m)",
        "share (sex = f)",
        "share (sex = m)",
        "income ~ age + sex: intercept",
        "income ~ age + sex: age",
        "income ~ age + sex: sex = m",
        "sex ~ age: intercept",
        "sex ~ age: age",
    ]


def test_a_weighted_mean_by_hand() -> None:
    data = people()
    women = data["sex"] == 0
    values, weights = data["income"][women], data["w"][women]
    mean = (weights * values).sum() / weights.sum()
    parts = np.zeros(len(data))
    parts[women] = weights * (values - mean) / weights.sum()
    error = np.sqrt(len(data) / (len(data) - 1) * ((parts - parts.mean()) ** 2).sum())
    row = measured(data, data, DECLARED[0]).detail["figures"][0]
    assert row["original"] == pytest.approx(mean)
    assert row["original error"] == pytest.approx(error)


def test_shifted_values_lose_their_mean_and_keep_their_slope() -> None:
    data = people()
    shifted = data.replace([data.column("income").with_values(data["income"] + 5_000)])
    rows = {row["figure"]: row for row in measured(data, shifted).detail["figures"]}
    assert rows["mean of income (sex = f)"]["overlap"] == 0
    assert rows["income ~ age + sex: age"]["overlap"] == pytest.approx(1)


def test_permuted_values_lose_the_slope() -> None:
    data = people()
    mixed = np.random.default_rng(1).permutation(data["income"])
    rows = {
        row["figure"]: row
        for row in measured(data, data.replace([data.column("income").with_values(mixed)])).detail[
            "figures"
        ]
    }
    assert rows["income ~ age + sex: age"]["overlap"] == 0


def test_a_suppressed_column_widens_the_interval_instead_of_looking_exact() -> None:
    data = people()
    hidden = data["income"].copy()
    hidden[::2] = np.nan
    released = data.replace([data.column("income").with_values(hidden)])
    rows = {row["figure"]: row for row in measured(data, released).detail["figures"]}
    row = rows["mean of income (sex = f)"]
    assert row["released error"] > 1.2 * row["original error"]


def test_a_coarse_column_is_analysed_through_what_it_stands_for() -> None:
    data = people(2_000)
    recoded = discreet.protect(data, {"global-recoding": {"k": 150, "columns": ["age"]}}, 1)
    assert recoded.data.schema["age"].categories, "the ages are labels now"
    score = build("measure", {"analyses": {"of": DECLARED}}).score(  # type: ignore[attr-defined]
        data, recoded.data, Context(), recoded.pairing
    )
    rows = {row["figure"]: row for row in score.detail["figures"]}
    assert rows["mean of income (sex = f)"]["overlap"] == pytest.approx(1)
    slope = rows["income ~ age + sex: age"]
    assert slope["released"] is not None
    assert slope["released error"] > slope["original error"]


def test_a_column_that_is_not_released_is_a_loss_of_its_figures() -> None:
    data = people()
    rows = {row["figure"]: row for row in measured(data, data.drop(["age"])).detail["figures"]}
    assert rows["income ~ age + sex: age"]["overlap"] == 0
    assert rows["income ~ age + sex: age"]["released"] is None
    assert rows["mean of income (sex = m)"]["overlap"] == pytest.approx(1)


def test_nothing_declared_is_said() -> None:
    with pytest.raises(NotApplicable, match="no analyses are declared"):
        build("measure", "analyses").score(people(), people(), Context())  # type: ignore[attr-defined]


def test_a_release_knows_its_analyses() -> None:
    data = people()
    release = discreet.protect(data, {"additive-noise": {"columns": ["age"]}}, 1, analyses=DECLARED)
    assert "analyses" in discreet.assess(data, release).utility
    with pytest.raises(UsageError, match=r"an analysis names column 'incme'.*did you mean"):
        discreet.protect(data, "rank-swapping", analyses=[{"mean": {"of": ["incme"]}}])


def test_they_can_be_claimed() -> None:
    data = people()
    method = {"microaggregation": {"partition": {"mdav": {"k": 3}}}}
    release = discreet.protect(data, method, 1, analyses=DECLARED, claims={"analyses": 0.5})
    (claim,) = [c for c in release.claims if c.measure == "analyses"]
    assert claim.measured is not None
    assert claim.measured > 0.5
    with pytest.raises(ClaimError, match="analyses is claimed to be at least 1"):
        discreet.protect(data, method, 1, analyses=DECLARED, claims={"analyses": 1})


@pytest.mark.usefixtures("trials_in_process")
def test_the_search_can_aim_at_them() -> None:
    found = discreet.explore(
        people(),
        {"k-anonymity": 3},
        ["analyses"],
        candidates=[{"microaggregation": {"partition": {"mdav": {"k": {"try": [3, 30]}}}}}],
        cores=1,
        seed=1,
        analyses=DECLARED,
    )
    assert found.recommended is not None
    assert found.recommended.value == 3
    assert found.recommended.scores["analyses"].mean > 0.5
