"""The learner: what it takes, and that no record is scored by a model that saw it."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.boosting import FOLDS, area_under_curve, learner_matrix, out_of_fold


def test_noise_cannot_be_learned_by_heart() -> None:
    draw = np.random.default_rng(1)
    points, target = draw.normal(size=(600, 3)), draw.integers(0, 2, 600).astype(np.float64)
    found = out_of_fold([points], target, [False] * 3, np.arange(600) % FOLDS)
    assert 0.4 < area_under_curve(target, found) < 0.6


def test_a_fold_that_is_everything_learns_nothing() -> None:
    target = np.array([0.0, 1.0, 1.0])
    found = out_of_fold([np.zeros((3, 1))], target, [False], np.zeros(3, dtype=np.int64))
    assert found == pytest.approx(2 / 3)


def test_many_categories_fit() -> None:
    rows = 900
    data = discreet.read({"code": [f"c{i % 300}" for i in range(rows)]})
    points = learner_matrix(data, data, ["code"])
    assert points.max() <= 254
    target = np.repeat([0.0, 1.0], rows)
    out_of_fold([points], target, [True], np.arange(2 * rows) % FOLDS)


@pytest.mark.parametrize("seed", range(3))
def test_area_under_the_curve_by_counting_pairs(seed: int) -> None:
    draw = np.random.default_rng(seed)
    target, score = draw.integers(0, 2, 60).astype(np.float64), draw.integers(0, 9, 60) / 9
    pairs = [(a > b) + 0.5 * (a == b) for a in score[target > 0] for b in score[target == 0]]
    assert area_under_curve(target, score) == pytest.approx(np.mean(pairs))
