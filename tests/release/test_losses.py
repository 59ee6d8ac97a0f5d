from __future__ import annotations

import discreet
from discreet.release.losses import losses


def test_the_worst_come_first_and_pairs_are_apart_from_columns() -> None:
    data = discreet.read({"a": [1, 1, 2, 2], "b": [*"xxyy"], "c": [*"pqpq"]})
    other = discreet.read({"a": [1, 1, 2, 2], "b": [*"xyxy"], "c": [*"ppqq"]})
    found = discreet.assess(data, other, ["marginals", "pairs"])
    columns, pairs = found.column_losses, found.pair_losses
    assert columns is not None
    assert pairs is not None
    assert {loss.share for loss in columns.worst} == {0.0}
    assert [loss.share for loss in pairs.worst] == sorted(
        (loss.share for loss in pairs.worst), reverse=True
    )
    assert pairs.worst[0].names == ("a", "b")
    assert pairs.worst[0].share == 0.5


def test_without_a_measure_of_them_there_are_none() -> None:
    data = discreet.read({"a": [1, 1, 2, 2]})
    assert losses(discreet.assess(data, data, ["k-anonymity"]).rows, 1) is None
