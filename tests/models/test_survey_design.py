"""Design-based errors: against textbook formulas, and against a simulated stratified sample."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import DataError
from discreet.models.survey_design import SurveyDesign


def test_without_a_design_the_error_of_a_mean_is_the_textbook_one() -> None:
    values = np.array([3.0, 5.0, 8.0, 12.0])
    design = SurveyDesign.of(discreet.read({"x": values.tolist()}))
    parts = (values - values.mean()) / 4
    assert np.sqrt(design.covariance(parts[:, None])[0, 0]) == pytest.approx(values.std(ddof=1) / 2)


def test_households_are_added_up_first() -> None:
    data = discreet.read({"h": ["a", "a", "b", "b"]}, roles={"h": "household"})
    design = SurveyDesign.of(data)
    parts = np.array([1.0, 1.0, -1.0, -1.0])
    assert design.covariance(parts[:, None])[0, 0] == pytest.approx(2 * (2.0**2 + 2.0**2))
    # Opposite values within a household cancel each other.
    assert design.covariance(np.array([[1.0], [-1.0], [1.0], [-1.0]]))[0, 0] == 0


@pytest.mark.parametrize("seed", range(3))
def test_domains_at_once_are_the_same_as_one_by_one(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows, domains = 80, 5
    data = discreet.read(
        {
            "w": draw.uniform(1, 4, rows).tolist(),
            "h": [f"h{i}" for i in draw.integers(0, 30, rows)],
            "s": [f"s{i}" for i in draw.integers(0, 6, rows)],
        },
        roles={"w": "weight", "h": "household", "s": "stratum"},
    )
    design = SurveyDesign.of(data)
    domain = draw.integers(-1, domains, rows)
    values = draw.normal(size=rows)
    less = draw.uniform(size=domains)
    inside = domain >= 0
    for share in (np.zeros(domains), less):
        columns = [
            np.where(domain == d, values, 0.0) - share[d] * np.where(inside, values, 0.0)
            for d in range(domains)
        ]
        slow = np.sqrt(np.diag(design.covariance(np.column_stack(columns))))
        assert design.domain_errors(values, domain, domains, less=share) == pytest.approx(slow)


def test_a_stratum_of_one_record_is_compared_with_all() -> None:
    data = discreet.read({"s": ["a", "a", "b"]}, roles={"s": "stratum"})
    design = SurveyDesign.of(data)
    parts = np.array([1.0, 3.0, 8.0])
    expected = 2 * (1 + 1) + (8 - 4) ** 2
    assert design.covariance(parts[:, None])[0, 0] == pytest.approx(expected)


def test_a_weight_must_be_a_number() -> None:
    data = discreet.read({"w": ["a", "b"]}, roles={"w": "weight"})
    with pytest.raises(DataError, match="a weight must be a number, but the column 'w' is nominal"):
        SurveyDesign.of(data)


def test_intervals_of_a_stratified_sample_cover_the_truth() -> None:
    """A population of two strata of unlike spread, sampled with unlike shares, 600 times."""
    draw = np.random.default_rng(5)
    strata = np.repeat([0, 1], [8_000, 2_000])
    income = np.where(strata == 0, draw.normal(20, 2, 10_000), draw.normal(60, 20, 10_000))
    truth = income.mean()
    rates = {0: 200, 1: 200}
    covered = 0
    for _ in range(600):
        rows = np.concatenate(
            [draw.choice(np.flatnonzero(strata == s), n, replace=False) for s, n in rates.items()]
        )
        weights = np.where(strata[rows] == 0, 8_000 / 200, 2_000 / 200)
        design = SurveyDesign(weights, strata[rows], np.arange(len(rows)))
        mean = np.average(income[rows], weights=weights)
        parts = weights * (income[rows] - mean) / weights.sum()
        error = float(np.sqrt(design.covariance(parts[:, None])[0, 0]))
        covered += abs(mean - truth) <= 1.96 * error
    assert 0.93 <= covered / 600 <= 0.975
