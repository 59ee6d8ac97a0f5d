"""Rounding to a base, to points, to vectors, and at random without bias."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata, RandomRounding, Rounding, UsageError
from discreet.contracts import Context, Method, Randomness


def read(**columns: list[float | None]) -> Microdata:
    return discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))


def rounded(data: Microdata, method: Method, name: str = "x", seed: int = 1) -> list[float]:
    return [float(v) for v in method.protect(data, Context(Randomness(seed))).data[name]]


@pytest.mark.parametrize("base", [1e-310, 5e-324, 1e300])
def test_a_base_of_any_size_is_taken(base: float) -> None:
    data = discreet.read({"age": [21.5, 38.25]}, roles={"age": "quasi-identifier"})
    for method in (Rounding(base=base), RandomRounding(base=base)):
        released = method.protect(data, Context()).data["age"]
        assert released.tolist() == ([0.0, 0.0] if base > 1 else [21.5, 38.25])


def test_half_way_goes_up_as_the_help_says() -> None:
    assert "values halfway between two multiples go up" in Rounding.params()["base"].help
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


def test_the_default_works_on_the_patients(patients: Microdata) -> None:
    for method in (Rounding(columns=["age", "height_cm"]), RandomRounding(columns=["age"])):
        masked = method.protect(patients, Context(Randomness(1))).data
        present = masked["age"][~masked.column("age").missing]
        assert (present % 10 == 0).all()


def test_dates_go_to_the_first_day_of_their_quarter() -> None:
    data = discreet.read(
        {"born": [date(1990, 5, 17), None], "age": [31, 47]},
        roles=dict.fromkeys(["born", "age"], "quasi-identifier"),
    )
    masked = Rounding(bases={"born": "quarter"}).protect(data, Context())
    assert masked.data.frame()["born"].to_pylist() == [date(1990, 4, 1), None]
    with pytest.raises(discreet.UsageError, match="'age' is not such a column"):
        Rounding(bases={"age": "month"}).protect(data, Context())
