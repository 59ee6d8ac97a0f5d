"""Targeted record swapping: the areas of households at risk are exchanged with similar ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import UsageError
from discreet.methods.perturbative.targeted_record_swapping.exchange import Exchange
from discreet.methods.perturbative.targeted_record_swapping.pairing import Labels, ranks_within
from discreet.microdata import Microdata, Role, unknown_column
from discreet.microdata.clusters import Clusters, households_of
from discreet.microdata.equivalence import classes
from discreet.microdata.signatures import signatures

SIZE = "size"
ALL_TOGETHER = (
    "all quasi-identifiers were exchanged together, so that people can still be found by them, in "
    "somebody else's record; name only the areas in 'columns'"
)
ABOUT_PEOPLE = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, Role.OTHER)


class TargetedRecordSwapping(Method):
    """Exchanges the areas of unusual households with those of similar households elsewhere.

    A household is at risk in an area if fewer than `k` households there have a member like one of
    its own, by the columns `risk`. From the largest areas to the smallest, each household at risk
    changes places with one of another area. Then more households are drawn, with chances in
    proportion to their risk, until the share `rate` of each smallest area has been exchanged.

    Only households of the same size are exchanged, each of them once, and only if they agree in a
    profile of `similar`. So every area keeps its numbers of households and of persons, and its
    counts by the columns that all profiles share. Everything but the areas stays with the
    household; anyone who finds a rare household in a small area cannot be sure that it lives there.
    Without a column of the role household each record is a household. If every column were
    exchanged, whole households would change places in the file and nothing would be protected: that
    is refused.

    >>> import discreet
    >>> data = discreet.read({"home": [1, 1, 2, 2, 3], "town": ["a", "a", "b", "b", "b"],
    ...                       "job": ["king", "cook", "cook", "cook", "cook"]},
    ...                      roles={"home": "household", "quasi-identifier": ["town", "job"]})
    >>> method = TargetedRecordSwapping(columns=["town"], k=2, rate=0)
    >>> method.protect(data, Context()).data.frame()["town"].to_pylist()
    ['b', 'b', 'a', 'a', 'b']
    """

    spec: ClassVar[Spec] = Spec(
        name="targeted-record-swapping",
        title="Targeted record swapping",
        citation="Young, Daniels & Shlomo; Shlomo, Tudor & Groom (2010), Data swapping for "
        "protecting census tables; recordSwap of sdcMicro",
        missing="a household without an area stays; elsewhere a missing value is a category of its "
        "own",
        random=True,
        formula="h is at risk in area a if min over its members i of\n"
        "  #{households of a with a member like i in the columns of risk} < k;\n"
        "areas(h) ↔ areas(g) for pairs with size(h) = size(g), profile(h) = profile(g), "
        "area(h) ≠ area(g)",
        cost="n·log n time for each level, each profile and each round of pairing (about ten); "
        "memory n",
        anew="which records are at risk, and with whom they are exchanged",
        nearest="rank-swapping",
    )

    rate: float = param(
        default=0.05,
        help="share of the households, from 0 to 1, that change places in each smallest area: 0.05 "
        "is one in twenty; more where more are at risk or needed as partners",
        at_least=0,
        at_most=1,
        trials=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0),
        monotone=True,
    )
    k: int = param(
        default=3,
        help="a household is at risk in an area if fewer than this many households there have a "
        "member like one of its own; 1 puts nobody at risk",
        at_least=1,
    )
    risk: Columns = param(
        default=None,
        help="the columns by which members are distinguished; all quasi-identifiers that are not "
        "exchanged if not given",
    )
    similar: Columns = param(
        default=None,
        help="what two households must have in common besides their size, as columns joined by +, "
        "such as tenure+rooms; in columns of persons, the members together; of several such "
        "profiles the next is tried for those that found no partner; 'size' asks for nothing else",
    )
    carry_along: Columns = param(
        default=None,
        help="other columns that are exchanged with the areas, such as a postcode or coordinates",
    )
    columns: Columns = param(
        default=None,
        help="the areas to exchange, the largest first, such as region, district; "
        "all quasi-identifiers if not given",
    )

    @property
    def grain(self) -> Grain:
        """Households are treated whole, and seen with all their members."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the areas of households exchanged."""
        areas = self.treated(data, self.columns)
        carried = self._known(data, self.carry_along, "carry_along")
        profiles = self._profiles(data)
        moved = tuple(dict.fromkeys((*areas, *carried)))
        self._refuse_whole(data, moved)
        left = tuple(name for name in data.quasi_identifiers if name not in moved)
        risk = left if self.risk is None else self._known(data, self.risk, "risk")
        homes = households_of(data) or Clusters(np.arange(len(data)))
        exchange = self._exchange(data, homes, areas, risk, profiles, context)
        exchange.those_at_risk(self.k)
        exchange.up_to_the_rate()
        rows = _rows_of_partners(homes, exchange.partner)
        masked = data.replace(data.column(n).with_values(data[n][rows]) for n in moved)
        notes = tuple(self._notes(exchange, moved))
        if not left and len(data.quasi_identifiers) > 1:
            notes = (*notes, ALL_TOGETHER)
        return Masked(masked, notes=notes)

    def _refuse_whole(self, data: Microdata, moved: Sequence[str]) -> None:
        """Refuse to exchange all that the file says about people: nothing would be protected."""
        if set(data.having(*ABOUT_PEOPLE)) <= set(moved):
            listed = ", ".join(f"'{name}'" for name in moved)
            raise UsageError(
                "targeted record swapping exchanges areas and leaves the rest with the household, "
                f"but no column would be left beside {listed}, so that whole households would "
                "change places in the file and nothing would be protected; name only the areas in "
                "'columns', and what follows from them in 'carry_along'"
            )

    def _exchange(
        self,
        data: Microdata,
        homes: Clusters,
        areas: Sequence[str],
        risk: Sequence[str],
        profiles: Sequence[Sequence[str]],
        context: Context,
    ) -> Exchange:
        generator = context.generator("swap households")
        heads = data.take(homes.first)
        levels = [areas[: level + 1] for level in range(len(areas))]
        labels = [classes(heads, names) for names in levels]
        placed = ~np.any([heads.column(name).missing for name in areas], axis=0)
        households = np.bincount(labels[-1][placed], minlength=int(labels[-1].max(initial=-1)) + 1)
        return Exchange(
            areas=labels,
            like=[
                households_alike(label[homes.labels], classes(data, risk), homes)
                for label in labels
            ],
            profiles=[signatures(data, homes, names) for names in profiles],
            quota=np.floor(self.rate * households + generator.random(len(households))).astype(
                np.int64
            ),
            taking_part=placed,
            generator=generator,
        )

    def _profiles(self, data: Microdata) -> list[tuple[str, ...]]:
        """The columns of each profile; none where only the size matters."""
        profiles: list[tuple[str, ...]] = []
        for entry in self.similar or (SIZE,):
            # A column may have a plus in its name.
            names = [entry] if entry in data.schema else [n.strip() for n in entry.split("+")]
            if names == [SIZE] and SIZE not in data.schema:
                names = []
            profiles.append(self._known(data, names, "similar"))
        return profiles

    def _known(
        self, data: Microdata, names: Sequence[str] | None, parameter: str
    ) -> tuple[str, ...]:
        for name in names or ():
            if name not in data.schema:
                asked = f"parameter '{parameter}' of {type(self).__name__}"
                raise UsageError(unknown_column(name, data.schema.names, asked_by=asked))
        return tuple(names or ())

    def _notes(self, exchange: Exchange, moved: Sequence[str]) -> list[str]:
        listed = ", ".join(f"'{name}'" for name in moved)
        swapped, at_risk = exchange.partner >= 0, exchange.like[-1] < self.k
        at_risk &= exchange.taking_part
        done = (
            f"{swapped.sum():,} of {len(swapped):,} households exchanged {listed} with a household "
            f"of the same size elsewhere; {at_risk.sum():,} were at risk (k = {self.k})"
        )
        notes = [done]
        alone = int((at_risk & ~swapped).sum())
        if alone:
            notes.append(
                f"{alone:,} households at risk have no partner of their size and profile and stay "
                "where they are; add a coarser profile to 'similar' or recode columns of 'risk'"
            )
        short = exchange.open
        if (short > 1).any():
            notes.append(
                f"in {(short > 1).sum():,} of {len(short):,} areas fewer households than the rate "
                f"asks for found a partner ({short[short > 1].sum():,} too few)"
            )
        return notes


def households_alike(areas: Labels, members: Labels, homes: Clusters) -> Labels:
    """Return for each household how many of its area have a member like its rarest one.

    `areas` and `members` are labels of the records: where they live, and what they are like.

    >>> home = Clusters(np.array([0, 0, 1, 2]))
    >>> households_alike(np.zeros(4, dtype=int), np.array([7, 7, 8, 8]), home).tolist()
    [1, 2, 2]
    """
    if not len(areas):
        return areas
    kinds = areas * (int(members.max()) + 1) + members
    _, kinds = np.unique(kinds, return_inverse=True)
    count = len(homes.sizes)
    # A household counts once, however many of its members are of a kind.
    once = np.unique(kinds * count + homes.labels)
    counts = np.bincount(once // count)[kinds]
    starts = np.cumsum(homes.sizes) - homes.sizes
    return np.asarray(np.minimum.reduceat(counts[homes.order], starts))


def _rows_of_partners(homes: Clusters, partner: Labels) -> NDArray[np.int64]:
    """Return for each record the one in its place in the partner's household, or itself."""
    count = len(partner)
    donor = np.where(partner < 0, np.arange(count), partner)
    starts = np.cumsum(homes.sizes) - homes.sizes
    return np.asarray(homes.order[starts[donor[homes.labels]] + ranks_within(homes.labels)])
