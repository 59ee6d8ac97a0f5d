"""The population of a release: from a register, from weights, from a fraction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import ClaimError, NotApplicable, UsageError

QI = "quasi-identifier"
DATA = {"age": [30, 30, 41], "w": [3.0, 5.0, 2.0]}


def k_map(**parameters: Any) -> Any:
    return build("measure", {"k-map": parameters})


def test_weights_and_fractions_are_estimates_with_an_interval() -> None:
    data = discreet.read(DATA, roles={"age": QI, "w": "weight"})
    score = k_map().score(data, data, Context())
    assert score.per_record.tolist() == [8, 8, 2]
    # The last record is alone and one of two: F is geometric, 1 with chance 1/2.
    assert score.interval == (1, 6)
    assert k_map(fraction=0.25).score(data, data, Context()).per_record.tolist() == [8, 8, 4]


def test_the_interval_of_a_class_holds_as_often_as_it_says() -> None:
    # People are drawn into the sample one by one: given f, F is what the interval is for.
    draw = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        population = 2 + draw.negative_binomial(2, 0.1)
        data = discreet.read({"age": [30, 30]}, roles={"age": QI})
        low, high = k_map(fraction=0.1).score(data, data, Context()).interval
        inside += low <= population <= high
    assert inside / 400 >= 0.93


def test_a_population_is_needed() -> None:
    data = discreet.read({"age": [30, 41]}, roles={"age": QI})
    with pytest.raises(NotApplicable, match="give it a register"):
        k_map().score(data, data, Context())
    with pytest.raises(UsageError, match="one entry population=path"):
        k_map(register=["people.csv"]).score(data, data, Context())
    with pytest.raises(UsageError, match="there is no register"):
        k_map(register=["population=nowhere.csv"]).score(data, data, Context())


def test_a_register_that_lacks_people_never_makes_a_record_safer() -> None:
    data = discreet.read({"age": [30, 30, 41]}, roles={"age": QI})
    score = k_map().from_population({"age": [30, 41, 41]}).score(data, data, Context())
    assert score.per_record.tolist() == [2, 2, 2]
    assert "2 records have values that fewer people" in score.note


def test_equal_by_parameters_and_register() -> None:
    register = {"age": [30]}
    measure = k_map().from_population(register)
    assert measure == k_map().from_population(register) != k_map().from_population({"age": [30]})
    assert measure.files() == []
    assert k_map().from_population("people.csv").files() == ["people.csv"]


def test_a_plan_claims_k_map_by_its_register(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n" + "30\n" * 6 + "41\n" * 3)
    (tmp_path / "file.csv").write_text("age,pay\n30,1\n30,2\n41,5\n41,6\n")
    plan = """
data: {file: file.csv}
columns: {age: quasi-identifier, pay: confidential}
steps: [{rounding: {base: 1}}]
measures:
  - k-map: {register: ["population=people.csv"]}
claims: {k-map: BOUND}
"""
    (tmp_path / "plan.yaml").write_text(plan.replace("BOUND", "3"))
    recipe = discreet.Plan.load(tmp_path / "plan.yaml")
    release = recipe.run()
    assert release.claims[-1].measured == 3
    out = release.write(tmp_path / "release")
    assert '"population=people.csv"' in (out / "manifest.json").read_text()
    assert str(tmp_path) not in (out / "manifest.json").read_text()
    assert "register" in recipe.dump()
    (tmp_path / "plan.yaml").write_text(plan.replace("BOUND", "4"))
    with pytest.raises(ClaimError, match="k-map is claimed to be at least 4"):
        discreet.Plan.load(tmp_path / "plan.yaml").run()


def test_other_claims_are_about_the_measure_as_it_is_by_default() -> None:
    columns = {"age": [30.0, 30.0, 41.0, None], "pay": [1, 2, 3, 4]}
    data = discreet.read(columns, roles={"age": QI})
    weak = build("measure", {"k-anonymity": {"missing_matches": "anything"}})
    with pytest.raises(ClaimError, match="k-anonymity"):
        discreet.protect(data, "rounding", claims={"k-anonymity": 2}, measures=[weak])  # type: ignore[list-item]


@pytest.mark.parametrize("seed", range(4))
def test_every_measure_beside_comparing_all_records_with_all_people(seed: int) -> None:
    """Ages are bands of ten or wider ones, jobs may be suppressed; a person fits or does not."""
    draw = np.random.default_rng(seed)
    jobs = ["nurse", "doctor", "judge"]
    people = list(zip(draw.integers(20, 60, 60).tolist(), draw.choice(jobs, 60), strict=True))
    inside = [people[i] for i in draw.permutation(60)[:15]]
    wide = draw.choice([10, 20], 15).tolist()
    bands = [(age // w * w, age // w * w + w - 1) for (age, _), w in zip(inside, wide, strict=True)]
    known = [job if draw.random() < 0.7 else None for _, job in inside]
    data = discreet.read(
        {"age": [a for a, _ in inside], "job": [j for _, j in inside]}, roles={"age": QI, "job": QI}
    )
    cells = {"age": [f"{low}–{high}" for low, high in bands], "job": known}
    released = discreet.read(cells, roles={"age": QI, "job": QI})
    # Each class of equal records, with the people who could be one of them.
    alike = list(zip(bands, known, strict=True))
    fits = [
        [low <= age <= high and job in (k, job if k is None else k) for age, job in people]
        for (low, high), k in alike
    ]
    F = [sum(row) for row in fits]
    present = [
        min(1.0, sum(alike.count(c) / F[alike.index(c)] for c in set(alike)
                     if fits[alike.index(c)][p]))
        for p in range(60)
    ]  # fmt: skip
    register = {"age": [a for a, _ in people], "job": [j for _, j in people]}
    expected = {
        "k-map": min(F),
        "journalist-risk": max(1 / f for f in F),
        "marketer-risk": sum(1 / f for f in F) / 15,
        "delta-presence": max(present),
    }
    for name, value in expected.items():
        measure: Any = build("measure", name)
        score = measure.from_population(register).score(data, released, Context())
        assert score.value == pytest.approx(value), name
    assert score.detail["least chance of a person"] == pytest.approx(min(present))
