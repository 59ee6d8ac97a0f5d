"""The score of Example 1.4 from its four parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.contracts import Context, Measure, Pairing, Randomness, Score
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable

SCORE: Any = build("measure", "trade-off-score")
PARTS = {"information-loss": 30.0, "distance-linkage": 0.2, "probabilistic-linkage": 0.4,
         "interval-disclosure": 0.5}  # fmt: skip


def standing_in(monkeypatch: pytest.MonkeyPatch, missing: str = "") -> None:
    """Have the four measures give known values."""

    def known(family: str, name: str) -> Any:
        class Known(Measure):
            spec = find("measure", "information-loss").spec  # type: ignore[assignment]

            def score(self, *_: Any) -> Score:
                if name == missing:
                    raise NotApplicable("there is nothing to link")
                return Score(PARTS[name], detail={"terms": {}})

        return Known

    monkeypatch.setattr("discreet.measures.utility.score.find", known)


def test_the_formula_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(monkeypatch)
    data = discreet.read({"x": [1, 2]}, roles={"x": "quasi-identifier"})
    found = SCORE.score(data, data, Context(), Pairing.same_order(2))
    # (30 + ((10 + 20) + 50) / 2) / 2
    assert found.value == pytest.approx((30 + 40) / 2)
    assert found.note == "made of IL 30.00 %, DLD 20.00 %, PLD 40.00 %, ID 50.00 %"
    assert {k: found.detail[k] for k in ("IL", "DLD", "PLD", "ID")} == pytest.approx(
        {"IL": 30, "DLD": 20, "PLD": 40, "ID": 50}
    )


def test_a_part_that_does_not_apply_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(monkeypatch, missing="probabilistic-linkage")
    data = discreet.read({"x": [1, 2]}, roles={"x": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="has no value here: there is nothing to link"):
        SCORE.score(data, data, Context(), Pairing.same_order(2))


def test_census_by_mdav(data_files: Path) -> None:
    names = discreet.read(data_files / "casc_census.csv").schema.names
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(data_files / "casc_census.csv", roles=roles)
    release = discreet.protect(
        data, discreet.Microaggregation(discreet.partition.MDAV(k=3)), seed=1
    )
    context = Context(Randomness(1))
    found = SCORE.score(data, release.data, context, release.pairing)
    parts = found.detail
    loss: Any = build("measure", "information-loss")
    measured = loss.score(data, release.data, context, release.pairing).value
    assert parts["IL"] == pytest.approx(measured)
    assert all(0 <= parts[name] <= 100 for name in ("DLD", "PLD", "ID"))
    risk = ((parts["DLD"] + parts["PLD"]) / 2 + parts["ID"]) / 2
    assert found.value == pytest.approx((parts["IL"] + risk) / 2)
    untouched = SCORE.score(data, data, context, Pairing.same_order(len(data)))
    assert untouched.detail["IL"] == 0
    assert untouched.value > found.value
