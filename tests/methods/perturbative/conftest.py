"""A clinic whose confidential columns follow the numbers."""

from __future__ import annotations

import numpy as np
import pytest

import discreet


@pytest.fixture(scope="module")
def clinic() -> discreet.Microdata:
    """Two confidential columns that follow the numbers, so that plain groups would be of one."""
    rng = np.random.Generator(np.random.PCG64(8))
    age, weight, pulse = rng.normal(size=(3, 150)) * [[15.0], [12.0], [8.0]] + [[50], [75], [70]]
    ill = np.where(age + rng.normal(0, 5, 150) > 55, "yes", "no")
    risk = np.where(weight + rng.normal(0, 5, 150) > 75, "high", "low")
    columns = {"age": age.round(), "weight": weight, "pulse": pulse, "ill": ill, "risk": risk}
    roles = dict.fromkeys(["age", "weight", "pulse"], "quasi-identifier")
    return discreet.read(
        {name: list(values) for name, values in columns.items()},
        {**roles, "ill": "confidential", "risk": "confidential"},
    )


@pytest.fixture(scope="module")
def one_class(clinic: discreet.Microdata) -> discreet.Microdata:
    return clinic.drop(["risk"])
