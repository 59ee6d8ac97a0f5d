"""Rounding to a base, to points, to vectors, and at random without bias."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata, RandomRounding, Rounding, UsageError
from discreet.contracts import Context, Method, Randomness
from discreet.methods.perturbative.rounding_sets import nearest_point, neighbours

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


def read(**columns: list[float | None]) -> Microdata:
    return discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))


def rounded(data: Microdata, method: Method, name: str = "x", seed: int = 1) -> list[float]:
    return [float(v) for v in method.protect(data, Context(Randomness(seed))).data[name]]


@settings(deadline=None)
@given(NUMBERS, st.sampled_from([0.01, 0.1, 0.25, 1.0, 3.0, 10.0, 1000.0]))
def test_every_value_goes_to_the_nearest_multiple(values: list[float], base: float) -> None:
    now = nearest_point(np.array(values), base)
    steps = now / base
    assert steps == pytest.approx(np.rint(steps), abs=1e-6)
    assert (np.abs(now - values) <= base / 2 * (1 + 1e-9) + 1e-9).all()


@settings(deadline=None)
@given(NUMBERS, st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6, unique=True))
def test_every_value_goes_to_the_nearest_point(values: list[float], points: list[float]) -> None:
    now = nearest_point(np.array(values), np.unique(points))
    least = np.abs(np.subtract.outer(values, points)).min(axis=1)
    assert set(now.tolist()) <= set(np.asarray(points).tolist())
    assert np.abs(now - values) == pytest.approx(least)


def test_multiples_of_a_tenth_are_written_as_tenths() -> None:
    assert nearest_point(np.array([0.31, 0.74, 1.14]), 0.1).tolist() == [0.3, 0.7, 1.1]
    assert neighbours(np.array([0.3]), 0.1)[0].tolist() == [0.3]


@pytest.mark.parametrize("base", [1e-310, 5e-324, 1e300])
def test_a_base_of_any_size_is_taken(base: float) -> None:
    data = discreet.read({"age": [21.5, 38.25]}, roles={"age": "quasi-identifier"})
    for method in (Rounding(base=base), RandomRounding(base=base)):
        released = method.protect(data, Context()).data["age"]
        assert released.tolist() == ([0.0, 0.0] if base > 1 else [21.5, 38.25])


def test_half_way_goes_up_as_the_help_says() -> None:
    assert "half-way values go up" in Rounding.params()["base"].help
    assert rounded(read(x=[5.0, 15.0, 25.0, -5.0]), Rounding()) == [10, 20, 30, 0]


def test_columns_may_have_bases_and_points_of_their_own() -> None:
    data = read(x=[12.0, 18.0], y=[12.0, 18.0], z=[12.0, 18.0])
    method = Rounding(base=10, bases={"y": 5}, points={"z": [0, 17]})
    masked = method.protect(data, Context()).data
    assert [masked[n].tolist() for n in "xyz"] == [[10, 20], [10, 20], [17, 17]]


def test_together_a_record_goes_to_the_nearest_vector() -> None:
    data = read(x=[0.0, 6.0, 9.0, None], y=[0.0, 0.0, 100.0, 90.0])
    method = Rounding(points={"x": [0, 10], "y": [0, 100]}, together=True)
    masked = method.protect(data, Context()).data
    # The second record: nearest by column is (10, 0), which is no rounding point in two dimensions.
    assert masked["x"].tolist()[:3] == [0, 0, 10]
    assert masked["y"].tolist() == [0, 0, 100, 100]
    assert math.isnan(masked["x"][3])


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_the_nearest_vector_is_nearest_in_standard_deviations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, vectors = rng.normal(size=(15, 2)) * [1, 100], rng.normal(size=(4, 2)) * [1, 100]
    data = discreet.read(
        {"x": values[:, 0], "y": values[:, 1]}, dict.fromkeys("xy", "quasi-identifier")
    )
    points = {"x": vectors[:, 0].tolist(), "y": vectors[:, 1].tolist()}
    now = Rounding(points=points, together=True).protect(data, Context()).data.matrix(["x", "y"])
    spread = values.std(axis=0, ddof=1)
    apart = (((values[:, None] - vectors) / spread) ** 2).sum(axis=2)
    assert now.tolist() == vectors[apart.argmin(axis=1)].tolist()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"bases": {"x": 0}}, "base of column 'x' in Rounding must be a number above 0"),
        ({"bases": {"q": 5}}, "column 'q', which it does not treat"),
        ({"points": {"x": 5}}, "must be a list of numbers"),
        ({"points": {"x": ["a"]}}, "must be a list of numbers"),
        ({"together": True}, "with together needs points for every treated column"),
        ({"points": {"x": [1, 2], "y": [1]}, "together": True}, "but 2, 1 were given"),
    ],
)
def test_wrong_rounding_sets_are_explained(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Rounding(**parameters).protect(read(x=[1.0], y=[2.0]), Context())


def test_random_rounding_is_unbiased() -> None:
    data = read(x=[32.0, 40.0, -7.0, 0.5, None])
    runs = np.array([rounded(data, RandomRounding(base=10), seed=s) for s in range(1200)])
    assert np.isnan(runs[:, 4]).all()
    assert set(runs[:, 0]) == {30.0, 40.0}
    assert set(runs[:, 1]) == {40.0}
    error = runs[:, :4].std(axis=0) / math.sqrt(len(runs))
    off = np.abs(runs[:, :4].mean(axis=0) - [32, 40, -7, 0.5])
    assert (off <= 4.5 * error).all()


def test_random_rounding_stays_within_one_base_as_the_help_says() -> None:
    assert "less than one base away" in RandomRounding.params()["base"].help
    values = np.random.default_rng(1).normal(0, 100, 5000)
    data = discreet.read({"x": values}, {"x": "quasi-identifier"})
    apart = np.abs(np.array(rounded(data, RandomRounding(base=10))) - values)
    assert 9 < apart.max() < 10


def test_random_rounding_to_points_is_unbiased_between_them_and_tells_of_the_rest() -> None:
    data = read(x=[5.0, 20.0, 99.0])
    method = RandomRounding(points={"x": [0, 10, 50]})
    runs = np.array([rounded(data, method, seed=s) for s in range(800)])
    error = runs.std(axis=0) / math.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0)[:2] - [5, 20]) <= 4.5 * error[:2]).all()
    assert set(runs[:, 2]) == {50.0}
    [note] = method.protect(data, Context()).notes
    assert note.startswith("1 values of column 'x' lie outside its rounding points")


def test_the_default_works_on_the_patients(patients: Microdata) -> None:
    for method in (Rounding(columns=["age", "height_cm"]), RandomRounding(columns=["age"])):
        masked = method.protect(patients, Context(Randomness(1))).data
        present = masked["age"][~masked.column("age").missing]
        assert (present % 10 == 0).all()
