"""The parameter `columns`, which nearly every method has."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import MatrixMasking, Microdata, UsageError
from tests.methods.help_checks import CHECKS, holds, quasi, released

WORDS = "all quasi-identifiers if not given"
NUMBERS: dict[type[Any], dict[str, Any]] = {
    discreet.AdditiveNoise: {},
    discreet.NonlinearNoise: {"alpha": 1.0},
    discreet.MomentPreservingNoise: {},
    discreet.RankSwapping: {},
    discreet.RandomOrthogonalMasking: {},
    discreet.Resampling: {},
    discreet.DataShuffling: {},
    discreet.Rounding: {},
    discreet.RandomRounding: {},
    discreet.TopBottomCoding: {},
    discreet.MultivariateTopCoding: {"alpha": 0.5},
    discreet.Microaggregation: {},
    discreet.IndividualRanking: {},
    discreet.GlobalRecoding: {},
    discreet.LocalRecoding: {},
}
CATEGORIES: dict[type[Any], dict[str, Any]] = {
    discreet.DataSwapping: {},
    discreet.TargetedRecordSwapping: {"rate": 1.0},
    discreet.PRAM: {"stay": 0.3},
    discreet.MASSC: {"bias": 1.0, "least_released": 1.0},
    discreet.LocalSuppression: {"k": 20, "steps": 0},
    discreet.RiskSuppression: {},
}


def table(continuous: bool) -> Microdata:
    """Two quasi-identifiers, a column that is none, a confidential one and a weight."""
    rng = np.random.default_rng(3)
    names = ("one", "other", "left")
    columns: dict[str, object] = {
        name: rng.uniform(0, 100, 300)
        if continuous
        else [f"{name}{i}" for i in np.minimum(rng.geometric(0.2, 300), 12)]
        for name in names
    }
    columns["sick"] = np.where(rng.random(300) < 0.5, "yes", "no")
    columns["w"] = np.ones(300)
    return quasi(columns, roles={"left": "other", "sick": "confidential", "w": "weight"})


def same(data: Microdata, now: Microdata, name: str) -> bool:
    return now.column(name).same_as(data.column(name))


def treats_what_it_is_told(method: type[Any], parameters: dict[str, Any]) -> None:
    data = table(method in NUMBERS)
    now = released(data, method(**parameters))
    assert [same(data, now, n) for n in ("one", "other", "left")] == [False, False, True]
    now = released(data, method(**parameters, columns=["one"]))
    assert [same(data, now, n) for n in ("one", "other", "left")] == [False, True, True]


@holds("matrix-masking.columns", WORDS)
def _() -> None:
    data = table(continuous=True)
    both = MatrixMasking(displacement={"one": 5.0, "other": 5.0})
    now = released(data, both)
    assert [same(data, now, n) for n in ("one", "other", "left")] == [False, False, True]
    for columns, beyond in ((None, "left"), (["one"], "other")):
        with pytest.raises(UsageError, match=f"names column '{beyond}', which it does not treat"):
            released(data, MatrixMasking(displacement={beyond: 5.0}, columns=columns))


for method, parameters in (NUMBERS | CATEGORIES).items():
    CHECKS[f"{method.spec.name}.columns"] = (
        WORDS,
        partial(treats_what_it_is_told, method, parameters),
    )
