"""Suppressed cells: how many of them can be read off the rest of the release."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Columns, MeasureSpec, Question, Side, param
from discreet.measures.by_attack import ByAttack


class SuppressedCells(ByAttack):
    """The share of suppressed cells that other columns or members of a household give away.

    See the attack of the same name. The note counts the cells.

    >>> import discreet
    >>> from discreet.contracts import Context, Pairing
    >>> town = ["Ayle", "Bron", "Cull"] * 40
    >>> region = ["coast", "coast", "hills"] * 40
    >>> data = discreet.read({"town": town, "region": region})
    >>> release = discreet.read({"town": town, "region": [None] * 6 + region[6:]})
    >>> score = SuppressedCells().score(data, release, Context(), Pairing.same_order(120))
    >>> score.value, score.note
    (1.0, '6 suppressed cells; 100.0 % for certain')
    """

    attack: ClassVar[str] = "suppressed-cells"
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="suppressed-cells",
        title="Suppressed cells read off the rest",
        citation="Hundepool et al. (2012), Statistical disclosure control, §3.4; Wang & Liu "
        "(2011), Privacy-preserving publishing microdata with full functional dependencies",
        missing="a value that is missing in the original is not asked about",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        default=False,
        with_control=True,
        percent=True,
        question=Question.LEARNED,
        formula="share of suppressed cells with x̂ = x, or |x̂ − x| ≤ σ/20 for numbers",
        cost="m·c for m cells of each column, 20,000 at most; n·log n for households",
    )

    columns: Columns = param(
        default=None, help="the columns whose gaps are filled; all released ones if not given"
    )
