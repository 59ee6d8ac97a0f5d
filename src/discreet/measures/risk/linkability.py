"""Linkability: how often two files about a person are joined through a release."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Columns, MeasureSpec, Side, param
from discreet.measures.by_attack import ByAttack


class Linkability(ByAttack):
    """The share of people whose data in two files lead to the same released record.

    See the attack of the same name. People held back show how often that happens by chance.

    >>> import discreet, numpy as np
    >>> from discreet.contracts import Context
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("ab", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=99) for c in "ab"}, roles=roles)
    >>> Linkability().score(data, data, Context()).value
    1.0
    """

    attack: ClassVar[str] = "linkability"
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="linkability",
        title="Linkability",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.2",
        missing="equal to another missing value; of a suppressed one nothing is known",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        with_control=True,
        percent=True,
        formula="share of people whose nearest released record by some columns is their nearest by "
        "the others",
        cost="n comparisons for each of up to 4,000 people",
    )

    first: Columns = param(
        default=None,
        help="the known columns that the first file has; every other one if not given",
    )
