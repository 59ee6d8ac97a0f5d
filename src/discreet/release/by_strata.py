"""Protecting by strata: a step with `by` is run in each stratum separately.

No value of one stratum influences another: neither its groups nor its noise, which has random
numbers of its own, and values are not exchanged between strata. So what is known about the strata
(their sizes, their means) is preserved wherever the method preserves it for a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from discreet.contracts import Component, Context, Grain, Masked, Method
from discreet.contracts.renaming import with_columns
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Role, unknown_column
from discreet.microdata.clusters import Clusters, clusters_of
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import of_household
from discreet.release.strata import put_together, strata_rows

Run = Callable[[Method, Microdata, Context], Masked]


def by_strata(step: Method, data: Microdata, run: Run, context: Context) -> Masked:
    """Run a step in each stratum of its `by`, and say what holds for all.

    The columns of `by` are not treated: a stratum has one value in each. If every stratum is
    k-anonymous, so is the whole file.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 80, 22, 81], "sex": ["f", "m", "f", "m"]},
    ...                      roles={"quasi-identifier": ["age", "sex"]})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2), by=["sex"])
    >>> masked = by_strata(pairs, data, lambda step, *rest: step.protect(*rest), Context())
    >>> masked.data["age"], masked.claims
    (array([21.5, 80.5, 21.5, 80.5]), (Claim(k-anonymity: 2 claimed),))
    """
    names = step.by or ()
    inner, looked_at = in_one_stratum(step, data)
    labels = classes(data, names)
    table = data.with_attributes(replace(data.schema[n], role=Role.OTHER) for n in looked_at)
    _refuse_split_households(inner, table, names)
    outcomes = []
    for number, rows in enumerate(strata_rows(labels)):
        try:
            part = run(inner, table.take(rows), context.within("stratum", number))
        except DataError as error:
            raise in_a_stratum(error, len(rows), len(data), names) from None
        _refuse_parts_of_households(inner, table, names, part)
        outcomes.append((rows, part))
    masked = put_together(table, outcomes)
    back = masked.data.with_attributes(
        replace(masked.data.schema[n], role=Role.QUASI_IDENTIFIER) for n in looked_at
    )
    note = note_on_strata(step, len(outcomes))
    return replace(masked, data=back, notes=(*masked.notes, note))


def in_one_stratum(step: Method, data: Microdata) -> tuple[Method, list[str]]:
    """Return the step as it is run in a stratum, and the quasi-identifiers that it only looks at.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m"]}, roles={"sex": "quasi-identifier"})
    >>> in_one_stratum(discreet.Rounding(by=["sex"]), data)[1]
    ['sex']
    """
    names = step.by or ()
    for name in names:
        if name not in data.schema:
            owner = f"'by' of the step {step.spec.name}"
            raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
    inner = type(step)(**{**step.values(), "by": None})
    inner = with_columns(inner, dict.fromkeys(names, ()))
    # A method that releases other records takes all columns, whatever a stratum has in them.
    untreated = () if inner.grain is Grain.FILE else names
    return inner, [n for n in untreated if data.schema[n].role is Role.QUASI_IDENTIFIER]


def in_a_stratum(error: DataError, rows: int, records: int, names: tuple[str, ...]) -> DataError:
    """Return an error about a stratum of `rows` rows, by these columns, as one about the file.

    >>> str(in_a_stratum(DataError("too few"), 3, 50, ("sex",)))
    "in a stratum of 3 of the 50 records by 'sex': too few"
    """
    listed = ", ".join(f"'{name}'" for name in names)
    return DataError(f"in a stratum of {rows:,} of the {records:,} records by {listed}: {error}")


def note_on_strata(step: Method, count: int) -> str:
    """Say how often a step was run.

    >>> import discreet
    >>> note_on_strata(discreet.Rounding(by=["sex"]), 2)
    'rounding was run in each of 2 strata by sex'
    """
    return f"{step.spec.name} was run in each of {count:,} strata by {', '.join(step.by or ())}"


def refuse_undivided(step: Method) -> None:
    """Refuse strata and blocks of a method whose outcome is about the whole file only.

    >>> import discreet
    >>> margins = {"sex": {"f": 60, "m": 40}}
    >>> refuse_undivided(discreet.IterativeProportionalFitting(margins=margins, by=["town"]))
    Traceback (most recent call last):
    discreet.errors.UsageError: iterative-proportional-fitting takes no 'by', since each part ...
    """
    word = "by" if step.by is not None else "in_blocks" if step.in_blocks is not None else ""
    if word and step.undivided:
        raise UsageError(f"{step.spec.name} takes no '{word}', {step.undivided}")


def refuse_by_inside(component: Component) -> None:
    """Refuse strata of a method that is part of another: only a whole step may have them.

    >>> import discreet
    >>> refuse_by_inside(discreet.PostMaskingOptimisation(discreet.Rounding(by=["sex"])))
    Traceback (most recent call last):
    discreet.errors.UsageError: 'by' belongs to a step, but the method rounding within ...
    """
    for value in component.values().values():
        if isinstance(value, Method):
            for word in ("by", "in_blocks"):
                if getattr(value, word) is not None:
                    raise UsageError(
                        f"'{word}' belongs to a step, but the method {value.spec.name} within "
                        f"{component.spec.name} has it; give it to {component.spec.name}"
                    )
        if isinstance(value, Component):
            refuse_by_inside(value)


def _refuse_parts_of_households(
    step: Method, data: Microdata, names: tuple[str, ...], part: Masked
) -> None:
    """Refuse strata in which a model would see, and draw, only some members of each household."""
    homes = clusters_of(data)
    if homes is None or part.origin is None:
        return
    new = part.data.take(np.flatnonzero(part.origin < 0))
    split = _splitting(homes, data, names)
    if split and not all(new.column(key).missing.all() for key in new.having(homes.role)):
        raise DataError(
            f"{homes.members} of a {homes.word} may be in different strata by '{split[0]}', but "
            f"{step.spec.name} draws whole {homes.word}s; use strata of whole {homes.word}s"
        )


def _splitting(homes: Clusters, data: Microdata, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if not homes.agreeing(data.column(name)).all()]


def _refuse_split_households(step: Method, data: Microdata, names: tuple[str, ...]) -> None:
    """Refuse strata that would treat what a household shares differently for its members."""
    homes = clusters_of(data)
    if homes is None or step.grain in (Grain.VALUE, Grain.FILE):
        return
    split = _splitting(homes, data, names)
    chosen = step.values().get("columns") or data.quasi_identifiers
    shared = [name for name in of_household(data) if name in chosen]
    if split and shared:
        raise DataError(
            f"{homes.members} of a {homes.word} may be in different strata by '{split[0]}', but "
            f"{step.spec.name} is to treat '{shared[0]}', which they share; use strata of whole "
            f"{homes.word}s, or name other columns with columns=[…] in a step of its own"
        )
