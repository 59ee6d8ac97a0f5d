"""Shares one below the other."""

from __future__ import annotations

import re

from discreet.report.ladder import ladder


def test_bars_are_in_proportion_to_the_whole() -> None:
    picture = ladder("t", "d", ["age", "+ sex", "none"], [0.25, 0.5, 0.0])
    widths = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', picture)]
    assert widths[1] == 2 * widths[0]
    assert widths[2] == 0


def test_names_are_text_and_long_ones_are_cut() -> None:
    picture = ladder("t", "d", ["<b>" + "x" * 40], [1.0])
    assert "<b>" not in picture
    assert "…" in picture
    assert "x" * 40 in picture
