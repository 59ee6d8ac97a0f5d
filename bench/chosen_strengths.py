"""Three strengths for methods that offer none to a search, for a numeric file.

Methods that release nobody's record are listed with the reason instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from discreet.contracts import Method
from discreet.contracts.registry import build
from discreet.microdata import Microdata

NO_RECORD = "draws every record anew: none is that of a person"
UNLINKED = {
    "dp-synthesis": NO_RECORD,
    "fully-synthetic": NO_RECORD,
    "gaussian-copula": NO_RECORD,
    "sequential-regression": NO_RECORD,
    "iterative-proportional-fitting": "changes weights only: links stay as they were",
    "linked-suppression": "repeats the gaps of another step: on its own it changes nothing",
}
"""Methods after which there are no links to find, or the same as before, and why."""


def chosen_strengths(data: Microdata) -> Iterator[tuple[str, str, Method]]:
    """Yield methods with a description of the strength, from weak to strong."""
    names = list(data.schema.names)
    spread = {name: float(data[name].std()) for name in names}
    bounds = {name: [float(data[name].min()), float(data[name].max())] for name in names}
    few, many = len(names) // 4, 3 * len(names) // 4
    for share in (0.1, 0.5, 2.0):
        bases = {name: share * spread[name] for name in names}
        for name in ("rounding", "random-rounding"):
            yield _strength(name, f"base = {share:g} deviations", bases=bases)
    for share in (0.01, 0.05, 0.2):
        ends = {"top_share": share, "bottom_share": share}
        yield _strength("top-bottom-coding", f"shares = {share:g}", **ends)
    for columns in (names[:few], names[:many], names):
        label = f"{len(columns)} columns of {len(names)}"
        yield _strength("partially-synthetic", label, columns=columns)
    for columns in (names[:few], names[: len(names) // 2], names[:many]):
        label = f"{len(columns)} columns given the others"
        given = names[len(columns) :]
        yield _strength("data-shuffling", label, columns=columns, given=given)
    for factor in (0.1, 1.0, 10.0):
        mixed = {
            name: {name: 1.0, after: factor * spread[name] / spread[after]}
            for name, after in pairwise(names)
        }
        yield _strength("matrix-masking", f"{factor:g} of the next column added", attributes=mixed)
    for epsilon in (100.0, 10.0, 1.0):
        options: dict[str, Any] = {"bounds": bounds, "size_is_public": True}
        yield _strength("dp-microaggregation", f"epsilon = {epsilon:g}", epsilon=epsilon, **options)
    for k in (3, 10, 50):
        masked = {"microaggregation": {"partition": {"mdav": {"k": k}}}}
        yield _strength("post-masking-optimisation", f"k = {k}", method=masked)
    for share in (0.05, 0.2, 0.5):
        yield _strength("massc", f"most_substituted = {share:g}", most_substituted=share)


def _strength(name: str, label: str, **settings: Any) -> tuple[str, str, Method]:
    method = build("method", {name: settings})
    assert isinstance(method, Method)
    return name, f"{name} ({label})", method
