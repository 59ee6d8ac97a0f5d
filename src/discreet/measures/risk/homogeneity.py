"""Homogeneity: how often those who look alike give a confidential value away."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Columns, MeasureSpec, Question, Side, param
from discreet.measures.by_attack import ByAttack


class Homogeneity(ByAttack):
    """The share of people whose confidential value is the commonest of the records they could be.

    See the attack of the same name. With `ruled_out` the intruder knows this many values that the
    person does not have. What can be guessed about people held back as well is due to the
    population; without them the share says little about the release.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> people = discreet.read({"age": [31, 38, 44, 47], "ill": ["flu", "gout", "cold", "cold"]},
    ...                        roles=roles)
    >>> release = discreet.read({"age": ["30–39"] * 2 + ["40–49"] * 2,
    ...                          "ill": ["flu", "gout", "cold", "cold"]})
    >>> score = Homogeneity().score(people, release, Context())
    >>> score.value, score.detail["certain"]
    (0.75, 0.5)
    """

    attack: ClassVar[str] = "homogeneity"
    needs_control: ClassVar[bool] = True
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="homogeneity",
        title="Homogeneity",
        citation="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-Diversity, §2; "
        "Martin, Kifer, Machanavajjhala, Gehrke & Halpern (2007), Worst-case background knowledge "
        "for privacy-preserving data publishing",
        missing="equal to another missing value, of a suppressed one nothing is known; people "
        "whose confidential value is missing are not asked about",
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
        formula="share of people with n(s) ≥ n(s′) for every s′ that is left, n counted among the "
        "records that a person could be",
        cost="n comparisons for each of up to 4,000 people",
    )

    secrets: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )
    ruled_out: int = param(
        default=0,
        help="the number of values that the intruder knows the person does not have",
        at_least=0,
    )
    classes: int = param(
        default=10,
        help="number of classes that a continuous column is cut into at its quantiles",
        at_least=2,
    )
