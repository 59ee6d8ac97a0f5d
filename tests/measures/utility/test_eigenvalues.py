"""The change of eigenvalues by hand and beside its formula."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

import discreet
from discreet.microdata import Microdata
from tests.measures.utility.recoded_files import score

ROLES = dict.fromkeys("abc", "quasi-identifier")


def table(values: np.ndarray) -> Microdata:
    return discreet.read({n: values[:, j].tolist() for j, n in enumerate("abc")}, roles=ROLES)


@pytest.mark.parametrize("robust", [False, True])
def test_beside_the_formula(robust: bool) -> None:
    draw = np.random.default_rng(5)
    x = draw.normal(size=(60, 3)) @ np.array([[1, 0.6, 0.2], [0, 1, 0.5], [0, 0, 1]])
    y = x + draw.normal(size=x.shape)
    of = [np.column_stack([rankdata(c) for c in v.T]) if robust else v for v in (x, y)]
    # The roots of the characteristic polynomial, not an eigenvalue routine for matrices.
    old, new = (np.sort(np.roots(np.poly(np.corrcoef(v, rowvar=False))).real)[::-1] for v in of)
    expected = sum(abs(a - b) / a for a, b in zip(old, new, strict=True))
    found = score({"eigenvalues": {"robust": robust}}, table(x), table(y))
    assert found.value == pytest.approx(expected)
    assert found.detail["original"] == pytest.approx(old.tolist())


def test_independent_columns_have_lost_all() -> None:
    x = np.array([[1, 1, 2], [2, 2, 1], [3, 3, 5], [4, 5, 4]], dtype=float)
    constant = table(np.ones((4, 3)))
    found = score("eigenvalues", table(x), constant)
    assert found.value == pytest.approx(found.at_loss)


def test_a_sum_of_other_columns_has_an_eigenvalue_of_zero() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=(20, 3))
    x[:, 2] = x[:, 0] + x[:, 1]
    found = score("eigenvalues", table(x), table(x + draw.normal(size=x.shape)))
    assert np.isfinite(found.value)
    assert "1 left out: eigenvalues of zero" in found.note
