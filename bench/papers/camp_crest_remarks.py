"""What the rows of Table 1 show, and why some are far from the paper's, derived from the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bench.papers.camp_crest_runs import Run, Study
from bench.papers.difference import NEAR
from bench.papers.li_sarkar import BENCHMARK, FULL, LEVELS, MIXED, PARTIAL, TABLE_1
from bench.papers.section import Finding, Pair, Quantity, Row, Table, decided, share

TWO_DIGITS = 0.1


def percent(level: float) -> str:
    """Return a level in words.

    >>> percent(0.05)
    '5 %'
    """
    return f"{100 * level:.0f} %"


def mixing(level: float, full: Sequence[float], partial: Sequence[float]) -> Finding:
    """Return whether CAMP-CREST mixes classes better: X² of runs with some records left out."""
    margins = [of_partial - of_full for of_full, of_partial in zip(full, partial, strict=True)]
    lower = sum(margin > 0 for margin in margins)
    return Finding(
        f"{percent(level)}: X² of CAMP-CREST < Partial CAMP-CREST.",
        decided(margins),
        f"lower in {lower} of {len(margins)} runs with one record in fifty left out and k sought "
        f"anew; medians {np.median(full):.2f} and {np.median(partial):.2f}",
    )


def deviations(at: dict[str, Run]) -> Finding:
    """Return whether standard deviations change little by noise and much by means, seed by seed."""
    worst = np.maximum(at[FULL].drawn[:, 3], at[PARTIAL].drawn[:, 3])
    bench = at[BENCHMARK].abisd
    return Finding(
        f"{percent(at[FULL].level)}: ABISD of both perturbed files has one digit, that of the "
        "benchmark two.",
        decided([min(TWO_DIGITS - change, bench - TWO_DIGITS) for change in worst]),
        f"{100 * at[FULL].abisd:.1f} and {100 * at[PARTIAL].abisd:.1f} % against "
        f"{100 * bench:.1f} %, in all {len(worst)} seeds up to {100 * worst.max():.1f} %",
    )


def findings(study: Study, rows: Sequence[Run], as_printed: bool) -> tuple[Finding, ...]:
    """Return whether the comparison that Table 1 is meant to show is confirmed."""
    compared = []
    for level in LEVELS:
        at = {row.method: row for row in rows if row.level == level}
        full, partial = (study.left_out(way, level, as_printed) for way in (FULL, PARTIAL))
        compared += [mixing(level, full, partial), deviations(at)]
    return tuple(compared)


def small_k(study: Study) -> Table:
    """Return the small k at which Partial CREST has the paper's X², and the linkage at that k."""
    rows = []
    for level in LEVELS:
        k, x2, rate = study.nearest_partial(level)
        _, linked, printed, *_ = TABLE_1[study.name, level, PARTIAL]
        pairs = (Pair(printed, x2), Pair(linked, 100 * rate))
        rows.append(Row(f"{percent(level)}: {PARTIAL}", pairs, f"k = {k}"))
    return Table(
        "The small k whose X² is nearest the paper's",
        "linkage at most: method",
        (Quantity("X²", printed=2), share("linkage", printed=2)),
        tuple(rows),
    )


def printed_remarks(study: Study, rows: Sequence[Run]) -> tuple[str, ...]:
    """Return what is known about the differences, with the procedure as printed."""
    full = [row for row in rows if row.method == FULL]
    scaled = [study.scaled(row.k) for row in full]
    before = ", ".join(f"{x2:.2f}" for x2 in scaled)
    now = ", ".join(f"{row.x2:.2f}" for row in full)
    first, second = (
        TABLE_1[study.name, level, FULL][0] - TABLE_1[study.name, level, PARTIAL][0]
        for level in LEVELS
    )
    return (
        (
            f"CAMP-CREST with a distance scaled to [0, 1] and b = k: X² {before} at the same k, "
            f"instead of {now}. Partial CREST does not depend on the scale."
        ),
        *_small_k_remark(study),
        (
            "The paper states neither k nor b nor how columns are scaled for linkage. Full CREST "
            f"took it {first:.1f} s longer than the partial form at {percent(LEVELS[0])} and "
            f"{second:.1f} s at {percent(LEVELS[-1])}; whether b grew with k cannot be inferred "
            "from that alone."
        ),
    )


def _small_k_remark(study: Study) -> tuple[str, ...]:
    """Return whether the paper's X² of Partial CREST and its linkage come at one k."""
    ratios = []
    for level in LEVELS:
        _, _, rate = study.nearest_partial(level)
        ratios.append(100 * rate / TABLE_1[study.name, level, PARTIAL][1])
    if min(ratios) < 1 + NEAR:
        return ()
    return (
        (
            "Where Partial CREST has the paper's X² (last table) the linkage is "
            f"{min(ratios):.1f} to {max(ratios):.1f} times the paper's: no k fits both, and we "
            "have no explanation."
        ),
    )


def default_remarks(rows: Sequence[Run]) -> tuple[str, ...]:
    """Return what the defaults change, and which results follow from choices."""
    abim = max(row.abim for row in rows if row.method in (FULL, PARTIAL))
    remarks = [
        (
            f"ABIM of the perturbed files is {100 * abim:.2f} % at most: noise that is centred "
            "within groups keeps their means."
        ),
        (
            "ABICO (eq. 16) is a mean of relative changes, in which pairs of columns with a "
            "correlation near zero weigh most."
        ),
    ]
    mixed = [row for row in rows if row.method == MIXED]
    if mixed:
        levels = {row.level for row in mixed}
        full = [row for row in rows if row.method == FULL and row.level in levels]
        remarks.append(
            "That the benchmark has the largest X² is the paper's choice of t. In the rows 'as "
            "mixed' t is such that X² is no larger than CAMP-CREST's; ABISD is then "
            f"{_range(r.abisd for r in mixed)} %, CAMP-CREST's {_range(r.abisd for r in full)} %."
        )
    return tuple(remarks)


def _range(values: Iterable[float]) -> str:
    shares = sorted(100 * value for value in values)
    return f"{shares[0]:.1f}" if len(shares) == 1 else f"{shares[0]:.1f} to {shares[-1]:.1f}"
