"""What a notebook shows: tables without values of records."""

from __future__ import annotations

import discreet
from discreet.exploring.exploration import Exploration
from discreet.microdata.notebook import html_table


def test_cells_are_escaped() -> None:
    shown = html_table("<x>", ["a&b"], [["<script>"]])
    assert "<script>" not in shown
    assert "&lt;x&gt;" in shown
    assert "a&amp;b" in shown


def test_microdata_and_releases_show_themselves_without_values() -> None:
    data = discreet.read(
        {"age": [21, 22, 40, 41], "city": ["Ayle", "Bron", "Ayle", "Bron"]},
        {"quasi-identifier": ["age"]},
    )
    shown = data._repr_html_()
    assert "<td>age</td><td>quasi-identifier</td><td>continuous</td>" in shown
    assert "4 records" in shown
    assert "Ayle" not in shown
    release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=2)))
    assert "claim: k-anonymity 2" in release._repr_html_()
    assert "Ayle" not in release._repr_html_()


def test_an_exploration_shows_itself() -> None:
    assert "0 settings tried" in Exploration((), (), ())._repr_html_()
