"""Household k-anonymity: how many households look like the one that is rarest."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.measures.like_clusters import least_alike
from discreet.microdata import Microdata
from discreet.microdata.clusters import households_of


class HouseholdKAnonymity(Measure):
    """The minimum number of households that cannot be told apart by all that is known about them.

    Anyone who looks for a family knows all of it: its size, its region, and the ages and sexes of
    its members together, which few other families share. Two households are alike if they have the
    same size, the same quasi-identifiers of household level, and members who can be paired so that
    each pair has the same quasi-identifiers. A record without a household number is a household of
    its own. Where no household is released with more than one record, this is k-anonymity.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 30, 30, 30], "home": [1, 2, 2, 3, 3]},
    ...                      roles={"age": "quasi-identifier", "home": "household"})
    >>> HouseholdKAnonymity().score(data, data, Context()).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="household-k-anonymity",
        title="k-anonymity of households",
        citation="Samarati & Sweeney (1998), of households; Templ (2017), Statistical Disclosure "
        "Control for Microdata, on hierarchical risk",
        missing="a category of its own; a missing household number is a household of one",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        of_release=True,
        formula="k = min over h of #{g : the members of g have the quasi-identifiers of those of "
        "h, as multisets}",
        cost="n·log n time for each member of the largest household; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the minimum number of equal households; per record that of its household."""
        homes = households_of(released)
        if homes is None:
            raise NotApplicable("no released column says which household a record belongs to")
        return least_alike(released, homes, context)
