"""What every attack promises."""

from __future__ import annotations

import numpy as np

from discreet.contracts import (
    Attack,
    Context,
    Findings,
    Imitated,
    Outcome,
    Pairing,
    Randomness,
    Target,
)
from discreet.microdata import Microdata
from discreet.testing.sameness import (
    assert_unchanged,
    once_for_all_checks,
    snapshot,
    succeeds_or_explains,
)
from discreet.testing.tables import edges, ordinary

PEOPLE = 200
"""Records of the table on which an attack is tried: enough to learn from half of them."""


def _findings(example: Attack, data: Microdata) -> Findings:
    return example.attack(data, Context(Randomness(1)))


def check_input_is_untouched(example: Attack) -> None:
    """The table that is attacked is the same afterwards."""
    data = ordinary(example.spec.kinds)
    before = snapshot(data)
    _findings(example, data)
    assert_unchanged(data, before)


def check_repeatable(example: Attack) -> None:
    """The same seed gives the same findings."""
    data = ordinary(example.spec.kinds)
    first, second = _findings(example, data), _findings(example, data)
    assert np.array_equal(first.exposure, second.exposure), "the exposure differs"
    assert first.gains == second.gains, "the gains differ"
    assert [p.rule for p in first.places] == [p.rule for p in second.places], "the rules differ"


def check_findings_are_sound(example: Attack) -> None:
    """Shares are shares, there is an exposure for each record, and rows are rows of the table."""
    _assert_sound(
        _findings(example, ordinary(example.spec.kinds)), len(ordinary(example.spec.kinds))
    )


def check_edge_tables(example: Attack) -> None:
    """At the edges there are findings, or an explanation why not."""
    for edge, data in edges(example.spec.kinds).items():

        def work(data=data) -> Findings:  # type: ignore[no-untyped-def]
            return _findings(example, data)

        findings = succeeds_or_explains(work, edge)
        if findings is not None:
            _assert_sound(findings, len(data))


def _assert_sound(findings: Findings, records: int) -> None:
    assert findings.exposure.shape == (records,), "there is not one exposure for each record"
    figures = [*findings.gains.values(), *findings.attributes.values(), *findings.exposure.tolist()]
    assert all(-1e-9 <= figure <= 1 + 1e-9 for figure in figures), "a share is out of range"
    order = list(findings.attributes.values())
    assert order == sorted(order, reverse=True), "the attributes are not in descending order"
    for place in findings.places:
        assert place.rule, "a rule is not put in words"
        assert len(place.rows), "a set of records is empty"
        assert place.rows.min() >= 0, "a row is not in the table"
        assert place.rows.max() < records, "a row is not in the table"
    worst = [place.exposure for place in findings.places]
    assert worst == sorted(worst, reverse=True), "the worst is not first"


def check_outcome_is_sound(example: Attack) -> None:
    """Success, blind guess and certainty are shares, and there is one chance for each record."""
    _assert_outcome(_outcome(example), PEOPLE - PEOPLE // 2)


def check_nothing_protected_is_found_again(example: Attack) -> None:
    """On an unprotected file the attack does at least as well as a blind guess."""
    outcome = _outcome(example)
    assert outcome.success >= outcome.blind - 1e-9, "a blind guess does better"


@once_for_all_checks
def _outcome(example: Attack) -> Outcome:
    """Attack half of a table as it is, released twice; the other half is held back."""
    data = ordinary(example.spec.kinds, PEOPLE)
    table, control = (data.take(np.arange(part, len(data), 2)) for part in (0, 1))
    rows = np.arange(len(table))
    pairing = Pairing(rows, imitate=lambda _: Imitated(table, rows))
    return example.attempt(Target(table, table, pairing, control, (table,)), Context(Randomness(1)))


def _assert_outcome(outcome: Outcome, records: int) -> None:
    shares = [outcome.success, outcome.blind, *(outcome.interval or ())]
    if outcome.control is not None:
        shares += [outcome.control, *(outcome.control_interval or ())]
    if outcome.certain is not None:
        shares.append(outcome.certain)
    if outcome.per_record is not None:
        assert outcome.per_record.shape == (records,), "there is not one chance for each record"
        shares += outcome.per_record.tolist()
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in shares), "a share is out of range"
