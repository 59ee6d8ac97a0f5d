"""An assessment as people read it."""

from __future__ import annotations

from typing import Any

import discreet
from discreet.contracts import MeasureSpec, Score
from discreet.contracts.registry import build, entries
from discreet.release.assessment import Assessment, Row, shown, shown_score

QI = "quasi-identifier"
AGES = {"age": [21, 22, 40, 41], "size": [1.5, 1.7, 1.6, 1.9]}
ROLES = {"age": QI, "size": QI}


def usual() -> list[MeasureSpec]:
    specs = [entry.spec for entry in entries("measure")]
    return [s for s in specs if isinstance(s, MeasureSpec) and s.default]


def test_the_table_of_a_notebook_is_escaped() -> None:
    data = discreet.read(AGES, roles=ROLES)
    row = Row(build("measure", "abim"), left_out="<script> & more")  # type: ignore[arg-type]
    html = Assessment((row,))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt; &amp; more" in html
    assessment = discreet.assess(data, data)
    whole = assessment._repr_html_()
    assert whole.startswith("<table>")
    assert whole.count("<tr>") == 1 + len(usual()) - len(assessment.left_out)


def test_values_are_shown_as_people_read_them() -> None:
    count: Any = build("measure", "k-anonymity").spec
    share: Any = build("measure", "sse-sst").spec
    assert shown(None, count) == ""
    assert shown(1234.0, count) == "1,234"
    assert shown(1.23456, count) == "1.235"
    assert shown(0.125, share) == "12.50 %"
    assert shown(float("inf"), share) == "∞"
    assert shown_score(Score(0.5, interval=(0.25, 0.75)), share) == "50.00 % (25.00 % – 75.00 %)"
