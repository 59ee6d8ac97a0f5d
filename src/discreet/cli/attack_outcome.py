"""What an attack on the people of a release found, in lines and as a private file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.contracts import Attack, Context, Outcome, Target
    from discreet.measures.linkage.by_columns import Revealing

WAYS = 8
BAR = 30
"""Characters of a whole bar."""
ROWS = 10


def attempt_lines(attack: Attack, target: Target, context: Context) -> Iterator[str]:
    """Yield how well the attack succeeds, and by which columns if it links records."""
    from discreet.cli.answers import attempted
    from discreet.cli.machine import answer
    from discreet.contracts import Aim

    outcome = attack.attempt(target, context)
    answer(lambda: attempted(attack, target, outcome))
    yield f"{attack.spec.title}"
    yield f"{len(target.released):,} released records, {len(target.original):,} people"
    if attack.knows_method:
        yield "The intruder knows the method and its parameters, but not the seed."
    yield ""
    yield from _figures(outcome)
    if outcome.per_record is not None:
        yield from _most_exposed(outcome, target)
    if attack.aim is Aim.LINK:
        yield from _by_columns(_revealing(target, context))


def _figures(outcome: Outcome) -> Iterator[str]:
    column = outcome.detail.get("column")
    of = f" (column {column})" if column else ""
    yield f"Succeeds{of}: {_share(outcome.success)}{_between(outcome.interval)}"
    if outcome.certain is not None:
        yield f"  and the intruder is sure of it: {_share(outcome.certain)}"
    if outcome.control is not None:
        held_back = _share(outcome.control) + _between(outcome.control_interval)
        yield f"Against people held back: {held_back}"
    yield f"A blind guess: {_share(outcome.blind)}"
    if outcome.control is not None:
        yield f"Share of the possible gain that is due to the release: {_share(outcome.excess)}"
    if outcome.note:
        yield f"note: {outcome.note}"
    if len(outcome.by) > 1 or (outcome.by and not column):
        yield "What gives people away, by the share of the attempts that succeed because of it"
        for words, share in list(outcome.by.items())[:WAYS]:
            yield f"  {words}: {_share(share)}"


def _most_exposed(outcome: Outcome, target: Target) -> Iterator[str]:
    import numpy as np

    chance, pairing = outcome.per_record, target.pairing
    assert chance is not None
    if pairing is None or not len(chance) or chance.max() == 0:
        return
    worst = np.flatnonzero(chance == chance.max())
    rows = np.sort(target.original.rows_read[pairing.origin[worst]]) + 1
    listed = ", ".join(f"{row:,}" for row in rows[:ROWS].tolist())
    more = ", …" if len(rows) > ROWS else ""
    yield f"{len(rows):,} records have a chance of {_share(chance.max())}: rows {listed}{more}"


def _revealing(target: Target, context: Context) -> Revealing:
    from discreet.measures.linkage.by_columns import revealing

    return revealing(target, context)


def _by_columns(revealing: Revealing) -> Iterator[str]:
    yield ""
    yield f"What each further column adds, by the nearest of {len(revealing.rows):,} records"
    wide = max(len(name) for name, _ in revealing.curve)
    for name, share in revealing.curve:
        yield f"  {name:<{wide}}  {_share(share):>7}  {'█' * round(BAR * share)}"


def per_record_file(target: Target, context: Context) -> bytes:
    """Return a CSV file with the chance of each record, and the cell to suppress next."""
    assert target.pairing is not None
    revealing = _revealing(target, context)
    rows = target.original.rows_read[target.pairing.origin[revealing.rows]] + 1
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["row of the original", "chance", "suppress next", "chance then"])
    columns = (rows, revealing.chance, revealing.cell, revealing.then)
    lines = zip(*(column.tolist() for column in columns), strict=True)
    for row, chance, cell, then in sorted(lines, key=lambda line: (-line[1], line[0])):
        helps = then < chance
        writer.writerow(
            [row, f"{chance:.4g}", revealing.columns[cell] if helps else "", f"{then:.4g}"]
        )
    return text.getvalue().encode()


def _share(share: float) -> str:
    return f"{100 * share:.1f} %" if share >= 0.001 or share == 0 else f"{100 * share:.2g} %"


def _between(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f" ({_share(interval[0])} – {_share(interval[1])})"
