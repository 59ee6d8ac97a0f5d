"""What the help of each parameter says, measured on data.

A check is named after its parameter and quotes the words of the help that it holds the method to.
Who changes those words is sent to the check, and a parameter without a check fails a test.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import discreet
from discreet.contracts import Component, Context, Masked, Method, Randomness
from discreet.contracts.registry import entries
from discreet.microdata import Microdata

Check = Callable[[], None]
CHECKS: dict[str, tuple[str, Check]] = {}
OF_PAPERS = {
    "ama",
    "camp-crest",
    "dp-microaggregation",
    "k-anonymised-crest",
    "mart",
    "partial-camp-crest",
    "regression-k-anonymity",
    "t-closeness-benchmark",
}
"""Methods of single papers, whose parameters are held by their own tests."""


def survey() -> dict[str, type[Component]]:
    """Return the methods whose parameters are checked, by their names."""
    return {
        entry.spec.name: entry
        for entry in entries("method")
        if ".synthetic." not in entry.__module__ and entry.spec.name not in OF_PAPERS
    }


def holds(parameter: str, words: str) -> Callable[[Check], Check]:
    """Enter a check for a parameter, written method.parameter, and the words that it measures."""

    def entered(check: Check) -> Check:
        _, known = CHECKS.get(parameter, (words, check))
        # The search for examples in docstrings imports these files a second time.
        assert _place(known) == _place(check), f"{parameter} has two checks"
        CHECKS[parameter] = (words, check)
        return check

    return entered


def _place(check: Check) -> tuple[str, int]:
    return check.__code__.co_filename, check.__code__.co_firstlineno


def quasi(columns: dict[str, object], **told: object) -> Microdata:
    """Return a table whose columns are all quasi-identifiers, unless `roles` says more."""
    roles = {**dict.fromkeys(columns, "quasi-identifier"), **dict(told.pop("roles", {}))}  # type: ignore[call-overload]
    return discreet.read(columns, roles, **told)  # type: ignore[arg-type]


def masked(data: Microdata, method: Method, seed: int = 1) -> Masked:
    return method.protect(data, Context(Randomness(seed)))


def released(data: Microdata, method: Method, seed: int = 1) -> Microdata:
    return masked(data, method, seed).data


def numbers(rows: int = 40_000) -> Microdata:
    """Three columns of numbers on different scales, two of them correlated."""
    rng = np.random.default_rng(11)
    x = rng.normal(0, 1, rows)
    return quasi(
        {
            "x": 50 + 10 * x,
            "y": 3000 + 400 * (0.8 * x + 0.6 * rng.normal(0, 1, rows)),
            "z": rng.lognormal(0, 0.5, rows),
        }
    )


def words_of(data: Microdata, name: str) -> list[str | None]:
    """Return the categories of a column, record by record."""
    column = data.column(name)
    return [None if c < 0 else str(column.attribute.categories[c]) for c in column.values]
