"""Categorical columns drawn from latent classes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.contracts import Context, Randomness
from discreet.microdata import Column
from discreet.models.latent_class import latent_classes, synthesise


def context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


def homes(rows: int = 600) -> tuple[Microdata, np.ndarray]:
    """Home and car depend on income; sex on nothing."""
    generator = np.random.default_rng(5)
    income = generator.normal(0, 1, rows)
    rich = generator.random(rows) < 1 / (1 + np.exp(-2 * income))
    home = np.where(generator.random(rows) < np.where(rich, 0.9, 0.2), "owned", "rented")
    car = np.where(generator.random(rows) < np.where(rich, 0.8, 0.1), "yes", "no").tolist()
    sex = np.where(generator.random(rows) < 0.5, "f", "m")
    car = [None if i % 50 == 7 else c for i, c in enumerate(car)]
    data = discreet.read({"home": home, "car": car, "sex": sex, "income": income})
    return data, income[:, None]


def words(column: Column) -> list[object]:
    names = (*column.attribute.categories, None)
    return [names[code] for code in column.values]


def test_marginals_and_dependence_are_kept() -> None:
    data, income = homes(3000)
    made = synthesise(data, ["home", "car", "sex"], income, income, 20, 2, context())
    assert [column.name for column in made] == ["home", "car", "sex"]
    for column in made:
        original = Counter(words(data.column(column.name)))
        released = Counter(words(column))
        for word, count in original.items():
            assert released[word] == pytest.approx(count, abs=5 * np.sqrt(count))
    home, car = (np.array(words(column)) for column in made[:2])
    both = np.mean((home == "owned") & (car == "yes"))
    original_home, original_car = (np.array(words(data.column(n))) for n in ("home", "car"))
    expected = np.mean((original_home == "owned") & (original_car == "yes"))
    alone = np.mean(home == "owned") * np.mean(car == "yes")
    assert both == pytest.approx(expected, abs=0.04)
    assert both > alone + 0.05


def test_classes_follow_the_synthetic_points() -> None:
    data, income = homes(3000)
    fitted = latent_classes(data, ["home", "car"], income, 20, 2, context())
    rich = fitted.draw(np.full((2000, 1), 3.0), np.random.default_rng(1))[0]
    poor = fitted.draw(np.full((2000, 1), -3.0), np.random.default_rng(1))[0]
    assert Counter(words(rich))["owned"] > 1600
    assert Counter(words(poor))["owned"] < 600


def test_another_number_of_records_can_be_made() -> None:
    data, income = homes()
    made = synthesise(data, ["home"], income, income[:17], 5, 2, context())
    assert len(made[0].values) == 17
    assert synthesise(data, [], income, income, 5, 2, context()) == []


def test_a_missing_category_is_one_of_its_own() -> None:
    data, income = homes(3000)
    [car] = synthesise(data, ["car"], income, income, 20, 2, context())
    assert car.missing.sum() == pytest.approx(60, abs=35)
    [sex] = synthesise(data, ["sex"], income, income, 20, 2, context())
    assert not sex.missing.any()


def test_categories_seen_once_and_never() -> None:
    data, income = homes(200)
    town = np.zeros(200, dtype=np.int64)
    town[17] = 1
    column = data.column("home").recoded(town, discreet.Kind.NOMINAL, ("a", "b", "never"))
    data = data.replace([column])
    fitted = latent_classes(data, ["home", "car"], income, 20, 3, context())
    assert fitted.attributes[0].combinations[:, 0].tolist() == [0, 1]
    many = fitted.draw(np.repeat(income, 50, axis=0), np.random.default_rng(1))[0]
    counts = np.bincount(many.values, minlength=3)
    assert 10 < counts[1] < 120
    assert counts[2] == 0


def test_columns_taken_together_keep_what_cannot_be() -> None:
    generator = np.random.default_rng(2)
    sex = generator.integers(0, 2, 800)
    pregnant = sex * (generator.random(800) < 0.4)
    data = discreet.read({
        "sex": np.array(["m", "f"])[sex], "pregnant": np.array(["no", "yes"])[pregnant],
        "town": np.array(["a", "b"])[generator.integers(0, 2, 800)],
    })  # fmt: skip
    names, points = ["sex", "pregnant", "town"], np.empty((800, 0))

    def impossible(together: list[tuple[str, str]]) -> int:
        made = synthesise(data, names, points, points, 5, 1, context(), together)
        assert [column.name for column in made] == names
        found = Counter(zip(words(made[0]), words(made[1]), strict=True))
        return found["m", "yes"]

    assert impossible([]) > 20
    assert impossible([("sex", "pregnant")]) == 0
    assert impossible([("pregnant", "sex")]) == 0


def test_no_class_is_smaller_than_k() -> None:
    data, income = homes()
    for k in (20, 180):
        fitted = latent_classes(data, ["home", "car", "sex"], income, k, 3, context())
        assert fitted.least_size >= k * (1 - 1e-8)


def test_the_same_seed_gives_the_same_categories() -> None:
    data, income = homes()
    names = ["home", "car", "sex"]
    one, same, other = (
        synthesise(data, names, income, income, 200, None, context(seed)) for seed in (1, 1, 2)
    )
    assert all(a.same_as(b) for a, b in zip(one, same, strict=True))
    assert not all(a.same_as(b) for a, b in zip(one, other, strict=True))


def test_many_records_are_fitted_on_some_and_none_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("discreet.models.latent_class.synthesis.MOST_FITTED", 150)
    data, income = homes(2000)
    fitted = latent_classes(data, ["home", "car", "sex"], income, 50, 2, context())
    assert fitted.model.records == 150
    assert fitted.least_size >= 50 * (1 - 1e-8)
    totals = [fitted.model.table(j).sum(axis=0) for j in range(3)]
    assert np.array(totals) == pytest.approx(np.ones((3, 2)))
    # Whatever occurs in the file can be drawn, also what the 150 did not have.
    assert (fitted.model.probabilities.max(axis=1) > 0).all()


def test_what_cannot_be_asked_is_explained() -> None:
    data, income = homes(40)
    with pytest.raises(UsageError, match="5 latent classes of at least 8 records need more than"):
        latent_classes(data, ["home"], income, 8, 5, context())
    with pytest.raises(DataError, match="a latent class of at least 50 records"):
        latent_classes(data, ["home"], income, 50, None, context())
    with pytest.raises(UsageError, match="together names column 'hom'"):
        latent_classes(data, ["home", "car"], income, 5, 2, context(), [("hom", "car")])
    with pytest.raises(UsageError, match="only once, but 'car' is named twice"):
        latent_classes(
            data, ["home", "car", "sex"], income, 5, 2, context(), [("home", "car"), ("car", "sex")]
        )


def test_thyroid_agrees_with_another_implementation(reference_data: Path) -> None:
    data = discreet.read(reference_data / "thyroid_complete_1947.csv")
    points = data.matrix(["age", "TSH", "T3", "T4U", "FTI"])
    names = data.schema.names[6:21]
    assert len(names) == 15
    # The log-likelihoods that stepmix 3.0 finds in one step with covariates.
    for classes, expected in ((2, -4416.032), (3, -4324.024)):
        fitted = latent_classes(data, names, points, 60, classes, context())
        assert fitted.model.log_likelihood == pytest.approx(expected, abs=0.01)
        assert fitted.least_size >= 60
