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
    Microdata,
    PartiallySynthetic,
    SequentialRegression,
    UsageError,
)
from discreet.contracts import Context, Randomness

ROWS = 3000


def survey(rows: int = ROWS, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, rows)
    age = rng.normal(45, 12, rows).round()
    pay = 500 + 30 * age + 300 * sex + rng.normal(0, 200, rows)
    married = rng.random(rows) < 1 / (1 + np.exp(-(age - 40) / 6))
    grade = np.digitize(pay + rng.normal(0, 300, rows), [1700, 2200])
    wealth = np.where(rng.random(rows) < 0.3, 0.0, np.exp(pay / 1000 + rng.normal(0, 0.5, rows)))
    pay = np.where(rng.random(rows) < np.where(sex == 1, 0.2, 0.05), np.nan, pay)
    return discreet.read(
        {
            "id": [f"P{i}" for i in range(rows)],
            "sex": np.array(["f", "m"])[sex],
            "age": age,
            "pay": pay,
            "married": np.where(married, "yes", "no"),
            "grade": np.array(["low", "mid", "high"])[grade],
            "wealth": wealth,
        },
        roles={"id": "identifier", "sex": "quasi-identifier", "age": "quasi-identifier",
               "pay": "confidential", "married": "quasi-identifier", "grade": "other",
               "wealth": "confidential"},
        kinds={"grade": ["low", "mid", "high"]},
    )  # fmt: skip


def protected(method: Any, data: Microdata, seed: int = 1) -> Any:
    return method.protect(data, Context(Randomness(seed)))


def slope(data: Microdata, x: str, y: str) -> float:
    both = ~(data.column(x).missing | data.column(y).missing)
    return float(np.polyfit(data[x][both], data[y][both], 1)[0])


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


def test_the_sample_has_the_size_asked_for() -> None:
    data = survey(500)
    for size in (1, 120, 900):
        masked = protected(FullySynthetic(records=size), data)
        assert len(masked.data) == size
        assert len(masked.origin) == size
    release = discreet.protect(data, FullySynthetic(records=120), seed=2)
    assert release.frame().num_rows == 120


def test_background_attributes_come_as_they_occur() -> None:
    data = survey()
    made = protected(FullySynthetic(background=["age", "sex"]), data).data
    before = set(zip(data["age"].tolist(), data["sex"].tolist(), strict=True))
    after = list(zip(made["age"].tolist(), made["sex"].tolist(), strict=True))
    assert set(after) <= before
    assert slope(made, "age", "pay") == pytest.approx(slope(data, "age", "pay"), rel=0.1)


def test_originals_are_in_the_sample_on_request_only() -> None:
    data = survey(500)
    without = protected(FullySynthetic(), data)
    assert (without.origin == -1).all()
    masked = protected(FullySynthetic(originals=True, population=1000, records=400), data)
    kept = masked.origin >= 0
    # Hypergeometric: half of the population is in the file.
    assert 150 < kept.sum() < 250
    assert len(np.unique(masked.origin[kept])) == kept.sum()
    assert (masked.data["age"][kept] == data["age"][masked.origin[kept]]).all()
    assert any("originals were not excluded" in note for note in masked.notes)
    with pytest.raises(UsageError, match="needs the number of persons in the population"):
        protected(FullySynthetic(originals=True), data)
    with pytest.raises(UsageError, match="at least the 500"):
        protected(FullySynthetic(originals=True, population=400), data)


def test_only_chosen_columns_are_replaced() -> None:
    data = survey()
    masked = protected(PartiallySynthetic(columns=["pay"]), data)
    assert masked.origin is None
    for column in data:
        assert masked.data.column(column.name).same_as(column) == (column.name != "pay")
    made = masked.data
    assert (made.column("pay").missing == data.column("pay").missing).all()
    assert slope(made, "age", "pay") == pytest.approx(slope(data, "age", "pay"), rel=0.1)
    present = ~made.column("pay").missing
    assert not np.isin(made["pay"][present], data["pay"]).any()


def test_only_chosen_cells_are_replaced() -> None:
    data = survey()
    old = data["age"] > 60
    male = data["sex"] == 1
    masked = protected(PartiallySynthetic(columns=["wealth"], cells="age > 60 and sex = m"), data)
    changed = masked.data["wealth"] != data["wealth"]
    assert changed.any()
    assert not changed[~(old & male)].any()
    untouched = protected(PartiallySynthetic(cells="age > 500"), data)
    assert untouched.data is data
    assert "nothing was replaced" in untouched.notes[0]
    with pytest.raises(DataError, match="at least 10 records"):
        protected(PartiallySynthetic(cells="age > 85"), data)


def test_cells_are_modelled_by_their_own_records() -> None:
    """Two groups with opposite slopes: a model of all records would have none."""
    rng = np.random.default_rng(3)
    x, group = rng.normal(0, 1, 1000), np.repeat([0, 1], 500)
    y = np.where(group == 1, 2 * x, -2 * x) + rng.normal(0, 0.2, 1000)
    data = discreet.read(
        {"x": x, "y": y, "g": np.array(["a", "b"])[group]},
        roles={"x": "other", "y": "quasi-identifier", "g": "other"},
    )
    made = protected(PartiallySynthetic(cells="g = b"), data).data["y"]
    assert np.polyfit(x[500:], made[500:], 1)[0] == pytest.approx(2, abs=0.1)


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


def test_thyroid_loses_what_the_paper_says(reference_data: Path) -> None:
    """Table 1: sequential regressions lose most, since the columns are far from normal."""
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    data = discreet.read(
        reference_data / "thyroid_complete_1947.csv", roles=dict.fromkeys(names, "quasi-identifier")
    )
    data = data.drop([name for name in data.schema.names if name not in names])
    made = protected(SequentialRegression(), data).data
    before, after = (np.corrcoef(t.matrix(names), rowvar=False) for t in (data, made))
    assert np.abs(before - after).max() < 0.12
    skew = [((t["TSH"] - t["TSH"].mean()) ** 3).mean() / t["TSH"].std() ** 3 for t in (data, made)]
    assert skew[0] > 5
    assert abs(skew[1]) < 1


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


def test_background_attributes_are_named_as_original() -> None:
    masked = protected(FullySynthetic(background=("age",)), survey(60))
    assert any("as they occur in the file: age" in note for note in masked.notes)
    assert set(masked.data["age"]) <= set(survey(60)["age"])


MARRIED = "if age < 15 then marital != married"


def children(sex: str = "other") -> Microdata:
    """Return persons of whom some break the rule that no child is married."""
    rng = np.random.default_rng(1)
    age = rng.integers(5, 80, 400).astype(float)
    return discreet.read(
        {"age": age, "marital": np.where(rng.random(400) < 0.5, "married", "single"),
         "sex": np.where(rng.random(400) < 0.5, "f", "m"), "pay": 50 * age},
        roles={"age": "quasi-identifier", "marital": "quasi-identifier", "sex": sex},
    )  # fmt: skip


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


def test_a_synthesis_of_nothing_is_refused() -> None:
    data = children()
    with pytest.raises(UsageError, match="has no column left to impute: all are background"):
        protected(FullySynthetic(background=list(data.schema.names)), data)


def test_too_few_cells_are_told_with_the_way_out() -> None:
    method = PartiallySynthetic(columns=["pay"], cells="age > 78")
    with pytest.raises(DataError, match=r"but cells chooses [1-9]; choose more or none"):
        protected(method, children())


def test_zeros_among_both_signs_are_not_lost_silently() -> None:
    rng = np.random.default_rng(1)
    profit = np.where(rng.random(600) < 0.6, 0.0, rng.normal(0, 500, 600))
    roles = dict.fromkeys(("age", "profit"), "quasi-identifier")
    data = discreet.read({"age": rng.normal(50, 9, 600), "profit": profit}, roles=roles)
    told = discreet.protect(data, "sequential-regression", seed=1).notes
    assert any("many zeros of these columns were lost: profit" in note for note in told)
    gains = discreet.read({"age": data["age"], "profit": np.abs(profit)}, roles=roles)
    told = discreet.protect(gains, "sequential-regression", seed=1).notes
    assert not any("zeros" in note for note in told)
    kept = discreet.protect(data, "cart-synthesis", seed=1).data["profit"]
    assert (kept == 0).mean() == pytest.approx(0.6, abs=0.1)
