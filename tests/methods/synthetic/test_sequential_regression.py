"""Sequential-regression synthesis, fully and partially synthetic data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import (
    DataError,
    FullySynthetic,
    PartiallySynthetic,
    SequentialRegression,
)
from tests.methods.synthetic.persons import children, protected, slope, survey


def test_what_the_models_describe_is_kept() -> None:
    data = survey()
    made = protected(SequentialRegression(), data).data
    assert slope(made, "age", "pay") == pytest.approx(slope(data, "age", "pay"), rel=0.1)
    assert made["age"].mean() == pytest.approx(45, abs=1)
    assert made["age"].std() == pytest.approx(12, abs=1)
    for name in ("sex", "married", "grade"):
        before, after = (np.bincount(t[name], minlength=3) / len(t) for t in (data, made))
        assert after == pytest.approx(before, abs=0.04)
    married = made["married"] == 1
    assert made["age"][married].mean() > made["age"][~married].mean() + 5
    zero = (made["wealth"] == 0).mean()
    assert zero == pytest.approx(0.3, abs=0.05)
    assert (made["wealth"] >= 0).all()


def test_missingness_is_drawn_and_follows_its_predictors() -> None:
    data = survey()
    made = protected(SequentialRegression(), data).data
    gone = made.column("pay").missing
    assert gone[made["sex"] == 1].mean() == pytest.approx(0.2, abs=0.05)
    assert gone[made["sex"] == 0].mean() == pytest.approx(0.05, abs=0.03)
    assert not (gone & data.column("pay").missing).all()
    assert not made.column("age").missing.any()


def test_no_original_is_left() -> None:
    data = survey(300)
    masked = protected(SequentialRegression(), data)
    assert (masked.origin == -1).all()
    assert masked.data.column("id").missing.all()
    assert not np.isin(masked.data["pay"], data["pay"][~data.column("pay").missing]).any()
    release = discreet.protect(data, SequentialRegression(), seed=1)
    frame = release.frame()
    assert "id" not in frame.column_names
    assert frame.num_rows == 300
    # Types are the original's: whole ages stay whole numbers.
    assert (np.asarray(frame["age"]) == np.rint(np.asarray(frame["age"]))).all()


def test_rounding_can_be_left_out() -> None:
    data = survey(300)
    assert (protected(SequentialRegression(), data).data["age"] % 1 == 0).all()
    assert (protected(SequentialRegression(round=False), data).data["age"] % 1 != 0).any()


def test_a_predictor_that_is_not_named_is_not_used() -> None:
    data = survey()
    method = SequentialRegression(predictors=["pay=sex"])
    made = protected(method, data).data
    assert abs(slope(made, "age", "pay")) < 5
    none = protected(SequentialRegression(visit=["pay"], predictors=["age="]), data).data
    assert abs(slope(none, "age", "pay")) < 5


def test_models_and_rules_of_a_plan() -> None:
    data = survey()
    plan = discreet.Plan.parse(
        "steps:\n"
        "- sequential-regression:\n"
        "    models: [age=count]\n"
        '    rules: ["if age < 30 then married = no"]\n'
    )
    made = protected(plan.steps[0], data)
    young = made.data["age"] < 30
    assert young.sum() > 100
    assert (made.data["married"][young] == 0).all()
    assert (made.data["age"] >= 0).all()
    assert any("original records break the rule" in note for note in made.notes)


@pytest.mark.parametrize("method", [SequentialRegression(), FullySynthetic(), PartiallySynthetic()])
def test_few_records_are_refused(method: Any) -> None:
    with pytest.raises(DataError, match="needs at least 10 records to fit a model to"):
        protected(method, survey(9))


def test_categories_of_which_there_are_many() -> None:
    rng = np.random.default_rng(4)
    towns = [f"t{i}" for i in rng.integers(0, 300, 2000)]
    data = discreet.read(
        {"town": towns, "age": rng.normal(40, 10, 2000)},
        roles={"town": "quasi-identifier", "age": "other"},
    )
    for method in (SequentialRegression(), FullySynthetic(), PartiallySynthetic()):
        made = protected(method, data)
        assert len(np.unique(made.data["town"])) > 200
        assert any("of more than 50 categories" in n and n.endswith(": town") for n in made.notes)


def test_thyroid_loses_what_the_paper_says(data_files: Path) -> None:
    """Table 1: sequential regressions lose most, since the columns are far from normal."""
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    data = discreet.read(
        data_files / "thyroid_complete_1947.csv", roles=dict.fromkeys(names, "quasi-identifier")
    )
    data = data.drop([name for name in data.schema.names if name not in names])
    made = protected(SequentialRegression(scale="raw"), data).data
    before, after = (np.corrcoef(t.matrix(names), rowvar=False) for t in (data, made))
    assert np.abs(before - after).max() < 0.12
    skew = [((t["TSH"] - t["TSH"].mean()) ** 3).mean() / t["TSH"].std() ** 3 for t in (data, made)]
    assert skew[0] > 5
    assert abs(skew[1]) < 1
    scored = protected(SequentialRegression(), data).data["TSH"]
    assert ((scored - scored.mean()) ** 3).mean() / scored.std() ** 3 > 5


@pytest.mark.parametrize(
    "method", [SequentialRegression(), FullySynthetic(), discreet.CartSynthesis(everything=True)]
)
def test_weights_stay_above_zero(method: Any) -> None:
    rng = np.random.default_rng(2)
    data = discreet.read(
        {"w": rng.exponential(3, 400) + 1e-3, "age": rng.normal(40, 10, 400)},
        roles={"w": "weight", "age": "quasi-identifier"},
    )
    assert protected(method, data).data["w"].min() > 0


MARRIED = "if age < 15 then marital != married"


@pytest.mark.parametrize(
    "method",
    [
        FullySynthetic(background=["age", "marital"], rules=[MARRIED]),
        FullySynthetic(originals=True, population=450, rules=[MARRIED]),
        PartiallySynthetic(columns=["pay"], rules=[MARRIED]),
        PartiallySynthetic(columns=["marital"], cells="sex = f", rules=[MARRIED]),
        discreet.CartSynthesis(columns=["pay"], rules=[MARRIED]),
    ],
)
def test_rules_that_values_released_as_they_are_break_are_told(method: Any) -> None:
    made = protected(method, children())
    married = made.data.column("marital").attribute.categories.index("married")
    broken = int(((made.data["age"] < 15) & (made.data["marital"] == married)).sum())
    assert broken > 0
    assert f"released records that break the rule '{MARRIED}': {broken}, by values that " in str(
        made.notes
    )
    assert "the synthetic ones do not" not in str(made.notes)


@pytest.mark.parametrize(
    "method",
    [
        FullySynthetic(rules=[MARRIED]),
        SequentialRegression(rules=[MARRIED]),
        PartiallySynthetic(columns=["marital"], rules=[MARRIED]),
        discreet.CartSynthesis(columns=["marital"], rules=[MARRIED]),
        discreet.CartSynthesis(everything=True, rules=[MARRIED]),
    ],
)
def test_rules_that_only_the_original_breaks_are_told(method: Any) -> None:
    notes = str(protected(method, children()).notes)
    assert f"original records break the rule '{MARRIED}'; the released ones do not" in notes


def test_zeros_among_both_signs_are_not_lost_silently() -> None:
    rng = np.random.default_rng(1)
    profit = np.where(rng.random(600) < 0.6, 0.0, rng.normal(0, 500, 600))
    roles = dict.fromkeys(("age", "profit"), "quasi-identifier")
    data = discreet.read({"age": rng.normal(50, 9, 600), "profit": profit}, roles=roles)
    raw = SequentialRegression(scale="raw")
    told = discreet.protect(data, raw, seed=1).notes
    assert any("many zeros of these columns were lost: profit" in note for note in told)
    gains = discreet.read({"age": data["age"], "profit": np.abs(profit)}, roles=roles)
    told = discreet.protect(gains, raw, seed=1).notes
    assert not any("zeros" in note for note in told)
    for method in ("sequential-regression", "cart-synthesis"):
        kept = discreet.protect(data, method, seed=1)
        assert (kept.data["profit"] == 0).mean() == pytest.approx(0.6, abs=0.1)
        assert not any("zeros" in note for note in kept.notes)
