"""CAMP with partial CREST."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet
from discreet.contracts import Context, Progress, Randomness
from discreet.methods.perturbative.partial_camp_crest import PartialCampCrest


def context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


def test_the_search_works_with_averaged_runs(clinic: discreet.Microdata) -> None:
    method = PartialCampCrest(several="averaged", target_linkage=0.2)
    assert "is the smallest, from 3 up" in method.protect(clinic, context()).notes[-1]


def test_the_search_shows_its_progress(one_class: discreet.Microdata) -> None:
    told: dict[str, float] = {}

    class Told(Progress):
        def task(self, label: str, total: float) -> Any:
            from contextlib import contextmanager

            @contextmanager
            def shown() -> Any:
                yield lambda amount: told.update({label: told.get(label, 0.0) + amount})

            return shown()

    PartialCampCrest(target_linkage=0.1).protect(one_class, Context(Randomness(1), Told()))
    assert 0 < told["searching for the smallest k"] <= 1


def test_notes_say_what_became_of_whole_numbers_and_categories(
    one_class: discreet.Microdata,
) -> None:
    real = PartialCampCrest(k=4).protect(one_class, context())
    assert real.notes[-1].startswith("whole numbers released as real ones: age; ")
    whole = PartialCampCrest(k=4, round=True).protect(one_class, context())
    assert whole.notes[-1].startswith("rounded to whole numbers: age; this adds about 1/12")
    assert (whole.data["age"] == np.rint(whole.data["age"])).all()


def test_nominal_quasi_identifiers_are_perturbed_and_named(patients: discreet.Microdata) -> None:
    masked = PartialCampCrest(k=4, classes=2).protect(patients, context())
    nominal = [n for n in patients.quasi_identifiers if not patients.schema[n].continuous]
    assert nominal
    assert masked.notes[-1].startswith(
        f"perturbed and brought back to categories: {', '.join(nominal)};"
    )
    for name in nominal:
        assert masked.data.schema[name] == patients.schema[name]
        assert not masked.data.column(name).same_as(patients.column(name))
