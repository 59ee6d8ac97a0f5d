"""Notes: what the owner of the data should know of a release, and no claim says."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.microdata import Microdata, Role
from discreet.microdata.equivalence import class_sizes
from discreet.release.gate import constant_quasi_identifiers


def notes_on_input(data: Microdata) -> Iterator[str]:
    """Yield what is remarkable about the data before any step.

    >>> import discreet
    >>> list(notes_on_input(discreet.read({"sex": ["f", "f"]}, roles={"sex": "quasi-identifier"})))
    ["the quasi-identifier 'sex' has one value only and tells no records apart"]
    """
    for name in constant_quasi_identifiers(data):
        yield f"the quasi-identifier '{name}' has one value only and tells no records apart"


def notes_on_outcome(
    original: Microdata, table: Microdata, before: Microdata | None
) -> Iterator[str]:
    """Yield what is remarkable after the last step.

    `before` are the original rows of the table; None where records came from no one original, so
    that nothing was left as it was.
    """
    if before is None:
        return

    def as_it_was(name: str) -> bool:
        return table.column(name).same_as(before.column(name))

    without_role = [a.name for a in original.schema if not a.declared and as_it_was(a.name)]
    if without_role:
        yield f"released as they are, without a role: {', '.join(without_role)}"
    constant = set(constant_quasi_identifiers(original))
    varying = [name for name in original.quasi_identifiers if name not in constant]
    untreated = [name for name in varying if as_it_was(name)]
    if untreated:
        yield f"quasi-identifiers that no step changed: {', '.join(untreated)}"
    yield from told_apart_by_design(table)


def told_apart_by_design(released: Microdata) -> list[str]:
    """Return a note if weights and strata tell records apart that the quasi-identifiers do not."""
    design = released.having(Role.WEIGHT, Role.STRATUM)
    known = released.quasi_identifiers
    if not design or not known:
        return []
    before = (class_sizes(released, known) == 1).mean()
    after = (class_sizes(released, (*known, *design)) == 1).mean()
    if after <= before:
        return []
    alone = f"finds {after:.1%} of the records alone, instead of {before:.1%}"
    way_out = "call them quasi-identifiers if others may know them"
    return [f"who also knows {' and '.join(design)} {alone}; {way_out}"]
