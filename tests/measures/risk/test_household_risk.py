"""Household risk: products over the members."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.microdata.equivalence import classes

HOUSEHOLD: Any = build("measure", "household-risk")
PERSON: Any = build("measure", "individual-risk")
CLASSES: Any = build("measure", "k-anonymity")
ROLES = {"age": "quasi-identifier", "home": "household", "w": "weight"}


def slow_risks(risks: list[float], homes: list[Any]) -> list[float]:
    return [
        risk
        if home is None
        else 1 - prod(1 - r for r, h in zip(risks, homes, strict=True) if h == home)
        for risk, home in zip(risks, homes, strict=True)
    ]


def test_a_small_table_by_hand() -> None:
    data = discreet.read(
        {"age": [30, 30, 41, 41, 50], "home": ["a", "a", "b", None, None]},
        roles={"age": "quasi-identifier", "home": "household"},
    )
    score = HOUSEHOLD.score(data, data, Context())
    # Individual risks 1/2, 1/2, 1/2, 1/2, 1; those without a number are alone.
    assert score.per_record.tolist() == pytest.approx([0.75, 0.75, 0.5, 0.5, 1])
    assert score.value == pytest.approx(0.7)
    assert score.detail["households"] == 4
    assert score.detail["expected households re-identified"] == pytest.approx(2.75)


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["p", "q", "r"]), st.floats(1, 50)),
        min_size=1,
        max_size=20,
    )
)
def test_the_risk_is_that_of_the_product(rows: list[tuple[int, str, float]]) -> None:
    age, home, weight = (list(column) for column in zip(*rows, strict=True))
    data = discreet.read({"age": age, "home": home, "w": weight}, roles=ROLES)
    persons = PERSON.score(data, data, Context()).per_record.tolist()
    score = HOUSEHOLD.score(data, data, Context())
    assert score.per_record.tolist() == pytest.approx(slow_risks(persons, home))
    assert score.value >= PERSON.score(data, data, Context()).value - 1e-12


def test_without_households_it_does_not_apply() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="household"):
        HOUSEHOLD.score(data, data, Context())


def household_survey(data_files: Path, keys: list[str], unit: str | None = None) -> Microdata:
    return discreet.read(
        data_files / "sdcmicro_testdata.csv",
        roles={
            **dict.fromkeys(keys, "quasi-identifier"),
            "ori_hid": "household",
            "sampling_weight": "weight",
        },
        kinds=dict.fromkeys(keys, "nominal"),
        unit=unit,
    )


def test_a_household_survey(data_files: Path) -> None:
    keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
    data = household_survey(data_files, keys)
    persons = PERSON.score(data, data, Context())
    homes = HOUSEHOLD.score(data, data, Context())
    assert (homes.per_record >= persons.per_record - 1e-12).all()
    assert persons.value < homes.value < 1
    assert homes.per_record.tolist()[:50] == pytest.approx(
        slow_risks(persons.per_record.tolist(), data["ori_hid"].tolist())[:50]
    )
    theirs = risks_of_sdcmicro(data, keys)
    of_homes = of_sdcmicros_homes(data, theirs)
    assert persons.per_record.tolist() == pytest.approx(theirs, rel=0.06, abs=1e-5)
    assert persons.per_record.sum() == pytest.approx(sum(theirs), rel=5e-4)
    assert homes.per_record.sum() == pytest.approx(sum(of_homes), rel=5e-4)


def test_the_published_figures_of_sdcmicro(reference_data: Path) -> None:
    """Templ, Kowarik & Meindl (2015), Journal of Statistical Software 67(4): its first example.

    Records below 2-, 3- and 5-anonymity 330, 674, 1288 (7.205, 14.716, 28.122 %), expected
    re-identifications 24.78 (0.541 %), and 117.20 (2.559 %) by household. Its risks are those of a
    shorter rule where three or more are alike; the exact ones are lower by less than 0.05 %.
    """
    keys = ["urbrur", "water", "sex", "age"]
    by_record = household_survey(reference_data, keys, "record")
    sizes = CLASSES.score(by_record, by_record, Context()).per_record
    below = [f"{(sizes < k).sum()} ({100 * (sizes < k).mean():.3f} %)" for k in (2, 3, 5)]
    assert below == ["330 (7.205 %)", "674 (14.716 %)", "1288 (28.122 %)"]
    # k counts households unless a plan says otherwise; the risks are of persons all the same.
    data = household_survey(reference_data, keys)
    sizes = CLASSES.score(data, data, Context()).per_record
    assert [int((sizes < k).sum()) for k in (2, 3, 5)] == [334, 674, 1293]
    theirs = risks_of_sdcmicro(data, keys)
    of_homes = of_sdcmicros_homes(data, theirs)
    published = [
        f"{sum(risks):.2f} ({100 * sum(risks) / len(data):.3f} %)" for risks in (theirs, of_homes)
    ]
    assert published == ["24.78 (0.541 %)", "117.20 (2.559 %)"]
    ours = [measure.score(data, data, Context()).per_record for measure in (PERSON, HOUSEHOLD)]
    for exact, shorter in zip(ours, (24.78, 117.20), strict=True):
        assert 0.9995 * shorter < exact.sum() < shorter


def of_sdcmicros_homes(data: Microdata, risks: list[float]) -> list[float]:
    alone = np.ones(len(data))
    np.multiply.at(alone, data["ori_hid"], 1 - np.array(risks))
    return list((1 - alone[data["ori_hid"]]).tolist())


def risks_of_sdcmicro(data: Microdata, keys: list[str]) -> list[float]:
    """Its rule: exact for one or two alike in the sample, and p/(f − (1 − p)) for f of them."""
    label = classes(data, keys)
    f, weight = np.bincount(label), np.bincount(label, data["sampling_weight"])
    p = f / weight
    odds = p / (1 - p)
    risk = np.where(f == 1, -odds * np.log(p), p / (f - 1 + p))
    risk = np.where(f == 2, odds + odds**2 * np.log(p), risk)
    return list(risk[label].tolist())
