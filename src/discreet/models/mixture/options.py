"""The parameters of clustering by a mixture, for the partition and for local synthesis."""

from __future__ import annotations

from discreet.contracts import Component, param
from discreet.models.mixture.choosing import STARTS
from discreet.models.mixture.families import FAMILIES, SETS


class MixtureOptions(Component):
    """The parameters of a mixture and of its fit.

    >>> [name for name in MixtureOptions.params()]
    ['k', 'clusters', 'most_clusters', 'families', 'tails', 'start', 'variance', 'sample']
    """

    k: int = param(
        default=20,
        help="minimum number of records in a cluster: a record can be linked with a probability of "
        "at most 1/k",
        at_least=3,
        trials=(10, 20, 50, 100, 200),
        monotone=True,
    )
    clusters: int | None = param(
        default=None,
        help="number of clusters to fit, lowered where k does not allow as many; chosen by BIC "
        "from 2 to most_clusters if not given",
        at_least=1,
    )
    most_clusters: int = param(
        default=10, help="largest number of clusters that BIC chooses from", at_least=1
    )
    families: str = param(
        default="all",
        help="covariances of the clusters that BIC chooses from: one family by its letters for "
        "volume, shape and orientation (E equal, V varying, I none), or a set of them; "
        "spherical and diagonal ones are faster with many columns",
        choices=(*SETS, *FAMILIES),
    )
    tails: str = param(
        default="normal",
        help="distribution of the clusters: normal, or t (student), whose long tails take in "
        "outliers; its degrees of freedom are estimated",
        choices=("normal", "student"),
    )
    start: str = param(
        default="agglomerative",
        help="where EM starts: from model-based agglomerative clustering as in mclust, in the "
        "columns' own units and on principal axes (with a single column, from its quantiles, as "
        "mclust), from k-means, from both, or from every start "
        "there is; the best result is taken (of the second start and further ones only the most "
        "promising models are fitted, unless it is every start)",
        choices=STARTS,
    )
    variance: float = param(
        default=1.0,
        help="below 1, cluster by as many principal components as have this share of the variance "
        "of the standardised columns; all columns are synthesised either way",
        above=0,
        at_most=1,
    )
    sample: int = param(
        default=10_000,
        help="number of records, drawn at random, that the mixture is fitted to in a larger file; "
        "every record is then put into its most probable cluster",
        at_least=100,
    )
