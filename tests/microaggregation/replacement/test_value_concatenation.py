"""Value concatenation: Table 3 of Li & Sarkar, and what other kinds of columns get."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Kind
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.microaggregation.replacement import Centroid, Range, ValueConcatenation
from discreet.microdata.concatenation import expand, parts_of
from discreet.microdata.decoded import Decoded

# Table 1, and the leaves of Figure 1 at k = 2 and k = 4.
AGE = [27, 39, 46, 59, 64, 33, 35, 45, 48, 62, 30, 56, 42, 51]
EDUCATION = [12, 14, 14, 12, 13, 16, 16, 18, 16, 16, 18, 17, 18, 20]
JOB = [
    *("unskilled", "unskilled", "unskilled", "technical", "unskilled", "technical", "unskilled"),
    *("technical", "technical", "unskilled", "managerial", "managerial"),
    *("professional", "professional"),
]
LEAVES = {2: [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5], 4: [0] * 5 + [1] * 5 + [2] * 4}
MIXED = "unskilled+technical"
TABLE_3 = {
    2: {
        "age": ["[27–39]"] * 2 + ["[46–64]"] * 3 + ["[33–35]"] * 2 + ["[45–62]"] * 3
        + ["[30–56]"] * 2 + ["[42–51]"] * 2,
        "education": ["[12–14]"] * 5 + ["16"] * 2 + ["[16–18]"] * 3 + ["[17–18]"] * 2
        + ["[18–20]"] * 2,
        "job": ["unskilled"] * 2 + [MIXED] * 8 + ["managerial"] * 2 + ["professional"] * 2,
    },
    4: {
        "age": ["[27–64]"] * 5 + ["[33–62]"] * 5 + ["[30–56]"] * 4,
        "education": ["[12–14]"] * 5 + ["[16–18]"] * 5 + ["[17–20]"] * 4,
        "job": [MIXED] * 10 + ["managerial+professional"] * 4,
    },
}  # fmt: skip


def table_1() -> discreet.Microdata:
    data = {"age": AGE, "education": EDUCATION, "job": JOB}
    return discreet.read(data, roles=dict.fromkeys(data, "quasi-identifier"))


def replaced(data: discreet.Microdata, labels: list[int], **values: Any) -> discreet.Microdata:
    groups = Groups(np.array(labels))
    columns = ValueConcatenation(**values).replace(data, data.schema.names, groups, Context())
    return data.replace(columns)


@pytest.mark.parametrize("k", [2, 4])
def test_table_3(k: int) -> None:
    released = replaced(table_1(), LEAVES[k], continuous="range")
    assert released.frame().to_pydict() == TABLE_3[k]


def test_the_weighted_form_of_the_text() -> None:
    released = replaced(table_1(), LEAVES[4], weighted=True)
    assert released.schema["job"].categories[0] == "unskilled4+technical1"
    whole = expand(released, ["job"], weighted=True)
    job = whole.column("job")
    totals = np.bincount(job.values, whole["weight"])
    found = dict(zip(job.attribute.categories, totals.tolist(), strict=True))
    assert found == pytest.approx({name: JOB.count(name) for name in set(JOB)})


def test_other_columns_get_what_the_other_replacements_give() -> None:
    data = discreet.read(
        {"n": [1.0, 2.0, 6.0, 4.0], "g": ["low", "high", "low", "mid"]},
        kinds={"g": ["low", "mid", "high"]},
    )
    groups = Groups(np.array([0, 0, 0, 1]))
    for word, twin in (
        ("mean", Centroid()),
        ("median", Centroid(continuous="median")),
        ("range", Range()),
    ):
        mine = ValueConcatenation(continuous=word).replace(data, ["g", "n"], groups, Context())
        theirs = twin.replace(data, ["g", "n"], groups, Context())
        assert all(a.same_as(b) for a, b in zip(mine, theirs, strict=True))
    assert mine[0].attribute.kind is Kind.NOMINAL


def test_missing_values_are_a_part_and_a_group_of_them_stays_missing() -> None:
    data = discreet.read({"job": ["a", None, "missing", None]})
    released = replaced(data, [0, 0, 1, 2])
    assert released.frame().to_pydict()["job"] == ["a+missing"] * 2 + ["\\missing", None]
    assert parts_of(released.column("job")) == [{"a": 1, None: 1}, {"missing": 1}]


def test_a_release_is_k_anonymous_as_it_claims() -> None:
    rng = np.random.default_rng(3)
    jobs = rng.choice(["unskilled", "technical", "managerial", "C++ 4"], 200).tolist()
    data = discreet.read(
        {"age": rng.integers(20, 70, 200).tolist(), "job": jobs},
        roles={"age": "quasi-identifier", "job": "quasi-identifier"},
    )
    for replacement in (ValueConcatenation(), ValueConcatenation(weighted=True)):
        method = discreet.Microaggregation(discreet.partition.MDAV(k=4), replacement)
        release = discreet.protect(data, method, seed=1)
        (claim,) = [c for c in release.claims if c.measure == "k-anonymity"]
        assert claim.bound == 4
        assert claim.measured is not None
        assert claim.measured >= 4


def concatenated_release(weighted: bool) -> tuple[discreet.Microdata, discreet.Microdata]:
    """Groups of records that differ in town, with pay told by age and town."""
    rng = np.random.default_rng(8)
    rows = 400
    town = rng.choice(["Ayle", "Bron", "Cull"], rows, p=[0.5, 0.3, 0.2])
    age = rng.normal(40, 9, rows)
    effect = {"Ayle": 0.0, "Bron": 10.0, "Cull": 25.0}
    pay = 200 + age + np.array([effect[t] for t in town]) + rng.normal(size=rows)
    data = discreet.read(
        {"age": age, "town": town.tolist(), "pay": pay},
        roles={"age": "quasi-identifier", "town": "quasi-identifier", "pay": "confidential"},
    )
    # Every group holds two towns in unequal parts; towns are then told apart between the groups.
    order = np.argsort(np.where(town == "Cull", 2.0, 0) + rng.uniform(size=rows), kind="stable")
    labels = np.empty(rows, dtype=np.int64)
    labels[order] = np.arange(rows) // 8
    columns = ValueConcatenation(weighted=weighted).replace(
        data, ["town"], Groups(labels), Context()
    )
    return data, data.replace(columns)


@pytest.mark.parametrize("weighted", [False, True])
def test_untouched_records_can_be_predicted_from_concatenated_ones(weighted: bool) -> None:
    data, released = concatenated_release(weighted)
    assert any("+" in label for label in released.schema["town"].categories)
    mape: Any = build("measure", "mape")
    pairing = Pairing.same_order(len(data))
    with_towns = mape.score(data, released, Context(), pairing)
    without = mape.score(data.drop(["town"]), released.drop(["town"]), Context(), pairing)
    untouched = mape.score(data, data, Context(), pairing)
    assert untouched.value < with_towns.value < 0.75 * without.value


def test_weights_make_the_better_regression() -> None:
    mape: Any = build("measure", "mape")
    values = {}
    for weighted in (False, True):
        data, released = concatenated_release(weighted)
        pairing = Pairing.same_order(len(data))
        values[weighted] = mape.score(data, released, Context(), pairing).value
    assert values[True] < values[False]


@pytest.mark.parametrize("name", ["regression-fit", "interval-overlap", "mape"])
def test_fewer_labels_than_categories(name: str) -> None:
    data, _ = concatenated_release(weighted=False)
    one = Groups(np.zeros(len(data), dtype=np.int64))
    columns = ValueConcatenation().replace(data, ["town"], one, Context())
    released = data.replace(columns)
    assert len(released.schema["town"].categories) == 1
    measure: Any = build("measure", name)
    pairing = Pairing.same_order(len(data))
    assert np.isfinite(measure.score(data, released, Context(), pairing).value)


@pytest.mark.parametrize("name", ["regression-fit", "interval-overlap", "propensity"])
def test_concatenated_columns_enter_the_regressions(name: str) -> None:
    data, released = concatenated_release(weighted=True)
    measure: Any = build("measure", name)
    found = measure.score(data, released, Context())
    assert np.isfinite(found.value)
    assert "town" not in found.note
    recoded = released.replace(
        [released.column("town").recoded(released["town"] * 0, Kind.NOMINAL, ["all"])]
    )
    assert "town" in measure.score(data, recoded, Context()).note


def test_coefficients_come_back_from_the_weighted_form() -> None:
    """Least squares on shares is unbiased: the effect of a town is found again."""
    data, released = concatenated_release(weighted=True)
    for table in (data, released):
        town = Decoded(data, table, ["town"])["town"]
        shares = [town.share_of(code) for code in (1, 2)]
        matrix = np.column_stack([np.ones(len(table)), table["age"], *shares])
        fitted, *_ = np.linalg.lstsq(matrix, table["pay"], rcond=None)
        assert fitted[2:] == pytest.approx([10, 25], abs=4)


@pytest.mark.parametrize("weighted", [False, True])
def test_an_intruder_reads_the_parts_of_a_label(weighted: bool) -> None:
    """Left out as unreadable, towns would make the release look safer than it is."""
    data, released = concatenated_release(weighted)
    measure: Any = build("measure", "regression-attack")
    pairing = Pairing.same_order(len(data))
    found = measure.score(data, released, Context(), pairing)
    assert found.detail["predictors"] == ["age", "town"]
    blind = measure.score(data.drop(["town"]), released.drop(["town"]), Context(), pairing)
    assert found.value > blind.value + 0.1
