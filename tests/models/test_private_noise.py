from __future__ import annotations

import sys

import numpy as np
import pytest

from discreet.errors import UsageError
from discreet.models import private_noise
from discreet.models.private_noise import Noise


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (4.0, 0.0), (1.0, 1e-6)])
def test_noise_spends_its_budget_and_no_more(epsilon: float, delta: float) -> None:
    noise = Noise.for_budget(12, 12, epsilon, delta)
    assert epsilon * (1 - 1e-9) <= noise.epsilon <= epsilon


def test_laplace_noise_has_the_scale_of_the_definition() -> None:
    assert Noise.for_budget(6, 6, 0.5, 0.0).scale == pytest.approx(12, rel=1e-9)


def test_gaussian_noise_keeps_within_the_bound_of_bun_and_steinke() -> None:
    noise = Noise.for_budget(20, 20, 1.0, 1e-6)
    rho = 20 / (2 * noise.scale**2)
    # Bun & Steinke (2016), Proposition 1.3; OpenDP's conversion is tighter.
    assert 1.0 < rho + 2 * np.sqrt(rho * np.log(1e6)) < 1.3


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_the_noise_has_its_deviation_and_no_seed(delta: float) -> None:
    noise = Noise.for_budget(2, 2, 1.0, delta)
    first, second = (noise.added_to(np.full(3000, 50)) for _ in range(2))
    assert (first != second).any()
    assert abs(first.mean() - 50) < 6 * noise.deviation / np.sqrt(3000)
    assert first.std() == pytest.approx(noise.deviation, rel=0.15)


def test_a_missing_library_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(UsageError, match=r"discreet\[dp\]"):
        private_noise._opendp()
