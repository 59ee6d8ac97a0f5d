"""Risk suppression by hand, and beside the risks of each class worked out one by one."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import DataError
from discreet.measures.uniqueness import individual_risks
from discreet.methods.nonperturbative.risk_suppression import RiskSuppression
from discreet.microdata import Microdata

ROLES = {"town": "quasi-identifier", "sex": "quasi-identifier", "w": "weight"}
KINDS = {"w": "continuous"}


def table(n: int = 200) -> Microdata:
    draw = np.random.default_rng(3)
    town = [f"t{i}" for i in np.minimum(draw.geometric(0.25, n), 15)]
    sex = draw.choice(["f", "m"], n).tolist()
    return discreet.read(
        {"town": town, "sex": sex, "w": draw.uniform(1, 12, n)}, roles=ROLES, kinds=KINDS
    )


def risks(data: Microdata) -> list[float]:
    """Return the risk of each record, its class counted by comparing all records."""
    rows = list(zip(data["town"].tolist(), data["sex"].tolist(), strict=True))
    found = []
    for row in rows:
        mine = [i for i, other in enumerate(rows) if other == row]
        found.append(individual_risks(np.array([len(mine)]), np.array([data["w"][mine].sum()]))[0])
    return found


@pytest.mark.parametrize("threshold", [0.3, 0.1, 0.03])
def test_records_above_the_threshold_lose_their_keys_and_no_others(threshold: float) -> None:
    data = table()
    masked = RiskSuppression(threshold=threshold).protect(data, Context())
    above = np.array(risks(data)) > threshold
    gone = masked.data.column("town").missing
    assert (gone == masked.data.column("sex").missing).all()
    assert gone[above].all()
    assert max(risks(masked.data)) <= threshold
    assert masked.notes[0].startswith(f"{gone.sum()} of 200 records were suppressed")
    assert np.array_equal(masked.data["w"], data["w"])
    # Others are suppressed only as long as the suppressed records are themselves above it.
    more = set(zip(data["town"][gone & ~above], data["sex"][gone & ~above], strict=True))
    if more:
        few = np.array([int(above.sum())]), np.array([data["w"][above].sum()])
        assert individual_risks(*few)[0] > threshold


def test_a_single_risky_record_does_not_stay_alone() -> None:
    """b is alone and would be alone without its value, too; so the next class joins it."""
    data = discreet.read(
        {"town": ["a", "a", "a", "b", "c", "c"], "sex": ["f"] * 6, "w": [50, 50, 50, 2, 20, 20]},
        roles=ROLES,
        kinds=KINDS,
    )
    now = RiskSuppression(threshold=0.2).protect(data, Context()).data
    assert now.column("town").missing.tolist() == [False, False, False, True, True, True]


def test_with_one_column_the_highest_risk_left_is_told() -> None:
    data = table()
    masked = RiskSuppression(threshold=0.05, columns=("town",)).protect(data, Context())
    assert np.array_equal(masked.data["sex"], data["sex"])
    assert masked.data.column("town").missing.any()
    assert f"the highest remaining risk is {max(risks(masked.data)):.3g}" in masked.notes[0]


def test_nothing_is_suppressed_where_nobody_is_above() -> None:
    data = discreet.read({"town": list("aaabbb")}, roles={"town": "quasi-identifier"})
    masked = RiskSuppression(threshold=0.34).protect(data, Context())
    assert not masked.data.column("town").missing.any()
    assert masked.notes[0].startswith("0 of 6")


def test_weights_that_are_not_above_zero_are_refused() -> None:
    data = discreet.read(
        {"town": ["a", "b"], "sex": ["f", "m"], "w": [3.0, 0.0]}, roles=ROLES, kinds=KINDS
    )
    with pytest.raises(DataError, match="missing or not above zero"):
        RiskSuppression().protect(data, Context())
