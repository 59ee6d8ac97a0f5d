"""Columns that give back what was protected are refused, told, or allowed by name."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microaggregation
from discreet.errors import DataError, UsageError
from discreet.microaggregation.partition.mdav import MDAV
from discreet.release.given_back import look_for_given_back
from discreet.release.plan import Plan

N = 600
QI, OTHER = "quasi-identifier", "other"
FIVES = Microaggregation(MDAV(k=5))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def people(rng: np.random.Generator, **more: Any) -> discreet.Microdata:
    """Return people whose age is a quasi-identifier; the further columns have the role other."""
    columns = {"age": rng.integers(18, 90, N), **more}
    return discreet.read(columns, roles={**dict.fromkeys(columns, OTHER), "age": QI})


def born(age: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return years of birth; some had their birthday this year already."""
    return np.asarray(2026 - age - rng.integers(0, 2, len(age)))


def test_a_year_of_birth_gives_back_an_age(rng: np.random.Generator) -> None:
    age = rng.integers(18, 90, N)
    columns = {"age": age, "birth_year": born(age, rng)}
    data = discreet.read(columns, roles={"age": QI, "birth_year": OTHER})
    with pytest.raises(DataError) as refused:
        discreet.protect(data, FIVES)
    message = str(refused.value)
    assert message.startswith("'birth_year' is released as it is and gives back")
    for way_out in ("the role identifier", "together with 'age'", "allow: [birth_year]"):
        assert way_out in message
    left_out = discreet.read(columns, roles={"age": QI, "birth_year": "identifier"})
    assert discreet.protect(left_out, FIVES).data.schema.names == ("age",)
    together = discreet.read(columns, roles={"age": QI, "birth_year": QI})
    assert discreet.protect(together, FIVES).notes == ()
    allowed = discreet.protect(data, FIVES, allow=["birth_year"])
    assert allowed.allowed == ("birth_year",)
    [note] = allowed.notes
    assert "'birth_year' is released as it is" in note
    assert note.endswith("it is allowed")
    assert discreet.protect(data, FIVES, allow=None).notes == ()


def test_a_code_gives_back_its_label_and_a_label_part_of_its_code(rng: np.random.Generator) -> None:
    code = rng.integers(0, 12, N)
    data = discreet.read(
        {"school": [f"school {i}" for i in code], "grade": code},
        roles={"school": QI, "grade": OTHER},
    )
    with pytest.raises(DataError, match="'grade' is released as it is and gives back 100% of"):
        discreet.protect(data, "pram")
    age = rng.integers(18, 90, N)
    decades = discreet.read(
        {"age": age, "span": [f"{a // 4 * 4} to {a // 4 * 4 + 3}" for a in age]},
        roles={"age": QI, "span": OTHER},
    )
    note, _ = discreet.protect(decades, FIVES, seed=1).notes
    assert note.startswith("'span' is released as it is and gives back")
    assert note.endswith("is that intended?")


def test_a_total_gives_back_a_part(rng: np.random.Generator) -> None:
    wage, rent, other = rng.lognormal(8, 1, (3, N)).round()
    data = discreet.read(
        {"wage": wage, "rent": rent, "other": other, "total": wage + rent + other},
        roles={"wage": QI, "rent": OTHER, "other": OTHER, "total": "confidential"},
    )
    with pytest.raises(DataError, match="'rent' and 'other' and 'total' are released as they are"):
        discreet.protect(data, "additive-noise")
    assert discreet.protect(data, "additive-noise", allow=["total"]).allowed == ("total",)


def test_a_ratio_gives_back_its_parts(rng: np.random.Generator) -> None:
    height, weight = rng.normal(1.7, 0.1, N), rng.normal(70, 12, N)
    data = discreet.read(
        {"weight": weight, "height": height, "bmi": weight / height**2},
        roles={"weight": QI, "height": OTHER, "bmi": OTHER},
    )
    with pytest.raises(DataError, match="'height' and 'bmi' are released as they are"):
        discreet.protect(data, FIVES)


def test_a_date_gives_back_its_year(rng: np.random.Generator) -> None:
    first = datetime.date(1930, 1, 1)
    days = [first + datetime.timedelta(days=int(d)) for d in rng.integers(0, 25_000, N)]
    data = discreet.read(
        {"year": [day.year for day in days], "born": days}, roles={"year": QI, "born": OTHER}
    )
    with pytest.raises(DataError, match="'born' is released as it is and gives back"):
        discreet.protect(data, FIVES)


def test_correlated_columns_are_neither_refused_nor_told(rng: np.random.Generator) -> None:
    x = rng.normal(size=N)
    columns = {f"x{j}": x + 0.4 * rng.normal(size=N) for j in range(6)}
    sex = rng.choice(["f", "m"], N).tolist()
    data = discreet.read(
        {**columns, "sex": sex}, roles={"x0": QI, **dict.fromkeys([*columns][1:], OTHER)}
    )
    release = discreet.protect(data, FIVES)
    assert not any("gives back" in note or "give back" in note for note in release.notes)


def test_households_and_visits_do_not_predict_their_own(rng: np.random.Generator) -> None:
    homes = np.repeat(np.arange(N // 3), 3)
    income, region = rng.lognormal(9, 1, N // 3)[homes], rng.integers(0, 9, N // 3)[homes]
    columns = {"region": [f"r{i}" for i in region], "income": income, "home": homes}
    for home in ("household", OTHER):
        data = discreet.read(columns, roles={"region": QI, "income": OTHER, "home": home})
        release = discreet.protect(data, "pram")
        assert not any("give" in note and "back" in note for note in release.notes)


def test_what_is_synthetic_gives_nothing_back(rng: np.random.Generator) -> None:
    age = rng.integers(18, 90, N)
    data = discreet.read({"age": age, "born": born(age, rng)}, roles={"age": QI, "born": QI})
    assert discreet.protect(data, "fully-synthetic").allowed == ()


def test_few_records_show_nothing() -> None:
    data = discreet.read(
        {"age": [21, 22, 23, 40, 41, 42], "twice": [42, 44, 46, 80, 82, 84]},
        roles={"age": QI, "twice": OTHER},
    )
    assert discreet.protect(data, Microaggregation(MDAV(k=3))).notes == ()


def test_missing_and_infinite_values_are_no_hindrance(rng: np.random.Generator) -> None:
    age = rng.integers(18, 90, N).astype(float)
    year = 2026 - age
    year[::50] = np.nan
    noise = rng.normal(size=N)
    noise[3] = np.inf
    data = discreet.read(
        {"age": age, "born": year, "noise": noise}, roles={"age": QI, "born": OTHER, "noise": OTHER}
    )
    with pytest.raises(DataError, match="'born' is released as it is"):
        discreet.protect(data, FIVES, seed=1)


def test_numbers_as_large_as_can_be_are_no_hindrance(rng: np.random.Generator) -> None:
    huge = people(rng, a=np.full(N, 1.7e308), b=np.where(rng.random(N) < 0.5, 1.7e308, -1.7e308))
    assert discreet.protect(huge, FIVES).notes == ()
    age = rng.integers(18, 90, N)
    copied = discreet.read({"age": age, "a": age * 1e306}, roles={"age": QI, "a": OTHER})
    with pytest.raises(DataError, match="'a' is released as it is and gives back"):
        discreet.protect(copied, FIVES)


@pytest.mark.parametrize("size", [1e-300, 1e39, 1e136])
def test_huge_and_tiny_numbers_are_no_hindrance(size: float, rng: np.random.Generator) -> None:
    age = rng.integers(18, 90, N).astype(float)
    columns = {"age": age, "born": (2026 - age) * size / 10, "alike": np.full(N, size)}
    data = discreet.read(columns, roles={"age": QI, "born": OTHER, "alike": OTHER})
    with pytest.raises(DataError, match="'born' is released as it is"):
        discreet.protect(data, FIVES, seed=1)
    data = discreet.read(columns, roles={"age": OTHER, "born": QI, "alike": OTHER})
    with pytest.raises(DataError, match="'age' is released as it is"):
        discreet.protect(data, FIVES, seed=1)


def test_values_that_differ_beside_one_far_out_are_given_back_too() -> None:
    pay = np.tile([0.0, 0.5, 1.5, 0.0, 12345.678], 24)
    data = discreet.read({"pay": pay, "copy": pay}, roles={"pay": QI, "copy": OTHER})
    for seed in range(4):
        with pytest.raises(DataError, match="'copy' is released as it is and gives back 100%"):
            discreet.protect(data, "additive-noise", seed=seed)


def test_an_unknown_column_cannot_be_allowed(rng: np.random.Generator) -> None:
    with pytest.raises(UsageError, match="'aeg'"):
        discreet.protect(people(rng), FIVES, allow=["aeg"])


def test_a_plan_allows_by_name(rng: np.random.Generator) -> None:
    age = rng.integers(18, 90, N)
    data = discreet.read({"age": age, "born": born(age, rng)}, roles={"age": QI, "born": OTHER})
    text = "columns: {age: quasi-identifier, born: other}\nsteps: [microaggregation]\n"
    with pytest.raises(DataError, match="'born' is released as it is"):
        Plan.parse(text).run(data)
    plan = Plan.parse(text + "allow: [born]\n")
    release = plan.run(data)
    assert release.allowed == ("born",)
    assert Plan.parse(plan.dump()).allow == ("born",)
    for wrong in ("born", "{born: 1}", "[1]"):
        with pytest.raises(UsageError, match="a list of columns"):
            Plan.parse(text + f"allow: {wrong}\n")


def test_the_owner_can_repeat_it_and_the_public_learns_nothing(
    rng: np.random.Generator, tmp_path: Path
) -> None:
    age = rng.integers(18, 90, N)
    data = discreet.read({"age": age, "born": born(age, rng)}, roles={"age": QI, "born": OTHER})
    folder = discreet.protect(data, FIVES, allow=["born"]).write(tmp_path / "out")
    internal = (folder / "report-internal.html").read_text(encoding="utf-8")
    assert "allow:" in internal
    for name in ("report-public.html", "manifest.json"):
        public = (folder / name).read_text(encoding="utf-8")
        assert "allow" not in public
        assert "gives back" not in public


def test_of_very_many_columns_a_part_is_looked_at_and_a_note_says_so() -> None:
    rng = np.random.default_rng(3)
    columns = {f"x{j}": rng.normal(size=60) for j in range(300)}
    roles = {name: QI if j < 150 else OTHER for j, name in enumerate(columns)}
    release = discreet.protect(discreet.read(columns, roles), "additive-noise")
    assert any("the first 70 were examined" in note for note in release.notes)


REFUSED = {
    "casc_census.csv": {"PTOTVAL", "POTHVAL", "PEARNVAL"},  # the first is the sum of the others
    "sdcmicro_testdata.csv": set(),
    "casc_tarragona.csv": set(),
    "pima_diabetes.csv": set(),
    "adult_arx_30162.csv": set(),
}


def refused(data: discreet.Microdata) -> set[str]:
    """Return the columns that the others give back."""
    found = set()
    for column in data:
        changed = data.replace([column.with_values(np.roll(column.values, 1))])
        origin = np.arange(len(data))
        try:
            look_for_given_back(data, changed, origin, [], np.random.default_rng(1))
        except DataError:
            found.add(column.name)
    return found


@pytest.mark.parametrize("file", REFUSED)
def test_reference_files_have_few_functions_and_these_are_known(
    file: str, data_files: Path
) -> None:
    assert refused(discreet.read(data_files / file)) == REFUSED[file]


def test_rounding_hides_a_factor_of_the_thyroid_file(reference_data: Path) -> None:
    whole = discreet.read(reference_data / "thyroid_complete_1947.csv")
    # Every patient_id is another one: nothing to protect, and nothing to predict.
    assert refused(whole.drop(["patient_id"])) == {"FTI", "TT4"}  # FTI = 100 · TT4/T4U


def test_education_num_of_adult_is_a_code_beside_its_label(data_files: Path) -> None:
    data = discreet.read(data_files / "adult_arx_30162.csv")
    numbers = data.column("education").values.astype(float)
    both = discreet.read(
        {"education": [str(i) for i in numbers], "education-num": numbers},
        roles={"education": QI, "education-num": OTHER},
    )
    with pytest.raises(DataError, match="'education-num' is released as it is and gives back 100%"):
        discreet.protect(both, "pram")


def test_a_record_inside_a_cell_gives_back_an_age(rng: np.random.Generator) -> None:
    import pyarrow as pa

    age = rng.integers(18, 90, N)
    table = pa.table({"age": age, "file": pa.array([{"years": int(years)} for years in age])})
    data = discreet.read(table, roles={"age": QI, "file": OTHER})
    with pytest.raises(DataError, match="'file'"):
        discreet.protect(data, FIVES, seed=1)


def test_a_column_under_another_name_is_refused_in_small_files_too(
    rng: np.random.Generator,
) -> None:
    age = rng.integers(18, 90, N)
    names = np.array([f"v{place}" for place in rng.permutation(100)])
    data = discreet.read({"age": age, "code": names[age]}, roles={"age": QI, "code": OTHER})
    with pytest.raises(DataError, match="'code' is released as it is and gives back 100%"):
        discreet.protect(data, FIVES, seed=1)


def test_households_that_share_two_amounts_do_not_make_one_of_the_other(
    rng: np.random.Generator,
) -> None:
    homes = np.repeat(np.arange(N // 3), 3)
    rent, water = rng.permutation(10 * N)[: N // 3], rng.permutation(10 * N)[: N // 3]
    data = discreet.read(
        {"home": homes, "rent": rent[homes], "water": water[homes]},
        roles={"home": "household", "rent": QI, "water": OTHER},
    )
    discreet.protect(data, FIVES, seed=1)
    # Nor does it if nobody says that they are households.
    unknown = discreet.read({n: data[n] for n in data.schema.names}, roles={"rent": QI})
    discreet.protect(unknown, FIVES, seed=1, allow=["home", "water"])
