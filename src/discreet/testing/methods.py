"""What every method promises."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from discreet.contracts import Context, Masked, Method, Randomness
from discreet.errors import DataError
from discreet.microdata import Attribute, Column, Kind, Microdata, Role
from discreet.microdata.clusters import clusters_of
from discreet.microdata.levels import RECORD, of_household, with_levels, with_unit
from discreet.release.course import run_steps
from discreet.release.protecting import protect
from discreet.testing.sameness import (
    assert_same,
    assert_unchanged,
    once_for_all_checks,
    snapshot,
    succeeds_or_explains,
)
from discreet.testing.tables import ALL_KINDS, edges, ordinary, survey


def _context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


class Run(NamedTuple):
    """What a method did to an ordinary table, and to what surrounds it."""

    data: Microdata
    before: dict[str, Any]
    masked: Masked
    used_global_state: bool


@once_for_all_checks
def _run(example: Method) -> Run:
    data = ordinary(example.spec.kinds)
    before, state = snapshot(data), _global_state()
    masked = example.protect(data, _context(1))
    return Run(data, before, masked, not np.array_equal(state, _global_state()))


def _global_state() -> Any:
    return np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002


def check_input_is_untouched(example: Method) -> None:
    """The table that goes in is the same afterwards."""
    run = _run(example)
    assert_unchanged(run.data, run.before)


def check_other_columns_are_identical(example: Method) -> None:
    """Only columns of the treated roles differ, and the origin of the records is known.

    Records stay in their order, or `origin` says which is which; synthetic records have none, and
    then every column must be of a treated role.
    """
    data, _, masked, _ = _run(example)
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    assert len(masked.data) == len(origin), "the number of records does not match the origins"
    treated = data.having(*example.spec.treats)
    known = origin >= 0
    released, original = masked.data.take(np.flatnonzero(known)), data.take(origin[known])
    assert_unchanged(released, snapshot(original), but=treated)
    if not known.all():
        dropped = data.having(Role.IDENTIFIER)
        others = [
            column.name
            for column in masked.data
            if column.name not in (*treated, *dropped) and not column.missing.all()
        ]
        assert not others, f"synthetic records, but {', '.join(others)} would be originals"


def check_repeatable(example: Method) -> None:
    """The same seed gives the same bytes; another seed matters only if the spec says so.

    A method whose spec says why its noise has no seed gives other bytes instead.
    """
    data = ordinary(example.spec.kinds)
    first = _run(example).masked.data
    again = example.protect(data, _context(1)).data
    if example.spec.unseeded:
        differs = any(not again.column(c.name).same_as(c) for c in first)
        assert differs, "the spec says that its noise has no seed, but a seed repeats it"
    else:
        assert_same(again, first)
    other = example.protect(data, _context(2)).data
    differs = any(not other.column(c.name).same_as(c) for c in first)
    assert differs == example.spec.random, (
        f"the spec says random={example.spec.random}, but another seed "
        f"{'changes' if differs else 'does not change'} the outcome"
    )


def check_global_random_state_is_left_alone(example: Method) -> None:
    """Randomness comes from the context only."""
    assert not _run(example).used_global_state, "the global random state was used"


def check_edge_tables(example: Method) -> None:
    """At the edges it works or refuses in a sentence; what comes out is finite."""
    for edge, data in edges(example.spec.kinds).items():

        def work(data=data) -> Masked:  # type: ignore[no-untyped-def]
            return example.protect(data, _context())

        masked = succeeds_or_explains(work, edge)
        if masked is None:
            continue
        for column in masked.data:
            if column.attribute.continuous:
                assert not np.isinf(column.values).any(), f"{edge}: infinite values came out"
            elif len(column.values):
                categories = len(column.attribute.categories)
                assert column.values.max() < categories, f"{edge}: a code without category"


def check_groups_fit_the_records(example: Method) -> None:
    """Where records are grouped, every record has a group of at least the promised size."""
    data, _, masked, _ = _run(example)
    groups = masked.groups
    if groups is not None:
        assert len(groups.labels) == len(data), "not every record has a group"
        assert groups.sizes.min() >= groups.least_size, "a group is smaller than promised"


def check_guarantees_hold(example: Method) -> None:
    """What the spec guarantees is claimed, and the claim is true of the release.

    Where columns that the method does not treat prevent a claim, a note says so, and without them
    it is claimed. Households are counted, and then records, where nothing is suppressed to keep a
    promise of k.
    """
    for missing, unit in ((False, None), (True, None), (True, RECORD)):
        data = with_unit(ordinary(example.spec.kinds, missing=missing), unit)
        release = protect(data, example, seed=3)
        unclaimed = set(example.spec.guarantees) - {claim.measure for claim in release.claims}
        for measure in unclaimed:
            explained = any(f"{measure} is not claimed" in note for note in release.notes)
            assert explained, "a guarantee is neither claimed nor explained"
        if unclaimed:
            treated = data.having(*example.spec.treats)
            alone = data.drop([name for name in data.schema.names if name not in treated])
            claimed = {claim.measure for claim in protect(alone, example, seed=3).claims}
            assert claimed >= unclaimed, "a guarantee is not claimed"


def check_households_stay_whole(example: Method) -> None:
    """No household, and no person with several records, has two values of what it shares.

    Nor has a household of any stratum, where a step is run in strata of households.
    """
    for role in (Role.HOUSEHOLD, Role.PERSON):
        data = survey(example.spec.kinds, role=role)
        _assert_whole(data, protect(data, example, seed=4, allow=None).data)
    area = Attribute("area", Role.OTHER, Kind.NOMINAL, ("north", "south"))
    data = with_levels(Microdata([*data, Column(area, data["household"] % 2)]))
    step = type(example)(**{**example.values(), "by": ["area"]})
    released = succeeds_or_explains(
        lambda: protect(data, step, seed=4, allow=None).data, "strata of households"
    )
    if released is not None:
        _assert_whole(data, released)


def _assert_whole(data: Microdata, released: Microdata) -> None:
    homes = clusters_of(released)
    assert homes is not None
    for name in of_household(data):
        whole = homes.agreeing(released.column(name)).all()
        assert whole, f"{homes.members} of a {homes.word} differ in {name}"


def check_strata_are_treated_by_themselves(example: Method) -> None:
    """With `by`, what comes out in a stratum does not depend on the records of another.

    This cannot be checked for noise that has no seed.
    """
    if example.spec.unseeded:
        return
    data = ordinary(example.spec.kinds, rows=120)
    step = type(example)(**{**example.values(), "by": ["stratum"]})
    rows = np.flatnonzero(data["stratum"] == 1)
    order = np.arange(len(data))
    order[rows] = rows[::-1]
    moved = data.replace(
        data.column(n).with_values(data[n][order]) for n in data.having(*example.spec.treats)
    )
    outcomes = [
        succeeds_or_explains(
            lambda table=table: run_steps(table, [step], _context()),  # type: ignore[misc]
            "strata",
        )
        for table in (data, moved)
    ]
    if None not in outcomes:
        first, second = (
            masked.data.take(np.flatnonzero(masked.data["stratum"] == 0)) for masked in outcomes
        )
        _assert_written_alike(first, second, "depends on another stratum")


def _written(column: Column) -> list[object]:
    if column.attribute.continuous:
        return [None if value != value else value for value in column.values.tolist()]
    categories = (*column.attribute.categories, None)
    return [categories[code] for code in column.values.tolist()]


def check_what_was_chosen_is_chosen_again(example: Method) -> None:
    """Steps that state what was chosen from a table choose the same from it again."""
    data = ordinary(example.spec.kinds)
    first = run_steps(data, [example], _context())
    again = run_steps(data, first.chosen, _context())
    assert again.chosen == first.chosen, (
        f"what was stated as {first.chosen!r} is stated as {again.chosen!r} in turn"
    )
    if not example.is_random:
        _assert_written_alike(first.data, again.data, "differs where what was chosen is stated")


def check_what_is_not_found_anew_follows_from_parameters(example: Method) -> None:
    """A method that finds nothing afresh in each file does the same to a part of its records."""
    data = ordinary(example.spec.kinds, missing=False)
    chosen = run_steps(data, [example], _context()).chosen
    if not any(step.anew for step in chosen):
        rows = np.arange(len(data) // 2)
        whole, alone = (run_steps(d, chosen, _context()).data for d in (data, data.take(rows)))
        complaint = "depends on the other records: declare it in `anew`"
        _assert_written_alike(whole.take(rows), alone, complaint)


def _assert_written_alike(first: Microdata, second: Microdata, words: str) -> None:
    for column in first:
        texts = [_written(table.column(column.name)) for table in (first, second)]
        assert texts[0] == texts[1], f"{column.name} {words}"


def check_refuses_other_kinds(example: Method) -> None:
    """A column of a kind that it cannot treat is refused by name, never skipped."""
    for kind in set(ALL_KINDS) - set(example.spec.kinds):
        data = ordinary([kind])
        try:
            example.protect(data, _context())
        except DataError as error:
            name = data.quasi_identifiers[0]
            assert name in str(error), f"the message does not name the column {name}: {error}"
            word = Kind(kind).value
            assert word in str(error), f"the message does not say that it is {word}: {error}"
            continue
        raise AssertionError(f"{kind} columns are treated, but the spec does not list them")
