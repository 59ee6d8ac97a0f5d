"""PRAM: matrices are what they are said to be, counts are kept, and true counts come back."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import PRAM, DataError, Microdata, Plan, UsageError
from discreet.contracts import Context, Randomness
from discreet.contracts.registry import build

TOWNS = ("Ayle", "Bron", "Cull", "Dorn")


def towns(rows: int = 600) -> Microdata:
    rng = np.random.default_rng(8)
    return discreet.read(
        {
            "town": rng.choice(TOWNS, rows, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
            "area": [("n", "s")[i] for i in rng.integers(0, 2, rows)],
        },
        {"town": "quasi-identifier", "area": "stratum"},
    )


def treated(data: Microdata, method: PRAM, seed: int = 1) -> np.ndarray:
    return np.asarray(method.protect(data, Context(Randomness(seed))).data["town"])


def test_stay_is_the_least_probability_as_its_help_says() -> None:
    assert "the smallest diagonal entry" in PRAM.params()["stay"].help
    data = towns(100_000)
    for stay in (0.2, 0.8):
        same = treated(data, PRAM(stay=stay)) == data["town"]
        shares = [same[data["town"] == code].mean() for code in range(4)]
        assert min(shares) == pytest.approx(stay, abs=0.02)
        assert np.argmin(shares) == 3, "the rarest category stays least"


def test_expected_counts_are_those_of_the_original() -> None:
    data = towns()
    runs = np.array(
        [np.bincount(treated(data, PRAM(stay=0.5), s), minlength=4) for s in range(400)]
    )
    error = runs.std(axis=0, ddof=1) / math.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0) - np.bincount(data["town"])) / error).max() < 4.5


def test_within_strata_expected_counts_are_those_of_the_stratum() -> None:
    data = discreet.read(
        {
            "town": list("a" * 90 + "b" * 10 + "c" * 50 + "b" * 50),
            "area": list("n" * 100 + "s" * 100),
        },
        {"town": "quasi-identifier", "area": "stratum"},
    )
    method = PRAM(stay=0.5, strata=["area"])
    now = treated(data, method)
    assert set(now[:100].tolist()) <= {0, 1}, "nobody of the first area gets a town of the other"
    assert set(now[100:].tolist()) <= {1, 2}
    runs = [np.bincount(treated(data, method, s)[:100], minlength=3)[0] for s in range(300)]
    assert np.mean(runs) == pytest.approx(90, abs=4.5 * np.std(runs) / math.sqrt(300))


def test_strata_whose_names_read_alike_are_all_treated() -> None:
    # a+b with c and a with b+c are both written a+b+c; so is a missing one, and one called so.
    rng = np.random.default_rng(4)
    strata = [("a+b", "c"), ("a", "b+c"), ("missing", "d"), (None, "d")]
    at = rng.integers(0, 4, 800)
    data = discreet.read(
        {
            "town": rng.choice(TOWNS[:2], 800).tolist(),
            "one": [strata[i][0] for i in at],
            "two": [strata[i][1] for i in at],
        },
        {"town": "quasi-identifier"},
        {"one": "nominal", "two": "nominal"},
    )
    changed = treated(data, PRAM(stay=0.0, strata=["one", "two"])) != data["town"]
    assert min(changed[at == i].mean() for i in range(4)) > 0.5


def test_matrices_per_stratum_need_strata() -> None:
    matrices = {"town": {"n": {"Ayle": {"Ayle": 1}}, "s": {"Ayle": {"Ayle": 1}}}}
    with pytest.raises(UsageError, match=r"but no strata; name them with strata=\[…\]"):
        treated(towns(), PRAM(matrices=matrices))


def test_values_that_nothing_could_replace_are_told() -> None:
    data = discreet.read(
        {"town": list("aaab"), "area": list("nnss")},
        {"town": "quasi-identifier", "area": "stratum"},
    )
    assert PRAM().protect(data, Context()).notes == ()
    [note] = PRAM(strata=["area"]).protect(data, Context()).notes
    assert note == (
        "2 values of column 'town' lie where only one category occurs, and stay as they are"
    )


def test_a_matrix_in_a_plan_and_in_a_file_are_the_same(tmp_path: Path) -> None:
    text = """
steps:
  - pram:
      reveal: true
      matrices:
        town:
          Ayle: {Ayle: 0.5, Bron: 0.5}
          Bron: {Bron: 1}
          Cull: {Cull: 0.25, Dorn: 0.75}
          Dorn: {Dorn: 1}
"""
    [planned] = Plan.parse(text).steps
    file = tmp_path / "towns.csv"
    file.write_text(
        ",Ayle,Bron,Cull,Dorn\nAyle,0.5,0.5,0,0\nBron,0,1,0,0\nCull,0,0,.25,.75\nDorn,0,0,0,1\n"
    )
    from_file = PRAM(matrix_files=[f"town={file}"], reveal=True)
    data = towns()
    assert isinstance(planned, PRAM)
    assert treated(data, planned).tolist() == treated(data, from_file).tolist()
    assert build("method", planned.recipe()) == planned
    assert hash(planned) == hash(build("method", planned.recipe()))
    assert from_file.recipe(public=True) == planned.recipe(public=True)
    assert from_file.files() == [str(file)]


def test_a_matrix_per_stratum() -> None:
    data = towns()
    stays = {t: {t: 1} for t in ("Ayle", "Bron", "Cull", "Dorn")}
    moves = {t: {"Ayle": 1} for t in stays}
    method = PRAM(matrices={"town": {"n": stays, "s": moves}}, strata=["area"])
    now = treated(data, method)
    north = data["area"] == data.schema["area"].categories.index("n")
    assert now[north].tolist() == data["town"][north].tolist()
    assert (now[~north] == 0).all()
    with pytest.raises(UsageError, match="none for one of the strata that occur"):
        treated(data, PRAM(matrices={"town": {"n": stays}}, strata=["area"]))


def test_a_new_category_may_be_released_as_in_recoding() -> None:
    data = towns()
    rows = {t: {"coast": 1} for t in ("Ayle", "Bron")} | {t: {t: 1} for t in ("Cull", "Dorn")}
    masked = PRAM(matrices={"town": rows}).protect(data, Context()).data
    assert masked.schema["town"].categories[-1] == "coast"
    assert (masked["town"][data["town"] < 2] == 4).all()


@pytest.mark.parametrize(
    ("matrices", "words"),
    [
        ({"town": {"Ayle": {"Ayle": 0.5}}}, "add up to 1, but those of row 1 add up to 0.5"),
        ({"town": {"Ayle": {"Ayle": 1.5}}}, "probabilities from 0 to 1, but row 1 has"),
        ({"town": {"Ayle": {"Ayle": True}}}, "probabilities from 0 to 1"),
        ({"town": {"Ayle": 1}}, "must give each category the categories that it may become"),
        ({"town": {}}, "must give probabilities per category"),
        ({"area": {"n": {"n": 1}}}, "which it does not treat"),
        ({"city": {"n": {"n": 1}}}, "names column 'city', which is not in the data"),
    ],
)
def test_a_wrong_matrix_is_explained(matrices: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words) as e:
        PRAM(matrices=matrices).protect(towns(), Context())
    assert "Ayle" not in str(e.value), "a category is a value of the data"


def test_a_category_without_a_row_is_refused_without_quoting_it() -> None:
    with pytest.raises(
        DataError, match="a row for every category that occurs, but that of row"
    ) as e:
        PRAM(matrices={"town": {"Ayle": {"Ayle": 1}}}).protect(towns(), Context())
    assert not any(town in str(e.value) for town in ("Bron", "Cull", "Dorn"))


def test_an_ordinal_column_keeps_its_order() -> None:
    data = discreet.read({"g": ["lo", "hi"]}, {"g": "quasi-identifier"}, {"g": ["lo", "hi"]})
    with pytest.raises(UsageError, match="'mid' has no place in their order"):
        PRAM(matrices={"g": {"lo": {"mid": 1}, "hi": {"hi": 1}}}).protect(data, Context())


def test_a_broken_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no Markov matrix file"):
        PRAM(matrix_files=["town=nowhere.csv"]).protect(towns(), Context())
    (tmp_path / "m.csv").write_text("a,b\nc\n")
    with pytest.raises(DataError, match="released categories in its first row"):
        PRAM(matrix_files=[f"town={tmp_path / 'm.csv'}"]).protect(towns(), Context())
    with pytest.raises(UsageError, match="must be written as column=path"):
        PRAM(matrix_files=["town"]).protect(towns(), Context())


def test_missing_stays_missing() -> None:
    data = discreet.read({"t": ["a", None, "b"] * 30}, {"t": "quasi-identifier"})
    for method in (PRAM(stay=0), PRAM(matrices={"t": {"a": {"b": 1}, "b": {"a": 1}}})):
        masked = method.protect(data, Context(Randomness(1))).data
        assert masked.column("t").missing.tolist() == data.column("t").missing.tolist()


def test_the_default_works_on_the_patients(patients: Microdata) -> None:
    method = PRAM(columns=["sex", "education", "occupation", "postcode"], strata=["region"])
    masked = method.protect(patients, Context(Randomness(1))).data
    for name in method.columns or ():
        error = math.sqrt(0.8 * 0.2 / len(patients))
        assert 0.8 - 4.5 * error < (masked[name] == patients[name]).mean() < 1


def test_true_counts_come_back_from_a_file_treated_per_stratum() -> None:
    rng = np.random.default_rng(5)
    town = np.where(rng.random(4000) < 0.3, "a", "b")
    sex = np.where(rng.random(4000) < np.where(town == "a", 0.8, 0.4), "f", "m")
    data = discreet.read(
        {"town": town, "sex": [*sex[:-1], None]}, roles=dict.fromkeys(["town", "sex"], "other")
    )
    true = np.array([(sex[:-1] == "f").sum(), (sex[:-1] == "m").sum()])
    matrices = {
        "a": {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.3, "m": 0.7}},
        "b": {"f": {"f": 0.6, "m": 0.4}, "m": {"m": 1}},
    }
    for method in (
        discreet.PRAM(matrices={"sex": matrices}, strata=["town"], columns=["sex"]),
        discreet.PRAM(stay=0.6, strata=["town"], columns=["sex"]),
    ):
        runs = [
            method.true_frequencies(method.protect(data, Context(Randomness(s))).data, "sex")
            for s in range(200)
        ]
        assert {run.categories for run in runs} == {("f", "m")}
        counts = np.array([run.counts for run in runs])
        spread = counts.std(axis=0, ddof=1)
        # Within four standard errors of the mean, and the stated errors are the true ones.
        assert (np.abs(counts.mean(axis=0) - true) < 4 * spread / np.sqrt(200)).all()
        stated = np.mean([run.standard_errors for run in runs], axis=0)
        np.testing.assert_allclose(stated, spread, rtol=0.2)


def test_true_counts_are_asked_of_treated_columns_and_strata_as_they_were() -> None:
    data = discreet.read(
        {"town": list("abab"), "sex": list("ffmm")},
        roles=dict.fromkeys(["town", "sex"], "quasi-identifier"),
    )
    with pytest.raises(UsageError, match=r"counts of columns that it treats \(sex\), but 'town'"):
        discreet.PRAM(columns=["sex"]).true_frequencies(data, "town")
    with pytest.raises(UsageError, match="but 'town' is treated too"):
        discreet.PRAM(strata=["town"]).true_frequencies(data, "sex")


def test_a_matrix_from_a_file_is_told_to_the_users_of_the_data(tmp_path: Path) -> None:
    file = tmp_path / "sex.csv"
    file.write_text(",f,m\nf,0.9,0.1\nm,0,1\n", encoding="utf-8")
    method = PRAM(matrix_files=[f"sex={file}"], columns=["sex"], reveal=True)
    published = method.recipe(public=True)["pram"]
    assert published["matrices"] == {"sex": {"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1.0}}}
    assert "matrix_files" not in published
    released = discreet.read({"sex": ["f"] * 45 + ["m"] * 55})
    estimate = PRAM(**published).true_frequencies(released, "sex")
    np.testing.assert_allclose(estimate.counts, [50, 50])
    assert method.recipe()["pram"]["matrix_files"] == [f"sex={file}"]
    file.unlink()
    assert method.recipe(public=True)["pram"]["matrix_files"] == ["sex=sex.csv"]
