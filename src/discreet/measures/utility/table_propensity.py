"""Propensity by tables: how well cells of one and of two columns tell released from original."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.cell_distances import Cells, Codes
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata
from discreet.microdata.weights import design_effect
from discreet.models.design_matrix import ANALYSED

SHOWN = 10
"""How many of the largest discrepancies are named."""


class TablePropensity(Measure):
    """The mean propensity error of all tables of two columns, as a multiple of its expectation.

    A record's propensity is the share of released records in its cell, and its error how far that
    is from the share of released records overall. Records drawn at random from a model that has the
    original's own shares are expected to have a ratio of 1; a second sample of the same people has
    2. Users of synthpop know it as S_pMSE: below 3 is good, above 10 calls for a look at the
    columns. The ratio grows with the number of records, since chance explains less of the same
    difference; a release in which few records were changed stays below 1.

    Each column and each pair stands in the parts, the ten largest in the detail. Numbers are cut
    into groups that hold about as many original records each. Cells of weighted files have weighted
    counts, and more is expected by chance: the ratio is divided by Kish's design effect.

    >>> import discreet
    >>> town = ["Ayle"] * 50 + ["Bron"] * 50
    >>> original = discreet.read({"town": town, "sex": ["f", "m"] * 50})
    >>> released = discreet.read({"town": town, "sex": ["f"] * 50 + ["m"] * 50})
    >>> score = TablePropensity().score(original, released, Context())
    >>> {table: round(part, 2) for table, part in score.parts.items()}   # alone each is as it was
    {('town',): 0.0, ('sex',): 0.0, ('town', 'sex'): 44.44}
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="table-propensity",
        title="Propensity by tables of two columns, ratio to chance",
        citation="Raab, Nowok & Dibben (2021), Assessing, visualizing and improving the utility of "
        "synthetic data; Snoke, Raab, Nowok, Dibben & Slavkovic (2018), General and specific "
        "utility measures for synthetic data",
        missing="a category of its own",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        default=False,
        formula="Σᵢ Nᵢ (n′ᵢ/Nᵢ − c)² / N  divided by  (K − 1)·(1 − c)²·c / N,  Nᵢ = nᵢ + n′ᵢ, "
        "c = n′/N, K cells",
        cost="n time for each pair of columns",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(Ruin.PERMUTED, Ruin.UNPAIRED),
    )

    bins: int = param(
        default=5, help="the number of groups that a continuous column is cut into", at_least=2
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean ratio of the pairs; the parts have those of columns and pairs."""
        names = original.having(*ANALYSED)
        if len(names) < 2:
            raise NotApplicable("it needs two columns")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        view = decoded(original, released, names, pairing, context)
        generator = context.randomness.generator("cells", "draws")
        cells = context.once(
            ("cells", original, released, pairing, self.bins),
            lambda: Cells.of(original, released, view, self.bins, generator),
        )
        # Weighted records leave more to chance than as many of equal weight.
        more = design_effect(original, released)
        tables = [*((name,) for name in names), *combinations(names, 2)]
        parts: dict[tuple[str, ...], float] = {}
        apart: list[float] = []
        with context.task("tables of cells", len(tables)) as advance:
            for table in tables:
                before, draws = cells.counts(table)
                ratios = [ratio_to_chance(before, after) / more for after in draws]
                parts[table] = float(np.mean(ratios))
                if len(table) == 2:
                    apart.append(_disjoint_ratio(before, draws[0]) / more)
                advance(1)
        largest = sorted(parts, key=lambda table: -parts[table])[:SHOWN]
        return Score(
            float(np.mean([ratio for table, ratio in parts.items() if len(table) == 2])),
            detail={"largest": {" × ".join(table): parts[table] for table in largest}},
            note=lost_and_weighted(view, original),
            parts=parts,
            at_loss=float(np.mean(apart)),
        )


def ratio_to_chance(original: Codes, released: Codes) -> float:
    """Return the propensity error of a table of counts, as a multiple of what is expected by
    chance.

    Raab, Nowok & Dibben (2021): S_pMSE of the saturated model of a table.

    >>> round(ratio_to_chance(np.array([50, 50]), np.array([60, 40])), 3)
    4.04
    """
    both = original + released
    filled = both > 0
    share = released.sum() / both.sum()
    squared = (both[filled] * (released[filled] / both[filled] - share) ** 2).sum()
    by_chance = (filled.sum() - 1) * (1 - share) ** 2 * share
    return float(squared / by_chance) if by_chance > 0 else 0.0


def _disjoint_ratio(original: Codes, released: Codes) -> float:
    """Return the ratio of a table with as many cells, none of which has records of both files."""
    cells, total = int(((original + released) > 0).sum()), original.sum() + released.sum()
    return float(total / (max(cells - 1, 1) * (original.sum() / total)))
