"""Mondrian cuts along a regression tree."""

from __future__ import annotations

from pathlib import Path

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition import RegressionMondrian


def test_regression_mondrian_cuts_by_hierarchy(tmp_path: Path) -> None:
    file = tmp_path / "town.csv"
    file.write_text("a;coast;*\nb;coast;*\nc;hills;*\nd;hills;*\n", encoding="utf-8")
    towns = ["a", "b", "c", "d"] * 3
    pay = [{"a": 1, "b": 2, "c": 8, "d": 9}[t] + i / 100 for i, t in enumerate(towns)]
    data = discreet.read({"town": towns, "pay": pay},
                         roles={"town": "quasi-identifier", "pay": "confidential"})  # fmt: skip
    entry = (f"town={file}",)
    wide = RegressionMondrian(k=5, hierarchies=entry).groups(data, ["town"], Context())
    assert wide.sizes.tolist() == [6, 6]
    # Without a hierarchy all four at once, which leaves three in each.
    assert RegressionMondrian(k=5).groups(data, ["town"], Context()).count == 1
    assert RegressionMondrian(k=3).groups(data, ["town"], Context()).count == 4
