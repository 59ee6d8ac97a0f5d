"""Differentially private synthesis: records drawn from noisy tables of counts."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    NO_ORIGIN,
    Context,
    Entries,
    Grain,
    Masked,
    Method,
    Spec,
    param,
)
from discreet.contracts.accounting import Neighbours, Spent
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Role
from discreet.models.column_tree import drawn_records, tree_of
from discreet.models.declared_domain import Domain, declared_domains
from discreet.models.noisy_tables import Tables, counts_of
from discreet.models.private_noise import Noise
from discreet.models.raked_records import raked_weights, sampled
from discreet.models.sequential.assembly import modelled, of_synthetic_records

MOST_CELLS = 3_000_000
"""Cells of all tables together; noise is drawn for each of them."""
MOST_DEVIATION = 10_000
"""If the noise on a count has a larger standard deviation, no number of records is estimated."""
POOL, MOST_POOL = 10, 300_000
"""Records drawn from the tree for each one that is released, and how many at most in all."""
EPSILON = (
    "what a release may reveal of a record: the chance of any outcome changes by a factor of e^ε "
    "at most; 1 is usual, 0.1 strict, 10 says little"
)
UNSEEDED = (
    "the noise is OpenDP's, from the operating system: noise that could be drawn again from a "
    "stored seed would be subtracted by anyone who finds the seed"
)
"""Why the same seed gives other noise."""


class DPSynthesis(Method):
    """Draws records from the one-way and two-way tables of the file, after noise on every count.

    All columns are counted in the cells of their declared domains, alone and in pairs. OpenDP adds
    noise to the counts: discrete Laplace if δ is 0, otherwise discrete Gaussian. Everything
    after that sees only the noisy counts: they are made into tables that agree, the columns into a
    tree in which neighbours say most about each other, many records are drawn along the tree, and
    of these a sample is taken that has all two-way tables as nearly as it can. A number is drawn
    uniformly within its bin. What three columns say only together is lost, and so is what happens
    within a bin.

    Domains are stated in the plan, never read off the data. If `size_is_public`, neighbouring files
    differ in the values of one record; otherwise one of them has one more record, and the number of
    synthetic records is estimated from the noisy counts. Identifiers, and the numbers of households
    and persons, come out empty.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m", "m"] * 60, "age": list(range(20, 80)) * 3},
    ...                      roles={"sex": "quasi-identifier", "age": "quasi-identifier"})
    >>> made = DPSynthesis(epsilon=2, size_is_public=True, domains={
    ...     "sex": ["f", "m"], "age": {"low": 0, "high": 120, "bins": 6, "whole": True}})
    >>> release = discreet.protect(data, made)
    >>> release.claims
    (Claim(differential-privacy: 2 claimed, 2 measured),)
    >>> len(release.data)
    180
    """

    spec: ClassVar[Spec] = Spec(
        name="dp-synthesis",
        title="Differentially private synthesis from noisy tables",
        citation="Dwork & Roth, The algorithmic foundations of differential privacy (2014), §3; "
        "McKenna, Miklau & Sheldon, Winning the NIST contest (2021); Chow & Liu, Approximating "
        "discrete probability distributions with dependence trees (1968); Canonne, Kamath & "
        "Steinke, The discrete Gaussian for differential privacy (2020)",
        missing="a category of its own where the declared domain allows it, and drawn like any "
        "other; elsewhere a file with missing values is refused",
        random=True,
        guarantees=("differential-privacy",),
        treats=tuple(
            role for role in Role if role not in (Role.IDENTIFIER, Role.HOUSEHOLD, Role.PERSON)
        ),
        formula="ñ = n + noise for all T = c + c(c − 1)/2 one-way and two-way tables\n"
        "noise: discrete Laplace of scale sT/ε, or discrete Gaussian of variance sT/(2ρ) with ρ "
        "from (ε, δ);  s = 2 if the number of records is public, otherwise 1\n"
        "P(x) = P(x_r) Π P(x_j | x_parent(j)),  the tree of greatest mutual information, then "
        "raked to all two-way tables",
        cost="n·c² time for the counts, and noise for each cell of all pairs of columns",
        whole_because="since it counts all pairs of columns before it draws anything",
        unseeded=UNSEEDED,
        library="opendp",
        nearest="gaussian-copula",
    )

    epsilon: float = param(help=EPSILON, above=0)
    delta: float = param(
        default=0.0,
        help="the chance that ε does not hold, far below one in the number of records, such as "
        "1e-6; with 0 the noise is Laplace, otherwise Gaussian, which is less for many tables",
        at_least=0,
        below=1,
    )
    domains: Entries = param(
        default=None,
        help="the values that each column can have: categories, or bins of numbers; from a code "
        "book, never from the data",
        public=True,
    )
    size_is_public: bool = param(
        default=False,
        help="the number of records is no secret and is released; otherwise noise hides it",
    )
    records: int | None = param(
        default=None,
        help="number of synthetic records; as many as in the file, or as estimated, if not given",
        at_least=1,
    )

    @classmethod
    def example(cls) -> DPSynthesis:
        """Return a synthesis with the domains of the tables that methods are checked on."""
        grades, some = ["low", "middle", "high"], {"missing": True}
        return cls(
            epsilon=1.0,
            size_is_public=True,
            domains={
                "height": {"low": 140, "high": 200, "bins": 6, **some},
                "income": {"low": 0, "high": 20_000, "bins": 8, "whole": True, **some},
                "rent": {"low": 0, "high": 2_000, "bins": 5},
                "weight": {"low": 1, "high": 9, "bins": 4},
                "grade": {"categories": grades, **some},
                "heating": grades,
                "town": {"categories": ["Ayle", "Bron", "Cull", "Dorn"], **some},
                "region": ["north", "south", "west"],
                "diagnosis": ["a", "b", "c"],
                "remark": [f"r{i}" for i in range(7)],
                "stratum": ["n", "s"],
            },
        )

    @property
    def grain(self) -> Grain:
        """All records are new ones."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return synthetic records, and what they spend of the privacy of an original."""
        names = self.treated(data, modelled(data))
        if not len(data):
            raise DataError("DPSynthesis counts records, but the data have none")
        domains = declared_domains(self.domains, names, type(self).__name__)
        sizes = [domain.cells for domain in domains]
        self._require_known_size(len(domains))
        tables, noise = self._noisy(data, domains, sizes)
        tree = tree_of(tables)
        if self.records is not None:
            rows = self.records
        else:
            rows = len(data) if self.size_is_public else max(1, round(tables.total))
        rng = context.generator("records")
        pool = drawn_records(tables, tree, max(rows, min(POOL * rows, MOST_POOL)), rng)
        taken = sampled([pool[j] for j, _ in tree], raked_weights(pool, tables), rows, rng)
        cells = [column[taken] for column in pool]
        within = context.generator("values within bins")
        columns = [
            domain.values_of(drawn, data.column(domain.name), within)
            for domain, drawn in zip(domains, cells, strict=True)
        ]
        note = (
            f"noise with a standard deviation of {noise.deviation:.3g} on each count of "
            f"{_tables(len(names))} tables; the seed does not reproduce it"
        )
        return Masked(
            of_synthetic_records(data, columns, rows),
            notes=(note,),
            origin=np.full(rows, NO_ORIGIN),
            spent=Spent(
                self.epsilon,
                self.delta,
                Neighbours.CHANGE if self.size_is_public else Neighbours.PRESENCE,
                # Columns that were not drawn came out empty.
                frozenset(data.schema.names),
            ),
        )

    def _noisy(
        self, data: Microdata, domains: list[Domain], sizes: list[int]
    ) -> tuple[Tables, Noise]:
        """Return the tables as they follow from noisy counts; this alone reads the data."""
        total = sum(sizes)
        pairs = (total * total - sum(size * size for size in sizes)) // 2
        if total + pairs > MOST_CELLS:
            largest = max(domains, key=lambda domain: domain.cells)
            raise UsageError(
                f"the tables of all pairs of columns would have {total + pairs:,} cells, more than "
                f"{MOST_CELLS:,}; declare fewer categories or bins, first for '{largest.name}'"
            )
        counts = counts_of([domain.cells_of(data) for domain in domains], sizes)
        noise = self.noise(len(domains))
        known = float(len(data)) if self.size_is_public else None
        noisy = noise.added_to(counts)
        return Tables.fitted(noisy, sizes, known, noise.deviation), noise

    def _require_known_size(self, columns: int) -> None:
        """Refuse to estimate a number of records from counts that are mostly noise.

        The rule depends on the noise alone: one that depended on the data would reveal something.
        """
        deviation = self.noise(columns).deviation
        if self.size_is_public or self.records is not None or deviation <= MOST_DEVIATION:
            return
        raise UsageError(
            f"the number of records is estimated from the counts, but epsilon {self.epsilon:g} "
            f"puts noise with a standard deviation of {deviation:.3g} on each of them, more than "
            f"{MOST_DEVIATION:,}; state the number with records, raise epsilon, or set "
            "size_is_public if the number is no secret"
        )

    def noise(self, columns: int) -> Noise:
        """Return the noise for the tables of this many columns.

        A record is in one cell of every table. If it changes, one count falls and another rises; if
        it is added, one count rises.
        """
        moved = _tables(columns) * (2 if self.size_is_public else 1)
        return Noise.for_budget(moved, moved, self.epsilon, self.delta)


def _tables(columns: int) -> int:
    return columns + columns * (columns - 1) // 2
