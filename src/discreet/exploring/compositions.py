"""Compositions: a method for some kinds of columns, together with a partner for the others.

Noise leaves the categories of a mixed file as they are, and PRAM its numbers, so neither protects
it alone. Each method that cannot treat all quasi-identifiers is tried on those that it can, with
one partner on the rest: additive noise for numbers, PRAM for categories, the two methods of the
survey that change each value independently and have a single strength. Both get stronger together,
from the weakest setting that each declares to the strongest; trying all pairs of strengths would
exceed any budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from discreet.contracts.registry import find
from discreet.exploring.candidates import Axis, Candidate, from_registry
from discreet.microdata import Kind, Microdata

PARTNERS = {Kind.CONTINUOUS: "additive-noise", Kind.ORDINAL: "pram", Kind.NOMINAL: "pram"}


def for_kinds(candidates: Sequence[Candidate], data: Microdata) -> list[Candidate]:
    """Return the candidates, with a partner where one does not treat all quasi-identifiers.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 31], "sex": ["f", "m"]},
    ...                      roles={"age": "quasi-identifier", "sex": "quasi-identifier"})
    >>> [candidate] = for_kinds(from_registry(["resampling"]), data)
    >>> candidate.label
    'resampling (columns age) + pram (columns sex)'
    """
    by_label: dict[str, Candidate] = {}
    forms: Counter[str] = Counter()
    turns: dict[str, int] = {}
    for candidate in candidates:
        made = _composed(candidate, data)
        (name,) = candidate.steps[0]
        by_label.setdefault(made.label, made)
        turns.setdefault(made.label, forms[name])
        forms[name] += 1
    # The first form of every method before the second of any, so that each kind is seen early.
    return sorted(by_label.values(), key=lambda made: turns[made.label])


def _composed(candidate: Candidate, data: Microdata) -> Candidate:
    ((name, values),) = candidate.steps[0].items()
    method = find("method", name)
    kinds = {column: data.schema[column].kind for column in data.quasi_identifiers}
    treated = [column for column, kind in kinds.items() if kind in method.spec.kinds]
    rest = [column for column in kinds if column not in treated]
    partners = {PARTNERS[kinds[column]] for column in rest}
    # Unchanged if it treats nothing, leaves nothing untreated, or cannot name its columns.
    if not treated or len(partners) != 1 or "columns" not in method.params():
        return candidate
    partner = from_registry([*partners])[0]
    ((partner_name, partner_values),) = partner.steps[0].items()
    steps = [
        {name: {**values, "columns": treated}},
        {partner_name: {**partner_values, "columns": rest}},
    ]
    axes = [candidate.axis, partner.axis]
    if Kind.CONTINUOUS not in method.spec.kinds:  # numbers first, whichever is the partner
        return Candidate(tuple(reversed(steps)), _together(axes[0], 1, axes[1], 0))
    return Candidate(tuple(steps), _together(axes[0], 0, axes[1], 1))


def _together(leading: Axis | None, at: int, partner: Axis | None, beside: int) -> Axis | None:
    """Return the axis of two steps: the leading step's, which the partner's follows."""
    lead, follow = (
        replace(axis, where=(step, *axis.where[1:])) if axis else None
        for axis, step in ((leading, at), (partner, beside))
    )
    return replace(lead, partner=follow) if lead else follow
