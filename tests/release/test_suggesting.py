"""Suggested roles: values decide before names do."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.release.profile import Profile
from discreet.release.suggesting import suggested_role

ROWS = 300
RANDOM = np.random.default_rng(3)
BODIES = RANDOM.normal(75, 15, ROWS).round(1)
EXPANSION = RANDOM.lognormal(5, 0.5, ROWS).round(5)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("telephone", ["yes", "no"] * 150, "other"),
        ("Gewicht", BODIES, "confidential"),
        ("weight_kg", BODIES, "confidential"),
        ("peso", BODIES, "confidential"),
        ("Gewicht", EXPANSION, "weight"),
        ("weight", EXPANSION, "weight"),
        ("sampling_weight", [100] * ROWS, "weight"),
        ("household_income", RANDOM.lognormal(10, 1, ROWS), "confidential"),
        ("numero_menage", np.arange(ROWS) // 3, "household"),
        ("household_size", np.arange(ROWS) % 5, "quasi-identifier"),
        ("anno_nascita", 1940 + np.arange(ROWS) % 60, "quasi-identifier"),
        ("geboortejaar", 1940 + np.arange(ROWS) % 60, "quasi-identifier"),
        ("latitude", RANDOM.uniform(47, 48, ROWS), "quasi-identifier"),
        ("seen", [date(2020, 1, 1 + i % 28) for i in range(ROWS)], "quasi-identifier"),
        ("v1", [f"{i % 90:05}" for i in range(ROWS)], "quasi-identifier"),
        ("v1", [None] * ROWS, "other"),
        ("v1", [7] * ROWS, "other"),
        ("v1", ["a", "b", "c"] * 100, "other"),
    ],
)
def test_roles(name: str, values: Any, role: str) -> None:
    data = discreet.read({name: values if isinstance(values, list) else values.tolist()})
    suggested, reason = suggested_role(Profile.of(data, name))
    assert suggested.value == role
    assert reason
