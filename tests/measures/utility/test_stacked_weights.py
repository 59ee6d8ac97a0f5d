"""Weights of two files, one under the other."""

from __future__ import annotations

import numpy as np

from discreet.measures.utility.stacked_weights import StackedWeights


def test_rows_of_each_file_are_taken() -> None:
    both = StackedWeights(np.array([0.5, 1.5]), np.array([1.0, 2.0, 3.0]))
    rows = np.array([1]), np.array([0, 2])
    stacked = both.take(rows).stacked(1, 2)
    assert stacked is not None
    assert stacked.tolist() == [1.5, 1.0, 3.0]


def test_files_without_weights_have_none() -> None:
    none = StackedWeights(None, None)
    assert none.take((np.array([0]), np.array([0]))).stacked(1, 1) is None
