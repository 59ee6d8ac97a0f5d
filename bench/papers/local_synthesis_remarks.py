"""Which parts of the paper's order hold on THYROID, derived from the figures, seed by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.papers.difference import NEAR, is_near
from bench.papers.local_synthesis_figures import BATCH, Outcome, margins
from bench.papers.section import Finding, Pair, Verdict, decided
from bench.papers.thyroid import (
    HYBRID,
    HYBRID_MICRO,
    MICRO,
    MICRO_60,
    NOISE,
    PRINTED,
    PRINTED_SIZES,
    SYNTHETIC,
)

Found = Mapping[str, Outcome]

ORDER: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Hybrid < HybridMicro.", (HYBRID,), (HYBRID_MICRO,)),
    ("HybridMicro < Noise and Micro.", (HYBRID_MICRO,), (NOISE, MICRO)),
    ("Hybrid < Noise and Micro.", (HYBRID,), (NOISE, MICRO)),
    ("Hybrid < HybridMicro even with k = 60, that is 32 clusters.", (HYBRID,), (MICRO_60,)),
    ("All others < Synthetic.", (HYBRID, HYBRID_MICRO, NOISE, MICRO), (SYNTHETIC,)),
)
"""What Table 1 and its text say."""


def compared(
    says: str,
    results: Found,
    figure: str,
    lower: Sequence[str],
    higher: Sequence[str],
    of: str = "",
) -> Finding:
    """Return whether each of some methods has a lower figure than each of some others."""
    gaps = [
        margins(results[a].figures[figure], results[b].figures[figure])
        for a in lower
        for b in higher
    ]
    pairs = [decided(gap) for gap in gaps]
    # All pairs must hold; one clear contradiction is enough for "does not hold".
    verdict = next((v for v in (Verdict.FAILS, Verdict.UNDECIDED) if v in pairs), Verdict.HOLDS)
    listed = [
        ", ".join(_written(results[n].mean(figure)) for n in names) for names in (lower, higher)
    ]
    return Finding(says, verdict, " against ".join(listed) + of)


def _written(figure: float | None) -> str:
    """Return a figure as a person would write it.

    >>> _written(5318.4), _written(5.651), _written(8e-13)
    ('5,318', '5.65', '0')
    """
    value = figure or 0.0
    return f"{value:,.0f}" if value >= 100 or value < 1e-6 else f"{value:.3g}"


def orders(results: Found, figure: str) -> tuple[Finding, ...]:
    """Return which parts of the order of Table 1 hold, by one model."""
    return tuple(compared(says, results, figure, lower, higher) for says, lower, higher in ORDER)


def regressions(results: Found) -> tuple[Finding, ...]:
    """Return what the paper says about Table 2."""
    hybrids, others = (HYBRID, HYBRID_MICRO), (NOISE, MICRO, SYNTHETIC)
    return tuple(
        compared(f"Both hybrid methods change {words} least.", results, figure, hybrids, others)
        for figure, words in (("coefficients", "coefficients"), ("errors", "standard errors"))
    )


def higher_moments(results: Found) -> tuple[Finding, ...]:
    """Return what the paper says about Table 3, by the reading nearest to its figures."""
    return tuple(
        compared(
            f"Hybrid changes moments of order {order} less than HybridMicro.",
            results,
            f"distinct {order}, by batch",
            (HYBRID,),
            (HYBRID_MICRO,),
            f", means over batches of {BATCH} realisations",
        )
        for order in (3, 4)
    )


def sizes(results: Found) -> str:
    """Return our clusters beside the paper's."""
    printed = ", ".join(map(str, PRINTED_SIZES))
    return f"The clusters of Hybrid here: {results[HYBRID].clusters}; the paper's have {printed}."


def not_explained(results: Found, models: Sequence[str]) -> tuple[str, ...]:
    """Return the remark that no model comes near Table 1 in every row, if none does."""
    rows = [name for name in (HYBRID, HYBRID_MICRO, NOISE, MICRO, SYNTHETIC) if name in results]
    near = {
        model: sum(is_near(Pair(PRINTED[name][0], results[name].mean(model))) for name in rows)
        for model in ("printed", *models)
    }
    if max(near.values()) == len(rows):
        return ()
    return (
        (
            f"Table 1 is not explained: of {len(near)} models none comes within "
            f"{100 * NEAR:.0f} % of the paper in more than {max(near.values())} of {len(rows)} "
            "rows."
        ),
    )


def all_coefficients(results: Found) -> tuple[str, ...]:
    """Return what Micro, which draws nothing, shows about which coefficients the paper averaged."""
    paper = PRINTED[MICRO][1]
    every, clear = (results[MICRO].mean(figure) for figure in ("coefficients", "clear"))
    if is_near(Pair(paper, every)):
        return ()
    return (
        (
            f"Table 2 is not explained. Micro draws nothing and changes all coefficients by "
            f"{_written(every)} % on average, where the paper has {paper} %: it cannot have "
            f"averaged all of them. Over those with |t| > 2 it is {_written(clear)} %."
        ),
    )


def one_realisation(results: Found) -> str:
    """Return the range of single realisations of Synthetic, compared with the paper's figure."""
    parts = []
    for order, place in ((3, 3), (4, 4)):
        single = results[SYNTHETIC].figures[f"distinct {order}, single"]
        paper = PRINTED[SYNTHETIC][place] or 0.0
        inside = "within" if min(single) <= paper <= max(single) else "outside"
        parts.append(
            f"{min(single):.1f} to {max(single):.1f} % at order {order} (the paper's {paper:g} "
            f"lies {inside})"
        )
    return f"Synthetic is not explained. Single realisations change by {' and by '.join(parts)}."
