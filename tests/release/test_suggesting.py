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
        ("telephone", ["yes", "no"] * 150, "confidential"),
        ("passportNumber", [f"0{i:08}" for i in range(ROWS)], "identifier"),
        ("residence", [f"AB{i:06}" for i in range(ROWS)], "identifier"),
        ("school", [f"{i:09}" for i in range(ROWS)], "identifier"),
        ("lsoa", [f"E{1_000_000 + i % 280}" for i in range(ROWS)], "quasi-identifier"),
        ("home_cell_id", 10_000 + np.arange(ROWS) % 60 * 37, "quasi-identifier"),
        ("v1", [f"C{7_000_000 + i % 25}" for i in range(ROWS)], "quasi-identifier"),
        ("weight", np.arange(ROWS) + 1, "identifier"),
        ("aweight", np.arange(ROWS) + 10**8, "identifier"),
        ("fare", np.arange(ROWS) + 10**8, "identifier"),
        ("expenses", np.arange(ROWS)[::-1], "identifier"),
        ("Kreditsumme_Nr", np.arange(ROWS) + 100, "identifier"),
        ("income", 100 + np.cumsum(1 + RANDOM.poisson(2, ROWS)), "identifier"),
        ("income", RANDOM.choice(10**6, ROWS, replace=False) + 10**6, "identifier"),
        ("income", RANDOM.lognormal(14.5, 0.3, ROWS).round(), "confidential"),
        ("income", 1500 + 10 * np.arange(ROWS), "confidential"),
        ("Kreditnehmer_Alter", RANDOM.integers(23, 75, ROWS), "quasi-identifier"),
        ("last4", RANDOM.integers(0, 10_000, ROWS), "quasi-identifier"),
        (
            "col7",
            [f"N{'abcdefghijkl'[i % 12]}{i // 12 % 10}" for i in range(ROWS)],
            "quasi-identifier",
        ),
        (
            "col8",
            ["Na" + chr(97 + i % 20) + chr(97 + i // 20) for i in range(ROWS)][:200]
            + ["Naaa"] * 100,
            "identifier",
        ),
        ("costcentre", 3 * np.arange(ROWS) + 1000, "identifier"),
        ("Krankenhaus", ["St. Mary", "General", "Lakeside"] * 100, "quasi-identifier"),
        ("hospital", ["St. Mary", "General", "Lakeside"] * 100, "quasi-identifier"),
        ("hospital", np.arange(ROWS) % 6, "confidential"),
        ("school_type", ["state", "church", "private"] * 100, "quasi-identifier"),
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
        ("CustomerAge", 20 + np.arange(ROWS) % 60, "quasi-identifier"),
        ("IDADEMAE", 20 + np.arange(ROWS) % 30, "quasi-identifier"),
        ("GBAGEBOORTEJAAR", 1940 + np.arange(ROWS) % 60, "quasi-identifier"),
        ("mtl. Nettoeinkommen", RANDOM.lognormal(8, 0.5, ROWS), "confidential"),
        ("ETA_NUM", 750_000_000 + np.arange(ROWS) % 40, "confidential"),
        ("TUMOURID", RANDOM.choice(9 * 10**8, ROWS, replace=False) + 10**8, "identifier"),
        ("Kreditnehmer", [f"Ada Muster {i}" for i in range(ROWS)], "identifier"),
        ("Bemerkung", ["siehe Akte", "Kunde angerufen"] * 150, "identifier"),
        ("LoginAttempts", np.arange(ROWS) % 5, "confidential"),
        ("Patient", [f"P{i % 200:05}" for i in range(ROWS)], "person"),
        ("Patient", [f"Ada Muster {i % 200}" for i in range(ROWS)], "identifier"),
        ("Attending", ["Dr. Weiss", "Dr. Lang", "Dr. de Wit"] * 100, "identifier"),
        ("peso", RANDOM.normal(3200, 500, ROWS).round(), "confidential"),
        ("v1", ["I50.9", "J44.1", "E11.65"] * 100, "confidential"),
        ("v1", (1930 + np.arange(ROWS) % 70), "quasi-identifier"),
        ("v1", ["m", "w", "d"] * 100, "quasi-identifier"),
        ("v1", ["married", "single", "other"] * 100, "quasi-identifier"),
        ("v1", [f"{1000 + i} AB" for i in range(ROWS)], "quasi-identifier"),
        ("X", RANDOM.uniform(3.5e5, 4e5, ROWS), "quasi-identifier"),
        ("x", RANDOM.normal(0, 1, ROWS), "confidential"),
        ("v1", np.sort(np.arange(ROWS) // 3), "household"),
        ("v1", [None] * ROWS, "other"),
        ("v1", [7] * ROWS, "other"),
        ("v1", ["a", "b", "c"] * 100, "confidential"),
        ("v1", [f"a{i % 100:03}b7c9" for i in range(ROWS)], "person"),
        ("v1", 16 + np.arange(ROWS) % 75, "quasi-identifier"),
        ("v1", 11 + (np.arange(40 * ROWS) % 40) ** 2, "quasi-identifier"),
        ("v1", 870_000_001 + 7919 * (np.arange(ROWS) % 120), "person"),
        ("v1", 100_000_000 + 25_000 * (np.arange(ROWS) % 120), "confidential"),
        ("v1", 1 + np.arange(ROWS) % 3, "other"),
        ("v1", 1 + np.arange(ROWS)[::-1] % 3, "confidential"),
        ("v1", [2021, 2022, 2023] * 100, "quasi-identifier"),
        ("v1", [2021, 2022, 2423] * 100, "confidential"),
        ("v1", [1001, 1204, 2230, 5710, 6604, 9999] * 50, "quasi-identifier"),
        ("v1", ["08:15", "17:40", "23:05"] * 100, "quasi-identifier"),
        ("zone_fine", [f"{i % 90:05}" for i in range(ROWS)], "quasi-identifier"),
        ("tipo_hogar", [1, 2, 2] * 100, "quasi-identifier"),
        ("num_prestamo", RANDOM.choice(9 * 10**8, ROWS, replace=False) + 10**8, "identifier"),
        ("prestamo", 1000 * RANDOM.integers(1000, 9000, ROWS), "confidential"),
        ("cell_id", 10_000 + np.arange(ROWS) % 60, "quasi-identifier"),
        ("kjønn", ["m", "k"] * 150, "quasi-identifier"),
    ],
)
def test_roles(name: str, values: Any, role: str) -> None:
    data = discreet.read({name: values if isinstance(values, list) else values.tolist()})
    suggested, reason = suggested_role(Profile.of(data, name))
    assert suggested.value == role
    assert reason
