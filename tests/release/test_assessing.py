"""Assessing: which measures are taken, which are left out and why, and how it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet
from discreet import Microdata, UsageError
from discreet.contracts import MeasureSpec, Pairing
from discreet.contracts.registry import build, entries
from discreet.microaggregation.partition import MDAV
from discreet.release.assessing import NO_PAIRING
from discreet.release.assessment import Assessment
from discreet.testing.tables import ordinary

QI = "quasi-identifier"
PAIRS = discreet.Microaggregation(MDAV(k=2))
AGES = {"age": [21, 22, 40, 41], "size": [1.5, 1.7, 1.6, 1.9]}
ROLES = {"age": QI, "size": QI}


def usual() -> list[MeasureSpec]:
    specs = [entry.spec for entry in entries("measure")]
    return [s for s in specs if isinstance(s, MeasureSpec) and s.default]


def paired() -> list[str]:
    return [spec.name for spec in usual() if spec.paired]


def assessed(make: Any = pa.table, columns: Any = None) -> Assessment:
    data = discreet.read(make(columns or AGES), roles=dict.fromkeys(columns or AGES, QI))
    return discreet.assess(data, discreet.protect(data, PAIRS, seed=1), seed=1)


@pytest.mark.parametrize(
    ("make", "kind"),
    [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)],
)
def test_the_table_is_of_the_kind_that_came_in(make: Any, kind: Any) -> None:
    assessment = assessed(make)
    frame = assessment.to_frame()
    assert isinstance(frame, kind)
    names = frame.column_names if kind is pa.Table else list(frame.columns)
    assert names[:8] == ["side", "measure", "before", "after", "low", "high", "better", "note"]
    assert "interval-disclosure.widest" in names, "a column for each parameter of a measure"
    measures = frame["measure"].to_pylist() if kind is pa.Table else frame["measure"].to_list()
    assert measures == [*assessment.risk, *assessment.utility]
    assert {*measures, *assessment.left_out} == {spec.name for spec in usual()}


def test_data_without_a_frame_give_a_pyarrow_table() -> None:
    data = discreet.read(AGES, roles=ROLES)
    bare = Microdata(list(data))
    assert isinstance(discreet.assess(bare, bare).to_frame(), pa.Table)


def test_risk_comes_before_utility_each_in_order() -> None:
    names = [row.spec.name for row in assessed().rows]
    sides = [row.spec.side.value for row in assessed().rows]
    assert sides == sorted(sides)
    for side in ("risk", "utility"):
        of_side = [n for n, s in zip(names, sides, strict=True) if s == side]
        assert of_side == sorted(of_side)


def test_values_before_and_after_by_hand() -> None:
    assessment = assessed(columns={"age": [21, 22, 40, 41]})
    table = assessment.to_dict()
    rows = {
        m: (b, a) for m, b, a in zip(table["measure"], table["before"], table["after"], strict=True)
    }
    assert rows["k-anonymity"] == (1.0, 2.0)
    assert rows["distance-linkage"] == (1.0, 0.5)
    assert rows["abim"] == (0, 0.0)
    assert rows["sse-sst"] == (0, pytest.approx(4 * 0.25 / (2 * 10**2 + 2 * 9**2)))


def test_without_a_pairing_the_paired_measures_are_left_out() -> None:
    data = discreet.read(AGES, roles=ROLES)
    assessment = discreet.assess(data, data)
    unpaired = {name for name, why in assessment.left_out.items() if why == NO_PAIRING}
    assert unpaired == set(paired())
    assert not set(paired()) & {*assessment.risk, *assessment.utility}
    assert "left out: sse-sst: it needs to know which original" in assessment.text()
    assert repr(assessment).count("left out: ") == 3
    absent = len(assessment.left_out)
    assert f"and {absent - 3} more (the attribute left_out has them)" in repr(assessment)
    assert f"and {absent - 3} more (--all)" in assessment.text("--all")
    with_pairing = discreet.assess(data, data, pairing=Pairing.same_order(4))
    assert NO_PAIRING not in with_pairing.left_out.values()


def test_a_measure_that_does_not_apply_says_why() -> None:
    data = discreet.read({"t": ["a", "a", "b"]}, roles={"t": QI})
    left_out = discreet.assess(data, data, pairing=Pairing.same_order(3)).left_out
    assert set(left_out) >= {"abim", "abisd", "abico"}
    assert all(reason for reason in left_out.values())


def test_measures_are_chosen_by_name_recipe_or_object() -> None:
    data = discreet.read(AGES, roles=ROLES)
    chosen: list[Any] = ["abim", {"abisd": None}, build("measure", "k-anonymity")]
    assessment = discreet.assess(data, data, chosen)
    assert [row.spec.name for row in assessment.rows] == ["k-anonymity", "abim", "abisd"]
    with pytest.raises(UsageError, match="there is no measure 'abin'; did you mean 'abi"):
        discreet.assess(data, data, ["abin"])


@pytest.mark.parametrize("measures", ["k-anonymity", [5], [type(build("measure", "abim"))]])
def test_measures_that_are_no_list_of_measures_are_refused(measures: Any) -> None:
    data = discreet.read(AGES, roles=ROLES)
    with pytest.raises(UsageError, match="measure"):
        discreet.assess(data, data, measures)


def test_a_lone_name_is_not_read_letter_by_letter() -> None:
    data = discreet.read(AGES, roles=ROLES)
    with pytest.raises(UsageError, match="a list"):
        discreet.assess(data, data, "abim")


def test_a_pairing_that_does_not_fit_is_refused_in_a_sentence() -> None:
    data = discreet.read(AGES, roles=ROLES)
    for pairing in (Pairing.same_order(3), Pairing(np.array([0, 1, 2, 99]))):
        with pytest.raises(discreet.DiscreetError):
            discreet.assess(data, data, pairing=pairing)


def test_the_original_has_to_be_read_first() -> None:
    with pytest.raises(UsageError, match=r"discreet\.read"):
        discreet.assess(pd.DataFrame(AGES), pd.DataFrame(AGES))  # type: ignore[arg-type]


def test_a_released_frame_is_read_with_the_roles_of_the_original() -> None:
    data = discreet.read(AGES, roles=ROLES)
    release = discreet.protect(data, PAIRS, seed=1)
    from_frame = discreet.assess(data, release.frame().to_pandas(), pairing=release.pairing, seed=1)
    assert from_frame.to_dict() == discreet.assess(data, release, seed=1).to_dict()


def test_a_column_that_the_original_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="column 'new' that the original does not have"):
        discreet.assess(discreet.read(AGES, roles=ROLES), pa.table({"age": [1], "new": [1]}))


def test_identifiers_do_not_stand_in_the_way() -> None:
    data = ordinary(missing=False)
    assessment = discreet.assess(data, discreet.protect(data, PAIRS, seed=1), seed=1)
    assert not {"distance-linkage", "abim", "k-anonymity"} & set(assessment.left_out)
    assert assessment.risk["k-anonymity"].value >= 2


def test_the_same_seed_gives_the_same_scores() -> None:
    assert assessed().to_dict() == assessed().to_dict()


def test_the_printed_table() -> None:
    lines = repr(assessed(columns={"age": [21, 22, 40, 41], "x": [1, 2, 9, 8]})).splitlines()
    assert lines[0].split() == ["measure", "before", "after"]
    line = next(line for line in lines if "k-anonymity" in line)
    assert line.split()[-5:] == ["1", "2", "higher", "is", "better"]
    assert sum(line.startswith("risk") for line in lines) == 1
    assert sum(line.startswith("utility") for line in lines) == 1
