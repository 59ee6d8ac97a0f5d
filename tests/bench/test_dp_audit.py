"""The claimed ε withstands an attack on neighbouring files, and the attack is no empty one.

`python -m bench dp_audit` does the same for a thousand pairs. The noise has no seed, so bounds are
taken with a confidence that leaves no test to chance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bench.dp_audit import (
    Game,
    audited,
    microaggregation_games,
    released_games,
    synthesis_games,
)
from discreet.methods.perturbative.dp_microaggregation import DPMicroaggregation
from discreet.methods.synthetic.dp_synthesis import DPSynthesis

PAIRS, RUNS, SURE = 10, 500, 1 - 1e-6


def synthesis(delta: float, public: bool, weaker: float = 1.0) -> Iterator[Game]:
    method = DPSynthesis(epsilon=1.0, delta=delta, size_is_public=public)
    return synthesis_games(method, PAIRS, np.random.default_rng(1), weaker, most_columns=1)


def clusters(weaker: float = 1.0) -> Iterator[Game]:
    method = DPMicroaggregation(epsilon=1.0, k=2, size_is_public=True)
    return microaggregation_games(method, PAIRS, np.random.default_rng(1), weaker)


@pytest.mark.parametrize(("delta", "public"), [(0.0, True), (0.0, False), (1e-5, True)])
def test_no_bound_exceeds_the_claim_of_a_synthesis(delta: float, public: bool) -> None:
    assert max(audited(list(synthesis(delta, public)), RUNS, delta, SURE)) <= 1.0


def test_no_bound_exceeds_the_claim_of_microaggregation() -> None:
    assert max(audited(list(clusters()), RUNS, 0.0, SURE)) <= 1.0


def test_half_the_noise_is_caught() -> None:
    assert audited(list(synthesis(0.0, True, weaker=2.0)), RUNS, 0.0, SURE)[0] > 1.0


def test_a_quarter_of_the_noise_of_microaggregation_is_caught() -> None:
    assert audited(list(clusters(weaker=4.0)), RUNS, 0.0, SURE)[0] > 1.0


def test_released_records_tell_of_the_record_in_question_where_noise_is_small() -> None:
    first, second = released_games(pairs=10, runs=2, epsilon=100.0, seed=1)
    assert first.mean() > second.mean()
