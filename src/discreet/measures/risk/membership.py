"""Membership: how well those in the file are distinguished from people held back."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, MeasureSpec, Side
from discreet.measures.by_attack import ByAttack


class Membership(ByAttack):
    """The share of people for whom membership of the file is guessed correctly.

    See the attack of the same name. It needs records that were held back; one half is a blind
    guess.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("ab", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=200) for c in "ab"}, roles=roles)
    >>> noise = discreet.AdditiveNoise(alpha=0.0001)
    >>> release = discreet.protect(data, noise, hold_back=0.5, seed=1)
    >>> discreet.assess(data, release, ["membership"]).risk["membership"].value > 0.9
    True
    """

    attack: ClassVar[str] = "membership"
    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="membership",
        title="Membership",
        citation="Stadler, Oprisanu & Troncoso (2022), Synthetic data: anonymisation groundhog "
        "day; Shokri, Stronati, Song & Shmatikov (2017), Membership inference attacks against "
        "machine learning models",
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
        formula="share of right answers about members and others in equal numbers",
        cost="n comparisons for each of up to 4,000 people",
    )
