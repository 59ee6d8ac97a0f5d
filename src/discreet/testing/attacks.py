"""What every attack promises."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Attack, Context, Findings, Randomness
from discreet.microdata import Microdata
from discreet.testing.sameness import assert_unchanged, snapshot, succeeds_or_explains
from discreet.testing.tables import edges, ordinary


def _found(example: Attack, data: Microdata) -> Findings:
    return example.attack(data, Context(Randomness(1)))


def check_input_is_untouched(example: Attack) -> None:
    """The table that is attacked is the same afterwards."""
    data = ordinary(example.spec.kinds)
    before = snapshot(data)
    _found(example, data)
    assert_unchanged(data, before)


def check_repeatable(example: Attack) -> None:
    """The same seed finds the same."""
    data = ordinary(example.spec.kinds)
    one, other = _found(example, data), _found(example, data)
    assert np.array_equal(one.exposure, other.exposure), "the exposure differs"
    assert one.gains == other.gains, "the gains differ"
    assert [p.rule for p in one.places] == [p.rule for p in other.places], "the rules differ"


def check_findings_are_sound(example: Attack) -> None:
    """Shares are shares, there is an exposure for each record, and rows are rows of the table."""
    _assert_sound(_found(example, ordinary(example.spec.kinds)), len(ordinary(example.spec.kinds)))


def check_edge_tables(example: Attack) -> None:
    """At the edges something is found, or it is explained why not."""
    for what, data in edges(example.spec.kinds).items():

        def work(data=data) -> Findings:  # type: ignore[no-untyped-def]
            return _found(example, data)

        found = succeeds_or_explains(work, what)
        if found is not None:
            _assert_sound(found, len(data))


def _assert_sound(found: Findings, records: int) -> None:
    assert found.exposure.shape == (records,), "there is not one exposure for each record"
    figures = [*found.gains.values(), *found.attributes.values(), *found.exposure.tolist()]
    assert all(-1e-9 <= figure <= 1 + 1e-9 for figure in figures), "a share is out of range"
    order = list(found.attributes.values())
    assert order == sorted(order, reverse=True), "the attributes are not in their order"
    for place in found.places:
        assert place.rule, "a rule is not put in words"
        assert len(place.rows), "a set of records is empty"
        assert place.rows.min() >= 0, "a row is not in the table"
        assert place.rows.max() < records, "a row is not in the table"
    worst = [place.exposure for place in found.places]
    assert worst == sorted(worst, reverse=True), "the worst is not first"
