"""Matrix masking, and other linear methods written as Z = AXB + C."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import (
    AdditiveNoise,
    DataError,
    MatrixMasking,
    Microaggregation,
    Microdata,
    MomentPreservingNoise,
    RankSwapping,
    UsageError,
)
from discreet.contracts import Context, Method, Randomness
from discreet.methods.perturbative.additive_noise import normal_noise
from discreet.methods.perturbative.matrix_masking import matrix_mask

NAMES = ("x", "y")


def table(rows: int = 30) -> Microdata:
    rng = np.random.default_rng(12)
    x = rng.normal(50, 10, rows)
    return discreet.read(
        {"x": x, "y": x + rng.normal(0, 5, rows)}, dict.fromkeys(NAMES, "quasi-identifier")
    )


def context() -> Context:
    return Context(Randomness(4))


def noise(data: Microdata, alpha: float, correlated: bool = True) -> np.ndarray:
    generator = context().generator("noise")
    return np.asarray(normal_noise(data.matrix(NAMES), alpha, generator, correlated))


@pytest.mark.parametrize("variant", ["correlated", "uncorrelated"])
def test_additive_noise_is_a_displacement(variant: str) -> None:
    data = table()
    masked = AdditiveNoise(alpha=0.3, variant=variant).protect(data, context()).data
    c = noise(data, 0.3, variant == "correlated")
    found = matrix_mask(data.matrix(NAMES), displacement=c)
    assert found == pytest.approx(masked.matrix(NAMES), rel=1e-12)


@pytest.mark.parametrize(
    "method", [AdditiveNoise(alpha=0.15, variant="linear"), MomentPreservingNoise()]
)
def test_noise_with_linear_transformation_has_a_b_and_a_c(method: Method) -> None:
    data = table()
    values = data.matrix(NAMES)
    factor = 1 / math.sqrt(1.15)
    b = factor * np.eye(2)
    c = factor * noise(data, 0.15) + (1 - factor) * values.mean(axis=0)
    masked = method.protect(data, context()).data
    assert matrix_mask(values, None, b, c) == pytest.approx(masked.matrix(NAMES), rel=1e-12)


def test_microaggregation_averages_records() -> None:
    data = table()
    masked = Microaggregation().protect(data, context())
    assert masked.groups is not None
    labels = masked.groups.labels
    a = (labels[:, None] == labels) / masked.groups.sizes[labels][:, None]
    found = matrix_mask(data.matrix(NAMES), a)
    assert found == pytest.approx(masked.data.matrix(NAMES), rel=1e-12)


def test_rank_swapping_permutes_the_records_of_a_column() -> None:
    data = table()
    masked = RankSwapping(p=20).protect(data, context()).data
    for name in NAMES:
        a = (masked[name][:, None] == data[name]).astype(float)
        assert a.sum(axis=0).tolist() == a.sum(axis=1).tolist() == [1.0] * len(data)
        found = matrix_mask(data.matrix([name]), a)
        assert found[:, 0].tolist() == masked[name].tolist()


def test_sampling_drops_rows_of_a() -> None:
    values = table().matrix(NAMES)
    rows = np.array([3, 7, 20])
    assert matrix_mask(values, np.eye(30)[rows]).tolist() == values[rows].tolist()


def test_post_randomisation_acts_on_indicators() -> None:
    # In expectation, the indicators of categories are multiplied by the Markov matrix.
    indicators = np.eye(3)[[0, 1, 2, 1]]
    markov = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.5, 0.5]])
    assert matrix_mask(indicators, attributes=markov).sum(axis=0) == pytest.approx(
        np.array([1, 2, 1]) @ markov
    )


def test_a_value_is_missing_only_if_it_takes_one_with_weight() -> None:
    values = np.array([[1.0, np.nan], [2.0, 4.0]])
    assert np.isnan(
        matrix_mask(values, attributes=np.array([[1.0, 1.0], [0.0, 1.0]]))
    ).tolist() == [
        [False, True],
        [False, False],
    ]


def test_a_sparse_matrix_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1,1,0.5\n1,2,0.5\n2,2,1\n3,1,2\n")
    data = discreet.read({"x": [1.0, 3.0, 5.0]}, {"x": "quasi-identifier"})
    method = MatrixMasking(records=[f"A={file}"])
    assert method.protect(data, Context()).data["x"].tolist() == [2, 3, 2]
    assert method.recipe(public=True)["matrix-masking"]["records"] == ["A=a.csv"]
    for text, words in (("1,9,1\n", "rows from 1 to 3"), ("1,a,1\n", "three numbers a line")):
        file.write_text(text)
        with pytest.raises(DataError, match=words):
            method.protect(data, Context())
    with pytest.raises(UsageError, match="there is no readable file"):
        MatrixMasking(records=["A=none.csv"]).protect(data, Context())
    with pytest.raises(UsageError, match="one entry A=path"):
        MatrixMasking(records=["x", "y"]).protect(data, Context())


def test_the_transformation_is_published_only_on_request() -> None:
    hidden = MatrixMasking(attributes={"x": {"x": 2}}, displacement={"x": 1})
    assert hidden.recipe(public=True)["matrix-masking"] == {"reveal": False}
    told = MatrixMasking(attributes={"x": {"x": 2}}, displacement={"x": 1}, reveal=True)
    assert told.recipe(public=True)["matrix-masking"]["attributes"] == {"x": {"x": 2}}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "needs at least one of attributes, displacement and records"),
        ({"attributes": {"z": {"x": 1}}}, "names column 'z', which it does not treat"),
        ({"attributes": {"x": 2}}, "must give column 'x' the columns that it is made of"),
        ({"attributes": {"x": {"x": "much"}}}, "must be numbers, but 'much' was given"),
        ({"displacement": {"x": float("nan")}}, "must be numbers"),
    ],
)
def test_wrong_masks_are_explained(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        MatrixMasking(**parameters).protect(table(), Context())


def test_values_beyond_all_numbers_are_refused() -> None:
    data = discreet.read({"x": [1e130]}, {"x": "quasi-identifier"})
    with pytest.raises(DataError, match="infinite ones"):
        MatrixMasking(attributes={"x": {"x": 1e300}}).protect(data, Context())
