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
