"""Minimality: what the choice of the least recoding gives away."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Columns, MeasureSpec, Question, Side, param
from discreet.measures.by_attack import ByAttack


class Minimality(ByAttack):
    """The share of people whose confidential value is guessed by knowing why nothing finer was
    released.

    See the attack of the same name. After one step of global recoding with an l, without t and
    without suppression, the choice of the recoding says something; after anything else the guess is
    that of somebody who does not know the method, and the note says so.

    >>> import discreet
    >>> kinds = ["a"] * 2 + ["b"] * 4
    >>> data = discreet.read({"kind": kinds, "ill": ["no"] * 4 + ["yes"] * 2},
    ...                      roles={"kind": "quasi-identifier", "ill": "confidential"})
    >>> release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1)
    >>> score = discreet.assess(data, release, ["minimality"]).risk["minimality"]
    >>> round(score.value, 3), score.detail["recodings passed over"]
    (0.667, ['kind at level 0'])
    """

    attack: ClassVar[str] = "minimality"
    needs_control: ClassVar[bool] = True
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="minimality",
        title="Minimality",
        citation="Wong, Fu, Wang & Pei (2007), Minimality attack in privacy preserving data "
        "publishing; Zhang, Jajodia & Brodsky (2007), Information disclosure under realistic "
        "assumptions: privacy versus optimality",
        missing="a value of its own",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        default=False,
        with_control=True,
        of_recoded=True,
        percent=True,
        question=Question.LEARNED,
        formula="share of people with s = argmax over s′ of P(s′ | every finer recoding has a "
        "class with fewer than l values)",
        cost="n·w for each column, w worlds, of which at most 20 million records are drawn; one "
        "more search for the best recoding",
    )

    secrets: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )
    worlds: int = param(
        default=1_000,
        help="the most ways, drawn at random, in which the values of a class may belong to its "
        "members; all are counted if there are fewer",
        at_least=50,
    )
