"""Inference: how often the nearest released records give a confidential value away."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Columns, MeasureSpec, Question, Side, param
from discreet.measures.by_attack import ByAttack


class Inference(ByAttack):
    """The share of people whose confidential value is that of the released records nearest to them.

    See the attack of the same name. What can be guessed about people held back as well is due to
    the population; without them the share says little about the release.

    >>> import discreet, numpy as np
    >>> from discreet.contracts import Context
    >>> draw = np.random.default_rng(1)
    >>> data = discreet.read({"age": draw.normal(size=99), "pay": draw.normal(9, 2, 99)},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> Inference().score(data, data, Context()).value
    1.0
    """

    attack: ClassVar[str] = "inference"
    needs_control: ClassVar[bool] = True
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="inference",
        title="Inference",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.3",
        missing="equal to another missing value; people whose confidential value is missing are "
        "not asked about",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        with_control=True,
        percent=True,
        question=Question.LEARNED,
        formula="share of people with ŝ = s, or |ŝ − s| ≤ τ·|s| for numbers",
        cost="n comparisons for each of up to 4,000 people",
    )

    secrets: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )
    tolerance: float = param(
        default=0.05,
        help="how far a guessed number may be from the true one, as a share of it",
        at_least=0,
        below=1,
    )
