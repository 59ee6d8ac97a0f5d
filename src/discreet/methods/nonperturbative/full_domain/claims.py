"""What a recoding guarantees about its release."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.contracts import Claim, Groups
from discreet.microdata import Microdata
from discreet.microdata.equivalence import classes


def proven(
    table: Microdata,
    names: Sequence[str],
    k: int,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
) -> tuple[Groups, tuple[Claim, ...]]:
    """Return the classes of the treated columns, and the claims about all quasi-identifiers.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"]}, roles={"sex": "quasi-identifier"})
    >>> proven(data, ["sex"], 2)[1]
    (Claim(k-anonymity: 2 claimed),)
    """
    return Groups(classes(table, names), least_size=k), claims_about(table, names, k, l, t)


def claims_about(
    table: Microdata,
    names: Sequence[str],
    k: int,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
) -> tuple[Claim, ...]:
    """Return the claims about all quasi-identifiers; none if other columns were treated.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m"], "age": [31, 47]},
    ...                      roles={"quasi-identifier": ["sex", "age"]})
    >>> claims_about(data, ["sex"], 2), claims_about(data, ["sex", "age"], 2)
    ((), (Claim(k-anonymity: 2 claimed),))
    """
    bounds = {"k-anonymity": k, "l-diversity": l, "t-closeness": t}
    claims = tuple(Claim(m, float(bound)) for m, bound in bounds.items() if bound is not None)
    known = table.quasi_identifiers
    return claims if known and set(known) <= set(names) else ()
