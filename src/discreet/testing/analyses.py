"""What every analysis promises."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Analysis, Figures
from discreet.microdata import Attribute, Column, Kind, Microdata, Role
from discreet.testing.sameness import assert_unchanged, snapshot, succeeds_or_explains

SEXES = ("f", "m")


def people(rows: int) -> Microdata:
    """Return an invented survey with the columns that examples of analyses name."""
    draw = np.random.default_rng(1)
    age = draw.integers(18, 80, rows).astype(np.float64)
    pay = 10 * age + draw.normal(0, 100, rows)
    weight = draw.uniform(1, 3, rows)
    sex = draw.integers(0, 2, rows).astype(np.int32)
    return Microdata(
        [
            Column(Attribute("age", Role.QUASI_IDENTIFIER), age),
            Column(Attribute("sex", Role.QUASI_IDENTIFIER, Kind.NOMINAL, SEXES), sex),
            Column(Attribute("pay", Role.CONFIDENTIAL), pay),
            Column(Attribute("weight", Role.WEIGHT), weight),
        ]
    )


def check_input_is_untouched(example: Analysis) -> None:
    """The table that is analysed is the same afterwards."""
    data = people(60)
    before = snapshot(data)
    example.figures(data)
    assert_unchanged(data, before)


def check_figures_fit_together(example: Analysis) -> None:
    """There is one estimate and one error for each label, and no label twice."""
    _assert_sound(example.figures(people(60)))


def check_repeatable(example: Analysis) -> None:
    """The same table gives the same figures, also when it is analysed as its own release."""
    data = people(60)
    first, second = example.figures(data), example.figures(data, data)
    assert first.labels == second.labels, "the labels differ"
    assert np.array_equal(first.estimates, second.estimates, equal_nan=True), "the estimates differ"
    assert np.array_equal(first.errors, second.errors, equal_nan=True), "the errors differ"


def check_edge_tables(example: Analysis) -> None:
    """At the edges there are figures, or it is explained why not."""
    data = people(60)
    gone = [column.with_values(np.full(60, np.nan)) for column in data if column.name == "pay"]
    edges = {"no rows": people(0), "one row": people(1), "two rows": people(2)}
    for edge, table in {**edges, "all missing": data.replace(gone)}.items():

        def work(table=table) -> Figures:  # type: ignore[no-untyped-def]
            return example.figures(table)

        figures = succeeds_or_explains(work, edge)
        if figures is not None:
            _assert_sound(figures)


def check_unknown_columns_are_explained(example: Analysis) -> None:
    """A table without the columns is refused in a sentence."""
    bare = people(60).drop(["age", "sex", "pay"])

    def work() -> Figures:
        return example.figures(bare)

    assert succeeds_or_explains(work, "without its columns") is None, "nothing was refused"


def _assert_sound(figures: Figures) -> None:
    count = len(figures.labels)
    assert figures.estimates.shape == (count,), "there is not one estimate for each label"
    assert figures.errors.shape == (count,), "there is not one error for each label"
    assert len(set(figures.labels)) == count, "a label occurs twice"
    errors = figures.errors[~np.isnan(figures.errors)]
    assert (errors >= 0).all(), "an error is negative"
