"""What the README of the data sets states about the patients is so."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from discreet import datasets

Rows = list[dict[str, str]]
Numbers = Callable[..., npt.NDArray[np.float64]]


def share(rows: Rows, column: str, value: str, **where: str) -> float:
    """The share of a value among the rows that have the given other values."""
    chosen = [row for row in rows if all(row[key] == wanted for key, wanted in where.items())]
    return sum(row[column] == value for row in chosen) / len(chosen)


def households(rows: Rows) -> list[Rows]:
    found: dict[str, Rows] = defaultdict(list)
    for row in rows:
        found[row["household_id"]].append(row)
    return list(found.values())


def test_size(rows: Rows) -> None:
    assert len(rows) == 3_000
    assert datasets.path().stat().st_size < 400_000


def test_readme_states_role_kind_and_missing_share(rows: Rows) -> None:
    text = datasets.path().with_name("README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\w+) \| ([\w-]+) \| (\w+) \| ([\d.]+) % \|", text, re.MULTILINE)
    assert {column: role for column, role, _, _ in table} == datasets.roles()
    assert {column: kind for column, _, kind, _ in table} == {
        column: kind if isinstance(kind, str) else "ordinal"
        for column, kind in datasets.kinds().items()
    }
    for column, _, _, percent in table:
        missing = sum(not row[column] for row in rows) / len(rows)
        assert float(percent) == pytest.approx(100 * missing, abs=0.0501), column
        assert missing == 0 or column == "email" or 0.01 <= missing <= 0.08, column


# Direct identifiers


@pytest.mark.parametrize("column", ["patient_id", "insurance_no", "email"])
def test_identifiers_are_unique(rows: Rows, column: str) -> None:
    present = [row[column] for row in rows if row[column]]
    assert len(set(present)) == len(present) > 2_000


def test_codes_have_leading_zeros(rows: Rows) -> None:
    for row in rows:
        assert re.fullmatch(r"00\d{7}", row["patient_id"])
        assert re.fullmatch(r"0[1-5]\d{3}", row["postcode"])
        assert re.fullmatch(r"\d{4}", row["household_id"])
    assert any(row["household_id"].startswith("00") for row in rows)


def test_no_address_is_real(rows: Rows) -> None:
    for row in rows:
        assert re.fullmatch(r"([a-z]+\d*@example\.org)?", row["email"])
        assert row["email"] == "" or int(row["age"]) >= 14


def test_no_insurance_number_is_valid(rows: Rows) -> None:
    for row in rows:
        assert re.fullmatch(r"ZZ\d{7}", row["insurance_no"])
        digits = [int(digit) for digit in reversed(row["insurance_no"][2:])]
        doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
        assert (sum(digits[::2]) + sum(doubled)) % 10 != 0


# Households, region, weight


def test_households_agree(rows: Rows) -> None:
    for members in households(rows):
        for column in ("postcode", "region", "sampling_weight"):
            assert len({row[column] for row in members}) == 1
    assert {len(members) for members in households(rows)} == {1, 2, 3, 4, 5, 6}


def test_children_live_with_grown_ups(rows: Rows) -> None:
    for members in households(rows):
        ages = sorted(int(row["age"]) for row in members)
        if ages[0] < 16:
            assert ages[-1] >= ages[0] + 18
            assert ages[-1] >= 20
    assert sum(int(row["age"]) < 16 for row in rows) > 300


def test_children_have_no_occupation_or_income(rows: Rows) -> None:
    for row in rows:
        if int(row["age"]) < 16:
            assert (row["education"], row["occupation"], row["income"]) == ("none", "none", "0")
        else:
            assert row["occupation"] != "none"
            assert row["income"] != "0"


def test_regions_nest_postcodes(rows: Rows) -> None:
    pairs = {(row["postcode"][:2], row["region"]) for row in rows}
    assert len(pairs) == len({region for _, region in pairs}) == 5
    assert len({row["postcode"] for row in rows}) == 100


def test_weights_add_up_to_the_population(rows: Rows) -> None:
    totals: dict[str, float] = defaultdict(float)
    for row in rows:
        totals[row["region"]] += float(row["sampling_weight"])
    expected = {
        "Ixholm": 60_000,
        "Quelva": 42_000,
        "Truskal": 24_000,
        "Vonneth": 12_000,
        "Zarbel": 6_000,
    }
    assert totals == pytest.approx(expected, rel=1e-3)


# Dependence between columns


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("height_cm", "weight_kg", 0.45, 0.70),
        ("age", "systolic_bp", 0.55, 0.80),
        ("age", "cholesterol", 0.40, 0.65),
        ("weight_kg", "systolic_bp", 0.25, 0.50),
        ("age", "height_cm", -0.20, -0.03),
        ("age", "visits", 0.25, 0.50),
        ("visits", "cost", 0.30, 0.70),
    ],
)
def test_correlation(
    adults: Rows, numbers: Numbers, one: str, other: str, low: float, high: float
) -> None:
    first, second = numbers(adults, one, other)
    assert low < np.corrcoef(first, second)[0, 1] < high


def test_income_rises_with_education_at_work(adults: Rows, numbers: Numbers) -> None:
    working = [row for row in adults if row["occupation"] not in ("student", "retired", "")]
    medians = [
        np.median(numbers([row for row in working if row["education"] == level], "income"))
        for level in datasets.kinds()["education"][1:]
    ]
    assert medians == sorted(medians)
    assert medians[-1] > 1.5 * medians[0]


def test_income_is_lognormal_within_an_occupation(adults: Rows, numbers: Numbers) -> None:
    for job in ("retired", "sales", "office", "factory"):
        logs = np.log(numbers([row for row in adults if row["occupation"] == job], "income")[0])
        centred = (logs - logs.mean()) / logs.std()
        assert 0.3 < logs.std() < 0.5
        assert abs((centred**3).mean()) < 0.5


def test_diagnosis_depends_on_age_sex_and_occupation(rows: Rows) -> None:
    old = [row for row in rows if int(row["age"]) > 65]
    young = [row for row in rows if int(row["age"]) <= 40]
    for diagnosis in ("cardiac", "cancer", "diabetes"):
        assert share(old, "diagnosis", diagnosis) > 2.5 * share(young, "diagnosis", diagnosis)
    for diagnosis in ("injury", "asthma"):
        assert share(young, "diagnosis", diagnosis) > 2 * share(old, "diagnosis", diagnosis)
    assert share(rows, "diagnosis", "mental", sex="F") > share(rows, "diagnosis", "mental", sex="M")
    assert share(rows, "diagnosis", "injury", sex="M") > share(rows, "diagnosis", "injury", sex="F")
    by_job = {
        job: share(rows, "diagnosis", "injury", occupation=job) for job in ("farming", "office")
    }
    assert by_job["farming"] > by_job["office"] + 0.08


def test_diagnosis_depends_on_bmi(adults: Rows, numbers: Numbers) -> None:
    def bmi(chosen: Rows) -> float:
        height, weight = numbers(chosen, "height_cm", "weight_kg")
        return float((weight / (height / 100) ** 2).mean())

    diabetic = [row for row in adults if row["diagnosis"] == "diabetes"]
    assert bmi(diabetic) > bmi(adults) + 1


def test_cost_is_semicontinuous(rows: Rows, numbers: Numbers) -> None:
    cost = numbers(rows, "cost")[0]
    assert 0.15 < (cost == 0).mean() < 0.30
    cancer = numbers([row for row in rows if row["diagnosis"] == "cancer"], "cost")[0]
    assert np.median(cancer) > 5 * np.median(cost)


def test_missing_values_depend_on_age(rows: Rows) -> None:
    children = [row for row in rows if int(row["age"]) < 16]
    others = [row for row in rows if int(row["age"]) >= 16]
    for column in ("cholesterol", "systolic_bp"):
        assert share(children, column, "") > 2 * share(others, column, "")
    for column in ("education", "occupation", "income"):
        assert share(children, column, "") == 0


def test_partners_are_alike_in_education(rows: Rows) -> None:
    order = datasets.kinds()["education"]
    pairs = []
    for members in households(rows):
        grown = [row for row in members if int(row["age"]) >= 30 and row["education"]]
        if len(members) == len(grown) == 2:
            pairs.append([order.index(row["education"]) for row in grown])
    assert np.corrcoef(np.array(pairs).T)[0, 1] > 0.25
