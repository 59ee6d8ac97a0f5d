"""Singling out: how often a description read off the release fits one person."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, MeasureSpec, Side
from discreet.measures.by_attack import ByAttack


class SinglingOut(ByAttack):
    """The share of descriptions, read off the release, that fit exactly one person of the file.

    See the attack of the same name. Records held back show how often that happens by chance.

    >>> import discreet, numpy as np
    >>> from discreet.contracts import Context
    >>> draw = np.random.default_rng(1)
    >>> data = discreet.read({"age": draw.normal(size=99)}, roles={"age": "quasi-identifier"})
    >>> SinglingOut().score(data, data, Context()).value
    1.0
    """

    attack: ClassVar[str] = "singling-out"
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="singling-out",
        title="Singling out",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.1",
        missing="a missing value is a description of its own; a suppressed one says nothing",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        with_control=True,
        percent=True,
        formula="share of descriptions that fit one person of the file and nobody else",
        cost="n comparisons for each of up to 2,000 descriptions",
    )
