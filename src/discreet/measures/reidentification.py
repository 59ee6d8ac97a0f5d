"""Three summaries of the chances of re-identification, and what the three intruders have in common.

The *prosecutor* knows that a person is in the file: the chance of a record is 1/f. The *journalist*
does not, and wants to find anyone at all to show that it can be done: 1/F. The *marketer* wants to
find as many as possible: the mean of 1/F (Dankar & El Emam 2010, El Emam 2013).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Score

SUMMARIES = ("highest", "average", "above")
SUMMARY_HELP = (
    "the highest chance of a record, the average one, or the share of records whose chance is "
    "above the threshold"
)
THRESHOLD_HELP = "chance above which a record counts as at risk"


def summarised(
    risks: NDArray[np.float64],
    summary: str,
    threshold: float,
    note: str = "",
    detail: Mapping[str, Any] | None = None,
    highest: tuple[float, float] | None = None,
) -> Score:
    """Return one summary of the chances of the records, and all three as detail.

    `highest` is the interval of the highest chance, where that is estimated.

    >>> score = summarised(np.array([0.5, 0.5, 0.1, 0.1]), "average", 0.2)
    >>> round(score.value, 2), score.detail["share above 20 %"]
    (0.3, 0.5)
    """
    figures = {
        "highest": float(risks.max()),
        "average": float(risks.mean()),
        "above": float((risks > threshold).mean()),
    }
    return Score(
        figures[summary],
        interval=highest if summary == "highest" else None,
        per_record=risks,
        detail={
            "highest": figures["highest"],
            "records with it": int((risks == risks.max()).sum()),
            "average": figures["average"],
            f"share above {100 * threshold:g} %": figures["above"],
            **(detail or {}),
        },
        note=note,
    )
