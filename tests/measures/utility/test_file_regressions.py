"""Regressions that measures share, against fitting every draw from its first record to its last."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build
from discreet.measures.utility import file_regressions as module
from discreet.measures.utility.file_regressions import file_regressions
from discreet.microdata.decoded import Decoded
from discreet.models.design_matrix import DesignMatrix
from discreet.models.regression import column_regressions

NAMES = ["age", "pay", "town", "job"]


def files(gaps: bool) -> tuple[discreet.Microdata, discreet.Microdata]:
    rng = np.random.default_rng(5)
    columns: dict[str, Any] = {
        "age": rng.integers(20, 80, 900).astype(float),
        "town": [f"t{i}" for i in rng.integers(0, 4, 900)],
        "job": [f"j{i}" for i in rng.integers(0, 3, 900)],
    }
    columns["pay"] = columns["age"] * 3 + rng.normal(0, 20, 900)
    if gaps:
        columns["pay"][rng.choice(900, 40, replace=False)] = np.nan
    original = discreet.read(columns)
    masked = {name: list(values) for name, values in columns.items()}
    for name in ("age", "town"):
        for row in rng.choice(900, 30, replace=False):
            masked[name][row] = None
    return original, discreet.read(masked)


@pytest.mark.parametrize("gaps", [False, True])
def test_every_draw_is_fitted_as_a_whole(gaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Several blocks, and several pieces of each.
    monkeypatch.setattr("discreet.models.design_matrix.BLOCK", 256)
    monkeypatch.setattr("discreet.models.regression.PIECE_CELLS", 300)
    original, released = files(gaps)
    randomness, pairing = Randomness(4), Pairing.same_order(900)
    found = file_regressions(original, released, NAMES, Context(randomness), pairing)
    view = Decoded(original, released, NAMES, pairing.origin)
    draws = list(view.draws(randomness.generator("regressions", "draws")))
    assert len(found.after) == len(draws) == 5
    design = DesignMatrix.fit(original, NAMES, also=draws[0], join_rare=True)
    for table, regressions in zip([original, *draws], [found.before, *found.after], strict=True):
        for slow in column_regressions(table, design, ["age", "pay"]):
            fast = regressions[slow.response]
            assert fast.coefficients == pytest.approx(slow.coefficients)
            assert fast.errors == pytest.approx(slow.errors)
            assert (fast.free, fast.labels) == (slow.free, slow.labels)
    for draw, means in zip(draws, found.means_after, strict=True):
        present = draw["age"][~np.isnan(draw["age"])]
        centre, spread = original["age"].mean(), original["age"].std()
        assert means["age"][0] == pytest.approx((present.mean() - centre) / spread)


def test_the_slow_twin_of_a_regression_agrees() -> None:
    original, _ = files(gaps=False)
    found = file_regressions(original, original, ["age", "pay"], Context(), None)
    x = (original["age"] - original["age"].mean()) / original["age"].std()
    y = (original["pay"] - original["pay"].mean()) / original["pay"].std()
    assert found.before["pay"].coefficients == pytest.approx([(x * y).mean()])
    assert found.after[0]["pay"].coefficients == pytest.approx([(x * y).mean()])


def test_both_measures_of_an_assessment_fit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    original, released = files(gaps=False)
    fitted: list[int] = []
    whole = module._fitted

    def counted(*given: Any) -> Any:
        fitted.append(1)
        return whole(*given)

    monkeypatch.setattr(module, "_fitted", counted)
    both = ["regression-fit", "interval-overlap"]
    together = discreet.assess(
        original, released, both, pairing=Pairing.same_order(900), seed=1
    ).utility
    assert len(fitted) == 1
    for name in both:
        measure: Any = build("measure", name)
        context = Context(Randomness(1))
        alone = measure.score(original, released, context, Pairing.same_order(900))
        assert alone.value == together[name].value
