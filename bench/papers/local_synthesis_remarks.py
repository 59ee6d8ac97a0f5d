"""What holds of the paper's order on THYROID: told from the figures, seed by seed."""

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
    says: str, found: Found, what: str, lower: Sequence[str], higher: Sequence[str], of: str = ""
) -> Finding:
    """Return whether each of some methods has a lower figure than each of others."""
    gaps = [margins(found[a].found[what], found[b].found[what]) for a in lower for b in higher]
    pairs = [decided(one) for one in gaps]
    # All pairs must hold; one that clearly goes the other way is enough for "does not hold".
    verdict = next(
        (one for one in (Verdict.FAILS, Verdict.UNDECIDED) if one in pairs), Verdict.HOLDS
    )
    listed = [", ".join(_written(found[n].mean(what)) for n in names) for names in (lower, higher)]
    return Finding(says, verdict, " against ".join(listed) + of)


def _written(figure: float | None) -> str:
    """Return a figure as a person writes it.

    >>> _written(5318.4), _written(5.651), _written(8e-13)
    ('5,318', '5.65', '0')
    """
    value = figure or 0.0
    return f"{value:,.0f}" if value >= 100 or value < 1e-6 else f"{value:.3g}"


def orders(found: Found, what: str) -> tuple[Finding, ...]:
    """Return which parts of the order of Table 1 hold, by one model."""
    return tuple(compared(says, found, what, lower, higher) for says, lower, higher in ORDER)


def regressions(found: Found) -> tuple[Finding, ...]:
    """Return what the paper says of Table 2."""
    hybrids, others = (HYBRID, HYBRID_MICRO), (NOISE, MICRO, SYNTHETIC)
    return tuple(
        compared(f"Both hybrid methods change {words} least.", found, what, hybrids, others)
        for what, words in (("coefficients", "coefficients"), ("errors", "standard errors"))
    )


def higher_moments(found: Found) -> tuple[Finding, ...]:
    """Return what the paper says of Table 3, by the reading that comes nearest to its figures."""
    return tuple(
        compared(
            f"Hybrid changes moments of order {order} less than HybridMicro.",
            found,
            f"distinct {order}, by batch",
            (HYBRID,),
            (HYBRID_MICRO,),
            f", means over batches of {BATCH} realisations",
        )
        for order in (3, 4)
    )


def sizes(found: Found) -> str:
    """Return our clusters beside the paper's."""
    printed = ", ".join(map(str, PRINTED_SIZES))
    return f"The clusters of Hybrid here: {found[HYBRID].clusters}; the paper's have {printed}."


def not_explained(found: Found, models: Sequence[str]) -> tuple[str, ...]:
    """Return that no model gives Table 1 of the paper, if none does: near in every row."""
    rows = [name for name in (HYBRID, HYBRID_MICRO, NOISE, MICRO, SYNTHETIC) if name in found]
    near = {
        model: sum(is_near(Pair(PRINTED[name][0], found[name].mean(model))) for name in rows)
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


def all_coefficients(found: Found) -> tuple[str, ...]:
    """Return what Micro, which draws nothing, says of which coefficients the paper averaged."""
    paper = PRINTED[MICRO][1]
    every, clear = (found[MICRO].mean(what) for what in ("coefficients", "clear"))
    if is_near(Pair(paper, every)):
        return ()
    return (
        (
            f"Table 2 is not explained. Micro draws nothing and changes all coefficients by "
            f"{_written(every)} % on average, where the paper has {paper} %: it cannot have "
            f"averaged all of them. Over those with |t| > 2 it is {_written(clear)} %."
        ),
    )


def one_realisation(found: Found) -> str:
    """Return between which figures single realisations of Synthetic lie, beside the paper's."""
    parts = []
    for order, place in ((3, 3), (4, 4)):
        single = found[SYNTHETIC].found[f"distinct {order}, single"]
        paper = PRINTED[SYNTHETIC][place] or 0.0
        inside = "within" if min(single) <= paper <= max(single) else "outside"
        parts.append(
            f"{min(single):.1f} to {max(single):.1f} % at order {order} (the paper's {paper:g} "
            f"lies {inside})"
        )
    return f"Synthetic is not explained. Single realisations change by {' and by '.join(parts)}."
