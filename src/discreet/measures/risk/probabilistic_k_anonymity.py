"""Probabilistic k-anonymity: among how many records of its group a record is hidden."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.microdata import Column, Microdata


class ProbabilisticKAnonymity(Measure):
    """The least number of records in a group whose released values do not tell which is which.

    An intruder who knows the method, the release and an outside file links a record to its own
    with a probability of 1/k at most. Methods that draw the values of a group without regard to
    which record is which have this by the size of their groups. It is read off the groups that the
    method made, which only the owner of the data knows: the released file does not show it.

    A quasi-identifier that was released as it was, and differs within a group, tells its records
    apart; then there is no such figure. Nor is there one where another step changed it.

    >>> import discreet
    >>> from discreet.contracts import Groups
    >>> data = discreet.read({"age": [30, 34, 41, 45]}, roles={"age": "quasi-identifier"})
    >>> released = data.replace([data.column("age").with_values(np.array([31., 33., 42., 44.]))])
    >>> known = Pairing(np.arange(4), Groups(np.array([0, 0, 1, 1])))
    >>> ProbabilisticKAnonymity().score(data, released, Context(), known).value
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="probabilistic-k-anonymity",
        title="Probabilistic k-anonymity by the groups of the method",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), Definition 1",
        missing="not looked at: the groups count, not the values",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        paired=True,
        default=False,
        formula="k = min over the groups g of n_g",
        cost="n time",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the least group size; per record the size of its group."""
        groups = None if pairing is None else pairing.groups
        if pairing is None or groups is None or len(groups.labels) != len(original):
            raise NotApplicable("it needs the groups that the method made, and there are none")
        if not len(released):
            raise NotApplicable("the release has no records")
        if not groups.covers:
            raise NotApplicable(
                "another step than the one that formed the groups changed quasi-identifiers, which "
                "may tell the records of a group apart"
            )
        labels = groups.labels[pairing.origin]
        if labels.min() < 0:
            raise NotApplicable("some released records were in no group of the method")
        before = original.take(pairing.origin)
        for name in released.quasi_identifiers:
            if _tells_apart(before.column(name), released.column(name), labels):
                raise NotApplicable(
                    f"the quasi-identifier '{name}' was released as it was, so the groups do not "
                    "hide which record is which"
                )
        # Records that a later step left out of the release hide nobody there.
        sizes = np.bincount(labels)[labels]
        return Score(
            float(sizes.min()),
            per_record=sizes.astype(np.float64),
            detail={"groups": len(np.unique(labels)), "mean group size": float(sizes.mean())},
        )


def _tells_apart(before: Column, after: Column, labels: NDArray[np.int64]) -> bool:
    """Whether a column is as it was and differs within a group."""
    if not before.same_as(after):
        return False
    values = np.unique(before.values, return_inverse=True)[1]  # NaN is one value
    low = np.full(labels.max() + 1, len(values))
    high = np.full(labels.max() + 1, -1)
    np.minimum.at(low, labels, values)
    np.maximum.at(high, labels, values)
    return bool((low < high).any())
