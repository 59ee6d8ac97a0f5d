"""Differential privacy: what the steps of a release may reveal of any one record."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.microdata import Microdata


class DifferentialPrivacy(Measure):
    """The ε that all steps and copies of a release spend together, at a stated δ.

    Whatever the release says, it would have said nearly as probably if one record were another: the
    chance of any outcome changes by a factor of e^ε at most, apart from a chance of δ. That holds
    against anyone, with any knowledge. It is not counted in the released file, but follows from
    what each step did: mechanisms with noise add up, and what is computed from their outcomes is
    free. A step, an option or a column that reads the data in any other way leaves no such figure.

    >>> import discreet
    >>> from discreet.contracts.accounting import Access, Account, Accounting, Neighbours, Spent
    >>> spent = Spent(1.0, 1e-6, Neighbours.CHANGE, frozenset(["age"]))
    >>> run = Accounting((Account("step 1", Access.MECHANISM, spent=spent),), frozenset(["age"]))
    >>> data = discreet.read({"age": [31, 47]})
    >>> DifferentialPrivacy(delta=1e-5).score(data, data, Context(accounting=run)).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="differential-privacy",
        title="Differential privacy (ε)",
        citation="Dwork & Roth, The algorithmic foundations of differential privacy (2014), "
        "Definition 2.4 and Theorem 3.16",
        missing="as each step says",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        default=False,
        rests_on="the accounting over all steps and copies, and on OpenDP's noise; the file itself "
        "cannot show it",
        claimed_as_stated=True,
        formula="P(M(D) ∈ S) ≤ e^ε P(M(D′) ∈ S) + δ for all neighbouring files D, D′\n"
        "ε = copies · Σ ε_t,  δ = copies · Σ δ_t over the mechanisms t",
        cost="nothing",
    )

    delta: float = param(
        default=0.0,
        help="the chance that ε may not hold, as claimed; what the steps spend must not exceed it",
        at_least=0,
        below=1,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return ε; the detail says what each step did."""
        accounting = context.accounting
        if accounting is None:
            raise NotApplicable("it follows from the steps of a run, and none is known")
        for objection in accounting.objections(released.schema.names):
            raise NotApplicable(objection)
        if accounting.delta > self.delta:
            raise NotApplicable(
                f"the steps spend a δ of {accounting.delta:g}, but {self.delta:g} is claimed; "
                f"state 'differential-privacy: {{delta: {accounting.delta:g}}}' below measures"
            )
        return Score(accounting.epsilon, detail=accounting.plain())
