"""Trajectory k-anonymity: how many persons look alike in all their records together."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.measures.like_clusters import least_alike
from discreet.microdata import Microdata
from discreet.microdata.clusters import persons_of


class TrajectoryKAnonymity(Measure):
    """The minimum number of persons who cannot be distinguished by all their records together.

    A patient has several visits, a member of a panel several waves. Anyone who knows the person may
    know all of them: values that many share in each wave become a trajectory that few share. Two
    persons are alike if they have as many records, which can be paired so that each pair has the
    same quasi-identifiers. Where the wave is one of these, or the date, records are paired wave by
    wave. A record without a person's number is a person of its own.

    >>> import discreet
    >>> panel = {"who": [1, 1, 2, 2, 3, 3], "wave": [1, 2, 1, 2, 1, 2],
    ...          "job": ["a", "b", "a", "b", "b", "a"]}
    >>> data = discreet.read(panel, roles={"person": ["who"], "quasi-identifier": ["wave", "job"]})
    >>> TrajectoryKAnonymity().score(data, data, Context()).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="trajectory-k-anonymity",
        title="k-anonymity of trajectories",
        citation="Samarati & Sweeney (1998), of all records of a person; Terrovitis & Mamoulis "
        "(2008), Privacy preservation in the publication of trajectories",
        missing="a category of its own; a missing number is a person with one record",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        of_persons=True,
        of_release=True,
        formula="k = min over p of #{q : the records of q have the quasi-identifiers of those of "
        "p, as multisets}",
        cost="n·log n time for each record of the person who has most; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the minimum number of equal persons; per record that of its person."""
        persons = persons_of(released)
        if persons is None:
            raise NotApplicable("no released column says which records belong to one person")
        return least_alike(released, persons, context)
