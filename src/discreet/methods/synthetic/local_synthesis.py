"""Local synthesis: clusters of a mixture, each synthesised with its own moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import Claim, Columns, Context, Groups, Masked, Method, Spec, param
from discreet.contracts.partition import require_records
from discreet.contracts.threads import one_thread
from discreet.errors import UsageError
from discreet.microaggregation.partition.gaussian_mixture import GaussianMixture
from discreet.microaggregation.replacement.exact_moments import (
    CONFIDENTIAL,
    ROUND,
    filled,
    put_synthetic,
)
from discreet.microdata import Column, Microdata
from discreet.microdata.numeric_coding import columns_from
from discreet.models.mixture.em import Mixture
from discreet.models.mixture.higher_moments import expected_change
from discreet.models.mixture.options import MixtureOptions
from discreet.models.mixture.student import put_exact_student
from discreet.models.mixture.unions import cluster_moments, largest_difference

KEPT = "largest relative difference of a mean or covariance, over clusters and their unions"
FILLED = "missing values, standing at the mean of their cluster in what is kept"


class LocalSynthesis(MixtureOptions, Method):
    """Synthetic records that keep the means and covariances of every cluster of the data.

    The continuous columns are clustered by a normal mixture, no cluster below k, and the records
    of each cluster are replaced by as many synthetic ones with exactly the cluster's mean and
    covariance matrix. Both are then exact for the whole file and for every union of clusters.
    Higher moments change as far as clusters are not normal; how far is in the groups' detail.
    Nominal and ordinal columns are drawn given the synthetic continuous values, from a latent
    class regression whose classes have at least k records.

    A record is hidden among the records of its cluster: probabilistic k-anonymity, with the size
    of the smallest cluster, provided that all columns of the release are synthetic. `confidential`
    synthesises the confidential columns too, as the paper does. Where columns depend on one another
    nearly linearly, synthetic records can still come close to original ones; the record linkage of
    the release shows it.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = np.concatenate([rng.normal(30, 2, 40), rng.normal(70, 2, 60)])
    >>> data = discreet.read({"age": age}, roles={"age": "quasi-identifier"})
    >>> masked = LocalSynthesis(k=20).protect(data, Context())
    >>> masked.groups.sizes, masked.claims
    (array([40, 60]), (Claim(probabilistic-k-anonymity: 40 claimed),))
    >>> bool(np.isclose(masked.data["age"].var(), age.var(), rtol=1e-9))
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="local-synthesis",
        title="Local synthesis under probabilistic k-anonymity",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §3 to §6",
        missing="a missing number is clustered where the linear regression on the record's other "
        "numbers predicts it, and synthesised like any other, set to the mean of its cluster; "
        "where a cluster has no value at all it stays missing; a missing category is a category "
        "too",
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x̄′_g = x̄_g and S′_g = S_g in every cluster g,  n_g ≥ k",
        cost="as the partition gaussian-mixture, and n·c² time for the synthesis",
    )

    round: bool = param(default=False, help=ROUND)
    confidential: bool = param(default=False, help=CONFIDENTIAL)
    classes: int | None = param(
        default=None,
        help="number of latent classes that nominal and ordinal columns are drawn from; chosen by "
        "BIC if not given, which takes few: where categories are to keep their dependence on "
        "numbers, give more (six or so), and compare the measure pairs",
        at_least=1,
    )
    together: Columns = param(
        default=None,
        treated=True,
        help="nominal and ordinal columns that are drawn as one, so that they depend on each "
        "other within a class too: names joined by +, such as sex+title",
    )
    columns: Columns = param(
        default=None, help="the columns to synthesise; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values in the treated columns."""
        treated = self.treated(data, self.columns, self.confidential)
        require_records(data, self.k, type(self).__name__)
        numbers = [name for name in treated if data.schema[name].continuous]
        categories = [name for name in treated if not data.schema[name].continuous]
        groups, mixture = self._clusters(data, numbers, context)
        columns, detail = self._synthesised(data, numbers, groups, mixture, context)
        if categories:
            drawn, least = self._drawn(data, categories, numbers, columns, context)
            columns += drawn
            detail["records in the least latent class"] = f"{least:.1f}"
        # Def. 1 is about hard groups: the size of the smallest is stated, never more. And it is
        # about all that an intruder knows: an untreated quasi-identifier breaks it. Whatever
        # else is released is checked by the release gate.
        whole = bool(data.quasi_identifiers) and set(data.quasi_identifiers) <= set(treated)
        groups = replace(groups, detail={**groups.detail, **detail}, drawn=whole)
        groups = replace(groups, drawn_columns=frozenset(treated))
        least_size = int(groups.sizes.min())
        claims = (Claim("probabilistic-k-anonymity", float(least_size)),) if whole else ()
        clusters = "1 cluster" if groups.count == 1 else f"{groups.count} clusters"
        note = (
            f"{len(numbers)} continuous and {len(categories)} categorical columns are synthetic, "
            f"in {clusters} of at least {least_size} records"
        )
        return Masked(data.replace(columns), groups, claims, (note,))

    def _clusters(
        self, data: Microdata, numbers: Sequence[str], context: Context
    ) -> tuple[Groups, Mixture | None]:
        if not numbers:
            # Without continuous values all records are drawn from the same classes.
            return Groups(np.zeros(len(data), dtype=np.int64), self.k), None
        options = {name: getattr(self, name) for name in MixtureOptions.params()}
        return GaussianMixture(**options).clustered(data, numbers, context.within("partition"))

    @one_thread()
    def _synthesised(
        self,
        data: Microdata,
        numbers: Sequence[str],
        groups: Groups,
        mixture: Mixture | None,
        context: Context,
    ) -> tuple[list[Column], dict[str, Any]]:
        """Return the continuous columns, synthesised cluster by cluster (§4), and what was kept.

        The synthetic values take the place of the original ones in the only copy that is made.
        """
        if not numbers:
            return [], {}
        values = filled(data, numbers, groups)
        shown = [j for j in range(len(numbers)) if not np.isnan(values[:, j]).any()]
        before = cluster_moments([values[:, j] for j in shown], groups.labels)
        complete = values if len(shown) == len(numbers) else values[:, shown]
        normal = mixture is None or bool(np.isinf(mixture.freedom))
        higher = expected_change(complete, groups.labels, [numbers[j] for j in shown], normal)
        del complete
        part = context.within("replacement")
        if mixture is None or normal:
            put_synthetic(values, groups, part)
        else:
            put_synthetic(values, groups, part, partial(put_exact_student, freedom=mixture.freedom))
        columns = columns_from(data, numbers, values, whole=self.round)
        after = cluster_moments([columns[j].values for j in shown], groups.labels)
        kept: dict[str, Any] = {KEPT: f"{largest_difference(before, after):.1e}"}
        gaps = sum(int(data.column(name).missing.sum()) for name in numbers)
        if gaps:
            kept[FILLED] = gaps
        return columns, {**kept, **higher}

    def _drawn(
        self,
        data: Microdata,
        categories: Sequence[str],
        numbers: Sequence[str],
        synthetic: Sequence[Column],
        context: Context,
    ) -> tuple[list[Column], float]:
        """Return the nominal and ordinal columns, drawn given the synthetic values (§6)."""
        from discreet.models.latent_class import latent_classes

        part = context.within("categories")
        fitted = latent_classes(
            data,
            categories,
            data.matrix(numbers),
            self.k,
            self.classes,
            part,
            [_joined(entry, categories) for entry in self.together or ()],
        )
        made = np.column_stack([np.empty((len(data), 0)), *(c.values for c in synthetic)])
        return fitted.draw(made, part.generator("draw")), fitted.least_size


def _joined(entry: str, categories: Sequence[str]) -> list[str]:
    names = [entry] if entry in categories else [name.strip() for name in entry.split("+")]
    for name in names:
        if name not in categories:
            raise UsageError(
                f"together names '{name}', which is not a nominal or ordinal column that is "
                f"treated (these are: {', '.join(categories)})"
            )
    return names
