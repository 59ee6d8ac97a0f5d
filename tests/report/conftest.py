from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Randomness
from discreet.release.assessment import Assessment
from discreet.report import collect
from discreet.report.content import Content


def microaggregated(data: discreet.Microdata, k: int = 5, **options: Any) -> discreet.Release:
    recipe = {"microaggregation": {"partition": {"mdav": {"k": k}}}}
    return discreet.protect(data, recipe, **options)


def release_of(original: discreet.Microdata, data: discreet.Microdata) -> discreet.Release:
    """A release that no method made, for tables that `protect` would refuse or cannot produce."""
    return discreet.Release(
        original=original,
        data=data,
        origin=np.arange(len(data)),
        groups=None,
        claims=(),
        steps=(discreet.AdditiveNoise(),),
        notes=("a note",),
        randomness=Randomness(1),
        shuffled=False,
    )


def content_of(release: discreet.Release, measures: list[str] | None = None) -> Content:
    return collect(release, discreet.assess(release.original, release, measures))


@pytest.fixture(scope="session")
def patients(protected_patients: discreet.Release) -> discreet.Release:
    return protected_patients


@pytest.fixture(scope="session")
def assessment(assessed_patients: Assessment) -> Assessment:
    return assessed_patients


@pytest.fixture(scope="session")
def content(patients: discreet.Release, assessment: Assessment) -> Content:
    return collect(patients, assessment)
