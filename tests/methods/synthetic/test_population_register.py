"""Rubin's scheme: a sample is drawn from a register of the population, the rest is imputed."""

from __future__ import annotations

import csv
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import DataError, FullySynthetic, Microdata, UsageError
from discreet.cli.main import run
from discreet.contracts import Context, Masked, Randomness
from discreet.models.combining import Synthesis, combined_coefficients, combined_means
from discreet.models.sequential.register import Register
from discreet.release.copies import copies

PERSONS, SAMPLE = 6000, 500


def population(seed: int = 1) -> dict[str, np.ndarray]:
    """Return everybody: half are women, pay depends on sex and age."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, PERSONS)
    age = rng.integers(18, 80, PERSONS).astype(float)
    return {
        "id": np.array([f"P{i}" for i in range(PERSONS)]),
        "sex": np.array(["f", "m"])[sex],
        "age": age,
        "pay": 500 + 30 * age + 400 * sex + rng.normal(0, 200, PERSONS),
    }


def sampled(rows: np.ndarray) -> Microdata:
    everybody = population()
    return discreet.read(
        {name: values[rows] for name, values in everybody.items()},
        roles={"id": "identifier", "sex": "quasi-identifier", "age": "quasi-identifier",
               "pay": "confidential"},
    )  # fmt: skip


def lopsided() -> np.ndarray:
    """Return persons among whom women are rare, as they are not in the population."""
    women = population()["sex"] == "f"
    chances = np.where(women, 0.1, 0.9)
    rng = np.random.default_rng(2)
    return rng.choice(PERSONS, SAMPLE, replace=False, p=chances / chances.sum())


def register(*names: str) -> dict[str, np.ndarray]:
    return {name: population()[name] for name in names}


def protected(method: FullySynthetic, data: Microdata, seed: int = 1) -> Masked:
    masked: Masked = method.protect(data, Context(Randomness(seed)))
    return masked


def test_background_is_the_population_s_and_the_rest_is_imputed_given_it() -> None:
    data = sampled(lopsided())
    masked = protected(FullySynthetic(records=2000).from_population(register("sex", "age")), data)
    made = masked.data
    assert np.all(masked.origin == -1)
    # Half are women in the register, a tenth in the file.
    assert (made["sex"] == 0).mean() == pytest.approx(0.5, abs=0.04)
    assert (
        protected(FullySynthetic(background=["sex", "age"]), data).data["sex"] == 0
    ).mean() < 0.2
    for code, extra in ((0, 0), (1, 400)):
        own = made["sex"] == code
        slope, constant = np.polyfit(made["age"][own], made["pay"][own], 1)
        assert slope == pytest.approx(30, abs=3)
        assert constant + 50 * slope == pytest.approx(2000 + extra, abs=80)
    assert not np.isin(made["pay"], data["pay"]).any()
    assert made.column("id").missing.all()
    assert any("as they occur in the register: sex, age" in note for note in masked.notes)


def test_persons_are_drawn_without_replacement() -> None:
    data = sampled(np.arange(SAMPLE))
    everybody = {"age": 1000.0 + np.arange(700)}
    made = protected(FullySynthetic(records=700).from_population(everybody), data).data
    assert sorted(made["age"]) == sorted(everybody["age"])
    with pytest.raises(DataError, match="the register has 700 who are not in the file"):
        protected(FullySynthetic(records=701).from_population(everybody), data)


def test_persons_of_the_file_are_left_out_where_they_are_known() -> None:
    rows = np.arange(0, PERSONS, PERSONS // SAMPLE)[:SAMPLE]
    data = sampled(rows)
    # Everybody has an age of his own, so that persons can be followed.
    everybody = register("id") | {"age": np.arange(PERSONS) + 0.5}
    strangers = PERSONS - SAMPLE
    masked = protected(FullySynthetic(records=strangers).from_population(everybody), data)
    drawn = np.rint(masked.data["age"] - 0.5).astype(int)
    assert sorted(drawn) == sorted(set(range(PERSONS)) - set(rows.tolist()))
    assert np.all(masked.origin == -1)
    with pytest.raises(DataError, match="set records to fewer"):
        protected(FullySynthetic(records=strangers + 1).from_population(everybody), data)


def test_on_request_their_original_records_are_drawn() -> None:
    data = sampled(np.arange(SAMPLE))
    method = FullySynthetic(records=1200, originals=True)
    masked = protected(method.from_population(register("id", "sex", "age")), data)
    assert masked.origin is not None
    kept = masked.origin >= 0
    # 1200 of 6000 persons, of whom 500 are in the file.
    assert 70 < kept.sum() < 130
    assert len(np.unique(masked.origin[kept])) == kept.sum()
    for name in ("sex", "age", "pay"):
        assert (masked.data[name][kept] == data[name][masked.origin[kept]]).all()
    assert not np.isin(masked.data["pay"][~kept], data["pay"]).any()
    unlinked = protected(method.from_population(register("sex", "age")), data)
    assert unlinked.origin is not None
    assert 70 < (unlinked.origin >= 0).sum() < 130
    without = protected(FullySynthetic(records=1200).from_population(register("id", "age")), data)
    assert not np.isin(without.data["pay"], data["pay"]).any()
    assert not any("original" in note for note in without.notes)


def test_a_register_may_have_gaps_and_other_columns() -> None:
    data = sampled(np.arange(SAMPLE))
    age = population()["age"].copy()
    age[::3] = np.nan
    sex = [None if i % 5 == 0 else v for i, v in enumerate(population()["sex"])]
    found = protected(
        FullySynthetic().from_population({"age": age, "sex": sex, "shoe size": age}), data
    )
    assert found.data.column("age").missing.mean() == pytest.approx(1 / 3, abs=0.06)
    assert found.data.column("sex").missing.mean() == pytest.approx(1 / 5, abs=0.06)
    assert not found.data.column("pay").missing.any()
    only = FullySynthetic(background=["sex"]).from_population({"age": age, "sex": sex})
    assert not protected(only, data).data.column("age").missing.any()


def test_a_confidential_column_is_background_only_if_it_is_named() -> None:
    data = sampled(np.arange(SAMPLE))
    everything = register("sex", "age", "pay")
    made = protected(FullySynthetic().from_population(everything), data).data
    assert not np.isin(made["pay"], everything["pay"]).any()
    named = FullySynthetic(background=["pay"]).from_population(everything)
    assert np.isin(protected(named, data).data["pay"], everything["pay"]).all()


def test_what_cannot_be_a_register_is_explained() -> None:
    data = sampled(np.arange(SAMPLE))
    with pytest.raises(UsageError, match="at least one background attribute"):
        Register.of({"shoe size": [40]}, data)
    with pytest.raises(UsageError, match=r"the register .*'sex'"):
        Register.of({"age": [40.0]}, data, ["sex"])
    with pytest.raises(DataError, match="be unique to each person"):
        Register.of({"id": ["P1", "P1"], "age": [40.0, 41.0]}, data)
    with pytest.raises(DataError, match="'age' is infinite in row 2"):
        Register.of({"age": [40.0, np.inf]}, data)
    with pytest.raises(UsageError, match="must be one entry population=path"):
        protected(FullySynthetic(register=["people.csv"]), data)
    with pytest.raises(UsageError, match="leave population out"):
        protected(FullySynthetic(population=9999).from_population(register("age")), data)
    with pytest.raises(UsageError, match=r"register 'nowhere\.csv': a relative path starts"):
        protected(FullySynthetic(register=["population=nowhere.csv"]), data)
    with pytest.raises(DataError, match="the register has no persons"):
        Register.of({"age": []}, data)
    with pytest.raises(DataError, match=r"the register cannot be used: .* column 'age' holds text"):
        Register.of({"age": ["forty"]}, data)
    dated = discreet.read({"born": [date(1990, 1, i + 1) for i in range(20)]})
    with pytest.raises(DataError, match="'born' must be of one type"):
        Register.of({"born": [datetime(1990, 1, 1, 12)]}, dated)


def test_frame_and_file_are_the_same_and_a_frame_is_no_file(tmp_path: Path) -> None:
    data = sampled(np.arange(SAMPLE))
    names = ("id", "sex", "age")
    path = tmp_path / "people.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*register(*names).values(), strict=True))
    by_file = FullySynthetic(register=[f"population={path}"])
    by_frame = FullySynthetic().from_population(register(*names))
    one, other = protected(by_file, data).data, protected(by_frame, data).data
    assert all(a.same_as(b) for a, b in zip(one, other, strict=True))
    assert FullySynthetic().from_population(path) == by_file
    read = FullySynthetic().from_population(discreet.read(register(*names)))
    assert all(a.same_as(b) for a, b in zip(one, protected(read, data).data, strict=True))
    assert by_file.files() == [str(path)]
    assert by_frame.files() == []
    assert by_file.recipe(public=True)["fully-synthetic"]["register"] == ["population=people.csv"]
    assert by_frame != FullySynthetic().from_population(register(*names))
    assert by_frame == by_frame.from_population(by_frame._frame)
    assert by_frame != by_file


def test_by_plan_and_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = population()
    for file, rows in (("sample.csv", range(300)), ("people.csv", range(PERSONS))):
        names = ["id", "sex", "age", *(["pay"] if file == "sample.csv" else [])]
        lines = [",".join(str(everybody[name][i]) for name in names) for i in rows]
        (tmp_path / file).write_text("\n".join([",".join(names), *lines]) + "\n", "utf-8")
    (tmp_path / "plan.yaml").write_text(
        "data: sample.csv\n"
        "columns: {id: identifier, sex: quasi-identifier, age: quasi-identifier,"
        " pay: confidential}\n"
        "steps:\n"
        "  - fully-synthetic: {register: [population=people.csv], records: 1000}\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert run(["protect", "plan.yaml", "--out", "out"]) == 0
    released = discreet.read(tmp_path / "out" / "release.csv")
    assert len(released) == 1000
    assert released.schema.names == ("sex", "age", "pay")
    assert not released.column("pay").missing.any()
    assert str(tmp_path) not in (tmp_path / "out" / "manifest.json").read_text("utf-8")
    # A release never overwrites what it was made from, the register among it.
    assert run(["protect", "plan.yaml", "--out", str(tmp_path)]) != 0


def intervals(tables: list[Microdata], synthesis: Synthesis) -> np.ndarray:
    """Return the 95 % intervals of the mean of y and of its slope, a row for each."""
    mean = combined_means(tables, ["y"], synthesis, ratio=8).intervals()
    slope = combined_coefficients(tables, "y", ["x"], synthesis, ratio=8).intervals()[1:]
    both: np.ndarray = np.vstack([mean, slope])
    return both


def test_coverage_of_the_combining_rules() -> None:
    """T_f = (1 + 1/M)·b − ū, for the mean of a population whose x is known, and for its slope."""
    simulations, copied, rows, persons = 100, 8, 100, 20_000
    generator = np.random.default_rng(5)
    method = FullySynthetic(records=8 * rows, round=False)
    combined, naive, error = [], [], []
    for _ in range(simulations):
        x = generator.normal(1, 1, persons)
        y = 2 + 3 * x + generator.normal(0, 2, persons)
        truth = np.array([y.mean(), np.polyfit(x, y, 1)[0]])
        # Large x are three times as likely to be in the file: the register puts that right.
        odds = np.where(x > 1, 3.0, 1.0)
        chosen = generator.choice(persons, rows, replace=False, p=odds / odds.sum())
        data = discreet.read(
            {"x": x[chosen], "y": y[chosen]}, roles={"x": "quasi-identifier", "y": "confidential"}
        )
        seeds = generator.integers(0, 2**31, copied)
        drawing = method.from_population({"x": x})
        made = [protected(drawing, data, int(seed)).data for seed in seeds]
        combined.append(intervals(made, "full") - truth[:, None])
        naive.append(intervals([made[0], made[0]], "partial") - truth[:, None])
        error.append([abs(made[0]["y"].mean() - truth[0]), abs(data["y"].mean() - truth[0])])
    low, high = np.moveaxis(np.array(combined), 2, 0)
    share = ((low <= 0) & (high >= 0)).mean(axis=0)
    assert (share > 0.9).all(), share
    # With 8 copies T_f is estimated from few of them, so its intervals are wide, but not by much.
    needed = 1.96 * ((low + high) / 2).std(axis=0)
    assert (np.median(high - low, axis=0) / 2 < 1.6 * needed).all()
    # One release taken for a file of its own size claims to know far too much.
    low, high = np.moveaxis(np.array(naive), 2, 0)
    share = ((low <= 0) & (high >= 0)).mean(axis=0)
    assert (share < 0.7).all(), share
    with_register, without = np.mean(error, axis=0)
    assert with_register < 0.3 * without


def test_copies_take_a_register() -> None:
    data = sampled(np.arange(SAMPLE))
    method = FullySynthetic(records=800).from_population(register("sex", "age"))
    made = [release.data for release in copies(data, method, 5, seed=3)]
    found = combined_means(made, ["pay"], "full", ratio=800 / SAMPLE)
    truth = float(population()["pay"].mean())
    assert abs(found.estimates[0] - truth) < 4 * found.errors[0]
