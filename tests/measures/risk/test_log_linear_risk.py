"""Log-linear risk: which model is taken, what is counted, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import NotApplicable
from discreet.measures.log_linear import fit
from discreet.measures.risk.log_linear_risk import LogLinearRisk

ROLES = {"a": "quasi-identifier", "b": "quasi-identifier", "c": "quasi-identifier"}


def table(n: int = 300, **more: list[int]) -> discreet.microdata.Microdata:
    draw = np.random.default_rng(4)
    a = draw.integers(0, 9, n)
    columns = {"a": a, "b": (a + draw.integers(0, 3, n)) % 9, "c": draw.integers(0, 4, n)}
    roles = ROLES | dict.fromkeys(more, "weight")
    return discreet.read({k: v.tolist() for k, v in columns.items()} | more, roles=roles)


def test_records_and_their_cells() -> None:
    data = table()
    found = LogLinearRisk(fraction=0.1).score(data, data, Context())
    rows = list(zip(data["a"], data["b"], data["c"], strict=True))
    alone = [rows.count(row) == 1 for row in rows]
    assert found.detail["sample uniques"] == sum(alone)
    assert found.per_record is not None
    assert (found.per_record > 0).tolist() == alone
    assert found.value * len(rows) == pytest.approx(found.detail["expected correct matches"])


def test_the_model_is_the_one_whose_test_is_nearer_to_zero() -> None:
    data = table()
    found = LogLinearRisk(fraction=0.1).score(data, data, Context())
    counts = np.zeros((9, 9, 4), dtype=np.int64)
    np.add.at(counts, tuple(data[n].astype(int) for n in "abc"), 1)
    one, two = (fit(counts, 0.1, terms) for terms in ("independence", "two-way"))
    assert one.misfit > two.misfit
    assert found.detail["model"] == "two-way"
    assert found.detail["expected correct matches"] == pytest.approx(two.match.sum())
    stated = LogLinearRisk(fraction=0.1, terms="independence").score(data, data, Context())
    assert stated.detail["expected correct matches"] == pytest.approx(one.match.sum())
    assert "does not fit" in stated.note


def test_the_fraction_comes_from_the_weights() -> None:
    data = table(w=[5 + i % 11 for i in range(300)])
    found = LogLinearRisk().score(data, data, Context())
    assert found.detail["sampling fraction"] == pytest.approx(300 / data["w"].sum())
    with pytest.raises(NotApplicable, match="how large the population is"):
        LogLinearRisk().score(table(), table(), Context())


def test_everybody_in_the_file_is_found() -> None:
    data = table()
    found = LogLinearRisk(fraction=1.0).score(data, data, Context())
    assert found.detail["expected correct matches"] == found.detail["sample uniques"]


def test_too_many_combinations() -> None:
    names = [f"x{j}" for j in range(8)]
    draw = np.random.default_rng(1)
    data = discreet.read(
        {name: draw.normal(size=40).tolist() for name in names},
        roles=dict.fromkeys(names, "quasi-identifier"),
    )
    with pytest.raises(NotApplicable, match="recode"):
        LogLinearRisk(fraction=0.1).score(data, data, Context())
