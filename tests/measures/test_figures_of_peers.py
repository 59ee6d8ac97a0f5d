"""Figures that ARX and sdcMicro state for known files, beside ours.

ARX's are those of its own tests on Adult with occupation as the sensitive column; a combination of
levels is written in the order of the file's columns. Classes that miss the model are suppressed
there, and count as one class. sdcMicro's are those of its tests of `modRisk`.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context, Measure, Pairing, Score
from discreet.contracts.registry import build
from discreet.measures.log_linear import fit
from discreet.microdata.hierarchy import Hierarchy

QI = "quasi-identifier"
KEYS = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass",
        "salary-class")  # fmt: skip
N = 30_162


def score(recipe: Any, original: Microdata, released: Microdata) -> Score:
    measure = build("measure", recipe)
    assert isinstance(measure, Measure)
    return measure.score(original, released, Context(), Pairing.same_order(len(released)))


@dataclass(frozen=True)
class Adult:
    """The file, and what its columns are called at each level."""

    folder: Path
    columns: dict[str, list[str]]
    hierarchies: dict[str, Hierarchy]

    def hierarchy_file(self, name: str) -> str:
        return f"{name}={self.folder / f'adult_hierarchy_{name}.csv'}"

    def at(self, levels: Sequence[int], gone: np.ndarray | None = None) -> Microdata:
        """Return the file at these levels; the records that are gone have no keys."""
        columns: dict[str, list[Any]] = {
            name: self.hierarchies[name].level(self.columns[name], level)
            for name, level in zip(KEYS, levels, strict=True)
        }
        if gone is not None:
            columns = {
                name: [None if g else v for v, g in zip(column, gone, strict=True)]
                for name, column in columns.items()
            }
        roles = dict.fromkeys(KEYS, QI) | {"occupation": "confidential"}
        whole = columns | {"occupation": self.columns["occupation"]}
        return discreet.read(whole, roles, dict.fromkeys(KEYS, "nominal"))


@pytest.fixture(scope="module")
def adult(reference_data: Path) -> Adult:
    folder = reference_data / "adult_hierarchies"
    with (reference_data / "adult_arx_30162.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = (*KEYS, "occupation")
    return Adult(
        folder,
        {name: [row[name] for row in rows] for name in names},
        {name: Hierarchy.from_file(folder / f"adult_hierarchy_{name}.csv") for name in names},
    )


@pytest.fixture(scope="module")
def original(adult: Adult) -> Microdata:
    return adult.at([0] * 8)


def test_arx_prosecutor_risk_and_uniques(adult: Adult) -> None:
    columns = {name: adult.columns[name] for name in (*KEYS, "occupation")}
    everything = discreet.read(columns, dict.fromkeys(columns, QI))
    average = {"prosecutor-risk": {"summary": "average"}}
    assert score(average, everything, everything).value == pytest.approx(0.6465751607983555)
    assert score("prosecutor-risk", everything, everything).value == 1
    uniques = score("sample-uniqueness", everything, everything).value
    assert uniques == pytest.approx(0.5142895033485844)


def occupations(bound: float) -> Callable[[Adult, Microdata, Microdata], np.ndarray]:
    def kept(adult: Adult, original: Microdata, released: Microdata) -> np.ndarray:
        given = {"hierarchies": [adult.hierarchy_file("occupation")]}
        found = score({"hierarchical-t-closeness": given}, original, released).per_record
        assert found is not None
        return found <= bound

    return kept


def diverse(adult: Adult, original: Microdata, released: Microdata) -> np.ndarray:
    recipe = {"l-diversity": {"variant": "recursive", "c": 4.0}}
    found = score(recipe, original, released).per_record
    assert found is not None
    return found >= 5


def of_five(adult: Adult, original: Microdata, released: Microdata) -> np.ndarray:
    found = score("k-anonymity", original, released).per_record
    assert found is not None
    return found >= 5


T = occupations(0.2)


WITHIN: dict[str, tuple[list[Any], list[int], float]] = {
    "k": ([of_five], [1, 2, 1, 2, 0, 2, 0, 1], 93.96261682242991),
    "k, finer": ([of_five], [0, 1, 1, 2, 1, 0, 0, 1], 63.76744186046512),
    "k and t": ([of_five, T], [0, 0, 1, 0, 1, 0, 0, 1], 701.4418604651163),
    "k and t, coarse": ([of_five, T], [1, 4, 1, 0, 3, 2, 2, 1], 4308.857142857143),
    "t": ([T], [0, 1, 0, 2, 3, 0, 2, 1], 914.0),
    "recursive l": ([diverse], [0, 0, 0, 0, 0, 0, 0, 0], 62.4472049689441),
}
"""By privacy model: its checks, the levels of the columns, and the mean size of ARX's classes."""


def test_arx_average_group_size_of_the_classes_within_a_model(
    adult: Adult, original: Microdata
) -> None:
    """So as many classes of the file are within the model by our measure as by ARX's."""
    found = {}
    for name, (model, levels, _) in WITHIN.items():
        released = adult.at(levels)
        kept = np.all([check(adult, original, released) for check in model], axis=0)
        suppressed = adult.at(levels, gone=~kept)
        found[name] = score("average-group-size", original, suppressed).value
    assert found == pytest.approx({name: size for name, (_, _, size) in WITHIN.items()})


def test_arx_discernibility(adult: Adult, original: Microdata) -> None:
    for levels, found in (
        ([1, 4, 1, 1, 3, 2, 2, 1], 456_853_172),
        ([1, 4, 1, 0, 3, 2, 2, 1], 311_880_088),
    ):
        cost = score("discernibility", original, adult.at(levels)).detail["C_DM"]
        assert cost == pytest.approx(found)


def test_arx_precision_with_and_without_suppression(adult: Adult, original: Microdata) -> None:
    recipe = {"precision": {"hierarchies": [adult.hierarchy_file(name) for name in KEYS]}}
    coarse = adult.at([0, 4, 1, 1, 3, 2, 2, 1])
    assert 1 - score(recipe, original, coarse).value == pytest.approx(0.8125)
    levels = [1, 1, 0, 2, 1, 0, 1, 0]
    released = adult.at(levels)
    kept = of_five(adult, original, released) & T(adult, original, released)
    lost = 1 - score(recipe, original, adult.at(levels, gone=~kept)).value
    assert lost == pytest.approx(0.7172818861481335)


def test_arx_non_uniform_entropy(adult: Adult, original: Microdata) -> None:
    """What a label stands for is known from the step that made it."""
    levels = dict(zip(KEYS, [0, 4, 1, 1, 3, 2, 2, 1], strict=True))
    files = [adult.hierarchy_file(name) for name in KEYS]
    step = {"global-recoding": {"k": 5, "levels": levels, "hierarchies": files}}
    release = discreet.protect(original, step, shuffle=False)
    measure: Any = build("measure", "non-uniform-entropy")
    found = measure.score(original, release.data, Context(), release.pairing)
    assert N * found.detail["bits of a record lost"] == pytest.approx(398400.0741806447)


PEOPLE: dict[str, list[Any]] = {
    "zip": ["47906", "47903", "47906", "47630", "47630", "47633", "48973", "48972", "48970"],
    "age": [35, 59, 42, 18, 22, 63, 33, 47, 52],
    "nationality": ["USA", "Canada", "USA", "Brazil", "Brazil", "Peru", "Spain", "Bulgaria",
                    "France"],
}  # fmt: skip
IN_THE_FILE = [1, 2, 5, 7, 8]


def test_delta_presence_of_the_authors_example(tmp_path: Path) -> None:
    """Nergiz, Atzori & Clifton's nine people, with the levels that ARX finds for (1/2, 2/3).

    Brazil, Spain and two numbers occur only outside of the file.
    """
    (tmp_path / "zip.csv").write_text(
        "\n".join(f"{z};{z[:4]}*;{z[:3]}*;{z[:2]}*;4*;*" for z in sorted(set(PEOPLE["zip"])))
    )
    (tmp_path / "nationality.csv").write_text(
        "Canada;N. America;America;*\nUSA;N. America;America;*\nPeru;S. America;America;*\n"
        "Brazil;S. America;America;*\nBulgaria;E. Europe;Europe;*\nFrance;W. Europe;Europe;*\n"
        "Spain;W. Europe;Europe;*"
    )
    data = discreet.read(
        {name: [column[i] for i in IN_THE_FILE] for name, column in PEOPLE.items()},
        dict.fromkeys(PEOPLE, QI),
        {"zip": "nominal"},
    )
    step = {
        "global-recoding": {
            "k": 2,
            "hierarchies": [f"{n}={tmp_path / f'{n}.csv'}" for n in ("zip", "nationality")],
            "levels": {"zip": 3, "age": "top", "nationality": 2},
        }
    }
    release = discreet.protect(data, step, shuffle=False)
    presence: Any = build("measure", "delta-presence")
    found = presence.from_population(PEOPLE).score(data, release.data, Context(), release.pairing)
    assert found.detail["least chance of a person"] == pytest.approx(1 / 2)
    assert found.value == pytest.approx(2 / 3)
    k_map: Any = build("measure", "k-map")
    behind = k_map.from_population(PEOPLE).score(data, release.data, Context(), release.pairing)
    assert behind.per_record.tolist() == [6, 6, 6, 3, 3]


def test_sdcmicro_log_linear_risk() -> None:
    """Ten records with weights of 100; its figures are means over the nine cells that occur.

    It takes the fitted count of the sample for that of the population, so that (1 − π)μ stands
    where Skinner & Shlomo have (1 − π)μ/π. That is the model of a file with (1 − π)/π = 0.99.
    """
    records = [(2, 2, 5), (3, 1, 4), (2, 2, 4), (3, 2, 5), (3, 1, 4), (1, 2, 4), (2, 1, 3),
               (3, 1, 3), (2, 1, 2), (2, 2, 2)]  # fmt: skip
    counts = np.zeros((3, 2, 4), dtype=np.int64)
    for (a, b, c), times in Counter(records).items():
        counts[a - 1, b - 1, c - 2] = times
    found = fit(counts, 1 / 1.99, "independence")
    assert found.population_unique.sum() / 9 == pytest.approx(0.552916, abs=5e-7)
    assert found.match.sum() / 9 == pytest.approx(0.7053842, abs=5e-8)
