"""Suggested kinds: codes are no quantities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Kind, Role
from discreet.release.profile import Profile
from discreet.release.suggested_kind import suggested_kind

ROWS = 1200
RANDOM = np.random.default_rng(5)
STAFF = np.maximum(1, np.exp(np.random.default_rng(6).normal(2.0, 1.4, 4 * ROWS)).round())
# Codes of a classification, some of them far more common than others, as in real files.
LIST = np.random.default_rng(7).permutation(np.r_[1:3, 10:34, 41:44, 45:48, 49:54, 55:64, 64:99])


def kind(name: str, values: Any, role: Role = Role.OTHER) -> tuple[Kind, tuple[Any, ...]]:
    data = discreet.read({name: values if isinstance(values, list) else values.tolist()})
    suggested, _, categories = suggested_kind(Profile.of(data, name), role)
    return suggested, categories


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("region", RANDOM.choice([11, 12, 24, 32, 44, 53, 76, 84, 93], ROWS), "nominal"),
        ("v1", RANDOM.choice([11, 12, 24, 32, 44, 53, 76, 84, 93], ROWS), "nominal"),
        ("marital_status", 1 + np.arange(ROWS) % 5, "nominal"),
        ("education_level", 1 + np.arange(ROWS) % 24, "ordinal"),
        ("Zufriedenheit", 1 + np.arange(ROWS) % 7, "ordinal"),
        ("v1", 1 + np.arange(ROWS) % 5, "ordinal"),
        ("v1", RANDOM.poisson(1, ROWS), "continuous"),
        ("n_children", RANDOM.poisson(1, ROWS), "continuous"),
        ("age", RANDOM.normal(45, 15, ROWS).round(), "continuous"),
        ("v1", RANDOM.normal(45, 15, ROWS), "continuous"),
        ("v1", np.arange(ROWS) % 2, "nominal"),
        ("cluster_number", RANDOM.choice(np.arange(1, 400, 7), ROWS), "nominal"),
        ("ethnicity", 1 + np.arange(ROWS) % 5, "nominal"),
        ("v1", 6 + np.arange(ROWS) % 3, "nominal"),
        ("statura_cm", RANDOM.normal(169, 9, ROWS).round(), "continuous"),
        ("floor_area_m2", RANDOM.normal(92, 30, ROWS).round(), "continuous"),
        ("cell_id", RANDOM.choice(np.arange(10_000, 60_000, 150), ROWS), "nominal"),
        ("procedures", RANDOM.poisson(2, ROWS), "continuous"),
        ("v1", STAFF, "continuous"),
        ("Beschäftigte", STAFF, "continuous"),
        ("v1", LIST[RANDOM.geometric(0.05, 4 * ROWS) % len(LIST)], "nominal"),
    ],
)
def test_kinds(name: str, values: Any, expected: str) -> None:
    assert kind(name, values)[0].value == expected


def test_numbers_of_somebody_are_names() -> None:
    assert kind("x", np.arange(ROWS), Role.IDENTIFIER)[0] is Kind.NOMINAL
    assert kind("x", np.arange(ROWS) // 2, Role.HOUSEHOLD)[0] is Kind.NOMINAL


def test_spans_of_numbers_stand_in_their_order() -> None:
    spans = ["65+", "18-34", "0-17", "35-64"]
    assert kind("age_group", spans * 10) == (Kind.ORDINAL, ("0-17", "18-34", "35-64", "65+"))
    assert kind("age", [">70", "<=30", "<=50"] * 10)[1] == ("<=30", "<=50", ">70")


def test_long_codes_of_a_list_are_no_quantities() -> None:
    codes = RANDOM.choice(np.arange(1000, 10_000), 100, replace=False)
    rents = 50 * RANDOM.choice(np.arange(4, 19), ROWS)
    assert kind("x", RANDOM.choice(codes, ROWS), Role.QUASI_IDENTIFIER)[0] is Kind.NOMINAL
    assert kind("x", rents, Role.QUASI_IDENTIFIER)[0] is Kind.CONTINUOUS
