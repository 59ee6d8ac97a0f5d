"""HybridMicro: MDAV groups, each synthesised with exactly its mean and covariance matrix."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microaggregation.replacement.exact_moments import CONFIDENTIAL, ROUND, ExactMoments
from discreet.microdata import Kind, Microdata


class HybridMicro(Method):
    """Microaggregation with synthetic values in place of means.

    The partition MDAV with the replacement exact-moments. Means and covariances, of every group and
    of the file, are kept exactly. The smaller k is, the more the release resembles the original,
    including its higher moments and single records; with large k it approaches a normal
    distribution. The literature uses groups of tens to hundreds of records. Synthetic values are
    for continuous columns. The other columns of a record stay with it and may set it apart from the
    rest of its group; the paper synthesises all columns, the confidential ones too, and so does
    `confidential=True`.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 29, 40, 41, 48.0], "pay": [3, 1, 2, 8, 5, 7.0]},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> masked = HybridMicro(k=3).protect(data, Context())
    >>> ages = masked.data["age"][:3]
    >>> round(float(ages.mean()), 9), round(float(ages.var()), 9)
    (24.0, 12.666666667)
    >>> masked.claims
    (Claim(probabilistic-k-anonymity: 3 claimed),)
    """

    spec: ClassVar[Spec] = Spec(
        name="hybrid-micro",
        title="HybridMicro: MDAV and synthesis with exact moments",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §5; Domingo-Ferrer & "
        "González-Nicolás (2010)",
        missing="in distances a category of its own; synthesised as the replacement "
        "'exact-moments' says",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula=f"{ExactMoments.spec.formula} of MDAV,  n_g ≥ k",
        cost="as the partition mdav, and n·c² time for the synthesis",
    )

    k: int = param(
        default=20,
        help="minimum number of records in a group",
        at_least=3,
        trials=(10, 20, 30, 50, 100, 200),
        monotone=True,
    )
    round: bool = param(default=False, help=ROUND)
    confidential: bool = param(default=False, help=CONFIDENTIAL)
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values in the treated columns."""
        names = self.treated(data, self.columns, self.confidential)
        method = Microaggregation(MDAV(k=self.k), ExactMoments(round=self.round), names)
        return method.protect(data, context)
