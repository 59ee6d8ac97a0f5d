from __future__ import annotations

import discreet
from discreet.report.distributions import Summary
from discreet.report.spark import Spark, sketched, spark


def picture(values: list[object]) -> Spark:
    return sketched(Summary.of(discreet.read({"x": values}).column("x")))


def test_numbers_are_bins_and_categories_bars() -> None:
    ages = picture([20, 21, 22, 30, 40, 41])
    assert max(ages.bars) == 1
    assert ages.words == "from 20 to 41"  # not the ends of the bins
    assert picture(["a", "a", "b", "b", "b", "c"]).words == "b 50 %, a 33 %, c 17 %"


def test_what_cannot_be_drawn_says_why() -> None:
    many = picture([f"name {i}" for i in range(200)])
    assert many.bars == ()
    assert "200 categories" in many.words


def test_the_picture_has_words_for_those_who_cannot_see() -> None:
    drawn = spark("<age>", Spark((1.0, 0.0), "from 0 to 9 & more"))
    assert "&lt;age&gt;" in drawn
    assert "from 0 to 9 &amp; more" in drawn
