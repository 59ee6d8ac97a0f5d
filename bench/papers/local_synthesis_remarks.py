"""What holds of the paper's order on THYROID: told from the figures, seed by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.papers.local_synthesis_figures import Outcome, margins
from bench.papers.section import Finding, Verdict, decided
from bench.papers.thyroid import (
    HYBRID,
    HYBRID_MICRO,
    MICRO,
    MICRO_60,
    NOISE,
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
    says: str, found: Found, what: str, lower: Sequence[str], higher: Sequence[str]
) -> Finding:
    """Return whether each of some methods has a lower figure than each of others."""
    gaps = [margins(found[a].found[what], found[b].found[what]) for a in lower for b in higher]
    pairs = [decided(one) for one in gaps]
    # All pairs must hold; one that clearly goes the other way is enough for "does not hold".
    verdict = next(
        (one for one in (Verdict.FAILS, Verdict.UNDECIDED) if one in pairs), Verdict.HOLDS
    )
    listed = [", ".join(_written(found[n].mean(what)) for n in names) for names in (lower, higher)]
    return Finding(says, verdict, " against ".join(listed))


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
        )
        for order in (3, 4)
    )


def sizes(found: Found) -> str:
    """Return our clusters beside the paper's."""
    printed = ", ".join(map(str, PRINTED_SIZES))
    return f"The clusters of Hybrid here: {found[HYBRID].clusters}; the paper's have {printed}."
