"""Gaussian mixture: clusters of a model, none of them below k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import Context, Groups, Partition, Spec
from discreet.contracts.partition import require_records
from discreet.errors import DataError
from discreet.microdata import Kind, Microdata
from discreet.models.mixture.choosing import choose
from discreet.models.mixture.coordinates import Coordinates
from discreet.models.mixture.em import Mixture
from discreet.models.mixture.families import SETS
from discreet.models.mixture.hard import hard_groups
from discreet.models.mixture.options import MixtureOptions


class GaussianMixture(MixtureOptions, Partition):
    """Puts every record into its most probable component of a mixture fitted by EM.

    EM keeps every mixing weight at k/n or more. That alone does not keep the clusters themselves
    at k: a cluster that ends with fewer is dissolved, its records going to their next best one.
    The number of clusters and the family of their covariances are chosen by BIC. Since k·G < n is
    needed for G clusters, fewer are tried where there are few records; below 2k + 1 of them all
    are one cluster.

    With the replacement "exact-moments" in microaggregation this is local synthesis. With any
    other replacement that masks values within groups it is local masking.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = np.concatenate([rng.normal(30, 2, 40), rng.normal(70, 2, 60)])
    >>> data = discreet.read({"age": age}, roles={"age": "quasi-identifier"})
    >>> groups = GaussianMixture(k=20).groups(data, ["age"], Context())
    >>> groups.sizes, groups.detail["model"]
    (array([40, 60]), 'EII, 2 normal clusters')
    """

    spec: ClassVar[Spec] = Spec(
        name="gaussian-mixture",
        title="Gaussian mixture with a minimum cluster size",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §3 and §5; Celeux & Govaert (1995); "
        "Fraley & Raftery (2002)",
        missing="a missing value is placed where the linear regression on the record's other "
        "values predicts it; the mixture is fitted to complete records if there are ten per column",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("k-anonymity",),
        formula="f(x) = Σ_g π_g f_g(x; μ_g, Σ_g), each record in the cluster of its largest π_g "
        "f_g (eq. 2)\n"
        "π_g becomes (π_g + δ)/(1 + Gδ),  δ = (k/n − π_min)/(1 − Gk/n) where π_min < k/n (eq. 3, "
        "4)\n"
        "families of Σ_g and number of clusters by the largest BIC = 2 log p − ν log n (eq. 6),  "
        "n_g ≥ k",
        cost="n·c² time for each step of EM, family and number of clusters, on a sample of 10,000 "
        "records where there are more; memory n for each cluster, and the square of the records "
        "that the start is computed from, 2,000 at most",
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return the cluster of every record, each cluster of at least k."""
        return self.clustered(data, columns, context)[0]

    def clustered(
        self, data: Microdata, columns: Sequence[str], context: Context
    ) -> tuple[Groups, Mixture | None]:
        """Return the clusters and the mixture behind them; none if all records are alike."""
        for name in columns:
            if not data.schema[name].continuous:
                raise DataError(
                    f"GaussianMixture treats continuous columns, but '{name}' is "
                    f"{data.schema[name].kind}; choose another partition, or leave the column to "
                    "another method"
                )
        require_records(data, self.k, type(self).__name__)
        detail: dict[str, Any] = {}
        rows = np.arange(len(data))
        if len(data) > self.sample:
            generator = context.generator("records to fit to")
            rows = np.sort(generator.choice(len(data), self.sample, replace=False))
        coordinates = Coordinates.fit(data, columns, rows, self.variance)
        if coordinates.left_out:
            detail["constant columns, left out of the clustering"] = coordinates.left_out
        if not coordinates.names:
            detail["model"] = "one cluster, since no column distinguishes records"
            return Groups(np.zeros(len(data), dtype=np.int64), self.k, detail), None
        if coordinates.axes is not None:
            detail["principal components clustered by"] = coordinates.dimensions
        rows = coordinates.fitted_rows(data, rows)
        if len(rows) < len(data):
            detail["records fitted to"] = len(rows)
        counts = self._numbers_of_clusters(len(data), detail)
        with context.task("fitting mixtures", len(counts)) as advance:
            choice = choose(
                coordinates.points(data, rows),
                counts,
                SETS.get(self.families, (self.families,)),
                self.k / len(data),
                self.tails == "student",
                self.start,
                context.generator("starts"),
                advance,
                coordinates.in_own_units(data, rows),
                coordinates.log_unit(data),
            )
        with context.task("putting records into clusters", len(data)) as advance:
            labels, dissolved = hard_groups(
                lambda some: choice.best.log_densities(coordinates.points(data, some)),
                len(data),
                self.k,
                advance,
            )
        groups = Groups(labels, self.k, detail)
        detail |= self._details(choice.best, groups, dissolved)
        return groups, choice.best

    def _numbers_of_clusters(self, records: int, detail: dict[str, Any]) -> list[int]:
        """Return the numbers of clusters to try: G with k·G < n, and one if there is no other."""
        most = max(1, (records - 1) // self.k)
        asked = self.clusters
        if asked is not None:
            if asked > most:
                detail["clusters asked for"] = (
                    f"{asked}, lowered to {most}: {records:,} records in groups of {self.k} "
                    "allow no more"
                )
            return [min(asked, most)]
        return list(range(2, min(self.most_clusters, most) + 1)) or [1]

    def _details(self, best: Mixture, groups: Groups, dissolved: list[int]) -> dict[str, Any]:
        tails = "normal" if np.isinf(best.freedom) else f"t ({best.freedom:.1f} degrees of freedom)"
        clusters = "cluster" if best.clusters == 1 else "clusters"
        detail: dict[str, Any] = {
            "model": f"{best.family}, {best.clusters} {tails} {clusters}",
            "BIC": f"{best.bic:.1f}",
            "cluster sizes": tuple(groups.sizes.tolist()),
            "least cluster size": int(groups.sizes.min()),
        }
        if not best.settled:
            detail["EM"] = f"stopped after {best.steps} steps before it had settled"
        if best.held:
            detail["regularisation"] = (
                "a cluster has almost no spread in some direction and is kept non-singular by the "
                "regularisation"
            )
        if dissolved:
            detail["clusters dissolved, having fewer than k records"] = len(dissolved)
        return detail
