"""Diabetes and Medicare as Li & Sarkar (2013) used them, and what their Table 1 says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discreet.io.reading import read
from discreet.microdata import Microdata

LEVELS = (0.05, 0.01)
"""The shares of linked records that Table 1 is about."""

BENCHMARK, MIXED, PARTIAL, FULL = (
    "Benchmark", "Benchmark, as mixed", "Partial CAMP-CREST", "CAMP-CREST",
)  # fmt: skip
# Table 1: seconds, linkage, X², ABIM, ABISD, ABICO, all but the first and third in percent.
TABLE_1: dict[tuple[str, float, str], tuple[float, ...]] = {
    ("Diabetes", 0.05, BENCHMARK): (1.3, 4.30, 2.27, 0, 36.10, 118.42),
    ("Diabetes", 0.05, PARTIAL): (1.3, 4.24, 2.04, 1.54, 2.94, 24.98),
    ("Diabetes", 0.05, FULL): (4.1, 4.17, 1.37, 1.46, 3.68, 28.62),
    ("Medicare", 0.05, BENCHMARK): (33.4, 4.29, 2.65, 0, 37.59, 392.54),
    ("Medicare", 0.05, PARTIAL): (34.9, 4.21, 2.64, 2.70, 2.54, 127.51),
    ("Medicare", 0.05, FULL): (126.2, 4.09, 1.89, 2.11, 2.96, 118.51),
    ("Diabetes", 0.01, BENCHMARK): (1.3, 1.04, 3.59, 0, 55.23, 171.87),
    ("Diabetes", 0.01, PARTIAL): (1.3, 0.86, 3.35, 1.96, 2.18, 29.94),
    ("Diabetes", 0.01, FULL): (4.5, 0.86, 2.56, 1.66, 1.86, 32.36),
    ("Medicare", 0.01, BENCHMARK): (33.1, 0.98, 3.39, 0, 50.93, 692.33),
    ("Medicare", 0.01, PARTIAL): (34.2, 0.97, 3.29, 2.53, 1.15, 141.82),
    ("Medicare", 0.01, FULL): (132.6, 0.96, 2.31, 2.79, 1.18, 136.40),
}
INDICATORS = (
    ("health", "poor"), ("health", "excellent"), ("adl", "limited"), ("region", "northeast"),
    ("region", "midwest"), ("region", "west"), ("afam", "yes"), ("gender", "male"),
    ("married", "yes"), ("employed", "yes"), ("insurance", "yes"), ("medicaid", "yes"),
)  # fmt: skip
DIABETES, MEDICARE = "pima_diabetes.csv", "medicare_nmes1988.csv"


def diabetes(folder: Path) -> Microdata:
    """768 patients, eight numbers, and the test result as class."""
    data = read(folder / DIABETES)
    roles = dict.fromkeys(data.schema.names, "quasi-identifier") | {"outcome": "confidential"}
    return read(folder / DIABETES, roles, {"outcome": "nominal"})


def medicare(folder: Path) -> Microdata:
    """4,406 persons, 21 quasi-identifiers in 0–1 coding, the number of chronic conditions."""
    data = read(folder / MEDICARE)
    columns: dict[str, list[Any]] = {
        column.name: column.values.tolist()
        for column in data
        if column.attribute.continuous and column.name != "chronic"
    }
    for name, category in INDICATORS:
        at = data.schema[name].categories.index(category)
        columns[f"{name} {category}"] = (data[name] == at).astype(float).tolist()
    roles = dict.fromkeys(columns, "quasi-identifier") | {"chronic": "confidential"}
    conditions = ("none", "one", "several")
    columns["chronic"] = [conditions[min(int(count), 2)] for count in data["chronic"]]
    return read(columns, roles)


FILES = {"Diabetes": (DIABETES, diabetes), "Medicare": (MEDICARE, medicare)}
