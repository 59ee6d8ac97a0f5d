"""Local suppression: single cells are suppressed where records would be unique."""

from __future__ import annotations

from collections.abc import Sized
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.contracts.named_entries import numbers
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import UsageError
from discreet.methods.nonperturbative.cells_of_file import cells_of_file
from discreet.methods.nonperturbative.cells_to_suppress import (
    Suppressed,
    cells_of_alike,
    suppressed,
)
from discreet.methods.nonperturbative.full_domain.claims import claims_about, proven
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.recode_until import recoded_until
from discreet.methods.nonperturbative.given_back_cells import given_back
from discreet.methods.nonperturbative.global_recoding import GlobalRecoding
from discreet.microdata import MISSING_CODE, Kind, Microdata
from discreet.microdata.equivalence import class_sizes
from discreet.microdata.labels import KnownLabels


class LocalSuppression(Method):
    """Suppresses as few cells as it can find that make the treated columns k-anonymous.

    A suppressed cell is missing in the release. By default it is a category of its own: k records
    have the same values and the same gaps, which holds against any reader. With
    `missing_matches="anything"` a gap may stand for any value; that needs fewer cells, but holds
    only against readers who read it that way. The release gate measures the default reading, so no
    k-anonymity is claimed then, and a note says what holds. A note also says how few cells any
    choice needs, as far as that is proved.

    With `subsets=m`, every m of the columns are made k-anonymous by themselves, not all together,
    for a reader who knows only m of them.

    With `recode_until`, columns are first recoded by hierarchies, given or made from the values:
    to the levels that lose least among those at which at most that share of the cells is then
    suppressed.

    >>> import discreet
    >>> data = discreet.read({"sex": list("ffmm"), "town": ["Ayle", "Ayle", "Bron", "Cull"]},
    ...                      roles={"sex": "quasi-identifier", "town": "quasi-identifier"})
    >>> masked = LocalSuppression(k=2).protect(data, Context())
    >>> masked.data["town"], masked.data["sex"]
    (array([ 0,  0, -1, -1], dtype=int32), array([0, 0, 1, 1], dtype=int32))
    """

    spec: ClassVar[Spec] = Spec(
        name="local-suppression",
        title="Local suppression",
        citation="Domingo-Ferrer, A survey of inference control methods, §3, local suppression; "
        "Meyerson & Williams (2004), on the complexity of optimal k-anonymity",
        missing="a category of its own, the same as a suppressed value; with "
        "missing_matches=anything it matches every value",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        guarantees=("k-anonymity",),
        formula="fewest suppressed cells with #{j : j has the values and gaps of i} ≥ k for all i",
        cost="n·log n time for each set of columns that can be suppressed, and a search of 2,000 "
        "steps for each record that needs it, 300,000 at most; memory the number of different "
        "records for each set",
        needs=Needs.COUNTS,
        nearest="global-recoding",
    )

    k: int = param(
        default=5,
        help="minimum number of records that share the values left to them",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    missing_matches: str = param(
        default="nothing",
        help="what a suppressed or missing value is taken to match: nothing but another missing "
        "one (safe), or anything (fewer cells, but an intruder may know better)",
        choices=("nothing", "anything"),
    )
    importance: Entries = param(
        default=None,
        public=True,
        help="the cost of suppressing a cell: column and number, 1 where none is given; a column "
        "with 2 loses a cell only where it saves two of others",
    )
    subsets: int | None = param(
        default=None,
        help="the number of columns that a reader knows: every choice of this many columns is made "
        "k-anonymous, instead of all columns together",
        at_least=1,
    )
    recode_until: float | None = param(
        default=None,
        help="recode first, until at most this share of the cells has to be suppressed, as a "
        "fraction: 0.01 is 1 % of the cells of the treated columns",
        at_least=0,
        at_most=1,
    )
    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files for recode_until, each written as column=path",
    )
    steps: int | None = param(
        default=None,
        help="how many steps the search for fewer cells takes after its first result: more take "
        "longer and may save some; 2000 per record with suppressed cells, at most 300,000, if "
        "not given",
        at_least=0,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return the meaning of the labels that columns are recoded to."""
        if self.recode_until is None:
            return {}
        names = self.treated(data, self.columns)
        given = Given(data, names, type(self).__name__, self.hierarchies)
        return {name: given.levels(name).known for name in names}

    @property
    def anew(self) -> str:
        """Levels become a step of their own; which cells are suppressed follows from a file."""
        cells = "which cells are suppressed"
        return cells if self.recode_until is None else f"levels, and {cells}"

    @property
    def needs(self) -> Needs:
        """Counts of combinations, in the plain form of the method."""
        plain = self.missing_matches == "nothing" and self.subsets is None
        return Needs.COUNTS if plain and self.recode_until is None else Needs.FILE

    @property
    def whole_because(self) -> str:
        """Each of the other forms has its own reason."""
        if self.recode_until is not None:
            return (
                "since levels are tried until few cells are left to suppress (recode in an "
                "earlier step, without recode_until)"
            )
        if self.subsets is not None:
            return "since every choice of columns is made k-anonymous in turn"
        return "since a gap that may stand for anything is compared with all other records"

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Choose the cells to suppress by the combinations of values and how often each occurs."""
        names = self.treated(file.head, self.columns)
        cost = np.array([*self._costs(file, names).values()])
        suppressor = cells_of_file(file, names, self.k, cost, self.steps, context)
        suppression = Suppressed(suppressor.cells, suppressor.cost, suppressor.least)
        return Fitted(
            names,
            suppressor,
            claims=claims_about(file.head, names, self.k),
            notes=(_counted(names, suppression, self.missing_matches),),
            alike=names,
            least_size=self.k,
        )

    def _costs(self, records: Sized, names: tuple[str, ...]) -> dict[str, float]:
        """Return the cost of a cell of each column; parameters that do not fit are refused."""
        owner = type(self).__name__
        require_records(records, self.k, owner)
        if self.subsets is not None and self.subsets > len(names):
            raise UsageError(
                f"subsets of {owner} must be at most the {len(names)} treated columns, but "
                f"{self.subsets} was given"
            )
        if self.hierarchies is not None and self.recode_until is None:
            raise UsageError(
                f"{owner} uses hierarchies to recode before it suppresses; use recode_until to say "
                "how many cells may then be suppressed, or use global-recoding"
            )
        given = numbers(self.importance, names, "importance", owner)
        return {**dict.fromkeys(names, 1.0), **given}

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with suppressed cells."""
        names = self.treated(data, self.columns)
        cost = self._costs(data, names)
        notes: tuple[str, ...] = ()
        chosen: tuple[Method, ...] = ()
        if self.recode_until is not None:
            data, note, levels = recoded_until(
                data,
                names,
                self.k,
                self.recode_until,
                self.subsets or len(names),
                lambda table, part: self._cells(table, names, cost, 0, part).cells,
                self.hierarchies,
                type(self).__name__,
                context,
            )
            notes = (note,)
            recoding = GlobalRecoding(k=None, hierarchies=self.hierarchies, columns=names, **levels)
            alone = {"columns": names, "recode_until": None, "hierarchies": None}
            chosen = (recoding, type(self)(**{**self.values(), **alone}))
        suppression = self._cells(data, names, cost, self.steps, context)
        table = data.replace(
            data.column(name).with_values(np.where(cells, MISSING_CODE, data[name]))
            for name, cells in zip(names, suppression.cells.T, strict=True)
        )
        notes += (_counted(names, suppression, self.missing_matches), *self._reading(names))
        if self.missing_matches == "anything" or self.subsets not in (None, len(names)):
            return Masked(table, notes=notes, chosen=chosen)
        groups, claims = proven(table, names, self.k)
        return Masked(table, groups, claims, notes, chosen=chosen)

    def _cells(
        self,
        data: Microdata,
        names: tuple[str, ...],
        cost: dict[str, float],
        steps: int | None,
        context: Context,
    ) -> Suppressed:
        """Return the cells to suppress, for all columns or for every choice of some.

        Cells that make all columns together k-anonymous also do so for every choice of columns.
        That may take fewer cells than going from choice to choice, or more: in both results as
        many cells as possible are restored, and the cheaper one is returned.
        """
        costs = np.array([cost[name] for name in names])
        together = suppressed(
            data, names, self.k, costs.tolist(), self.missing_matches, steps, context, self.subsets
        )
        if self.subsets in (None, len(names)) or self.missing_matches == "anything":
            return together
        choices = list(combinations(range(len(names)), self.subsets or 1))
        codes = np.column_stack([data[name] for name in names]).astype(np.int64)
        by_choice = self._by_choices(data, names, costs, steps, context, choices)
        ways = [given_back(codes, c, choices, self.k, costs) for c in (together.cells, by_choice)]
        spent = [float(cells.sum(axis=0) @ costs) for cells in ways]
        best = int(np.argmin(spent))
        return Suppressed(ways[best], spent[best], together.least)

    def _by_choices(
        self,
        data: Microdata,
        names: tuple[str, ...],
        costs: NDArray[np.float64],
        steps: int | None,
        context: Context,
        choices: list[tuple[int, ...]],
    ) -> NDArray[np.bool_]:
        """Return the cells for one choice of columns after another.

        A cell that is suppressed for one choice of columns can set apart records in another, so
        the choices are repeated until nothing is left to do; cells are only ever added, so this
        terminates.
        """
        cells = np.zeros((len(data), len(names)), dtype=bool)
        changed = True
        while changed:
            changed = False
            for chosen in choices:
                part = [names[j] for j in chosen]
                if class_sizes(data, part).min() >= self.k:
                    continue
                changed = True
                more = cells_of_alike(data, part, self.k, costs[list(chosen)], steps, context)
                cells[:, chosen] |= more
                data = data.replace(
                    data.column(n).with_values(np.where(gone, MISSING_CODE, data[n]))
                    for n, gone in zip(part, more.T, strict=True)
                )
        return cells

    def _reading(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What holds, where it is not the k-anonymity that the release gate measures."""
        notes = []
        if self.subsets is not None and self.subsets < len(names):
            notes.append(
                f"every {self.subsets} of the {len(names)} columns are {self.k}-anonymous; all of "
                "them together need not be, and it is not claimed"
            )
        if self.missing_matches == "anything":
            notes.append(
                f"each record has {self.k} that agree with it if a missing value may stand for any "
                "value; a reader who takes it for a category of its own may find fewer, so no "
                "k-anonymity is claimed"
            )
        return tuple(notes)


def _counted(names: tuple[str, ...], suppression: Suppressed, matches: str) -> str:
    per_column = suppression.cells.sum(axis=0)
    listed = ", ".join(f"{name} {n}" for name, n in zip(names, per_column.tolist(), strict=True))
    if matches == "anything" and suppression.cost < suppression.least - 1e-9:
        proof = (
            "counting the gaps of other records; without counting on them no choice costs less "
            f"than {suppression.least:g}"
        )
        return f"{int(per_column.sum())} cells suppressed ({listed}), {proof}"
    fewest = "the fewest possible"
    if matches == "anything" and per_column.any():
        fewest += " without counting on the gaps of other records"
    proof = (
        fewest
        if suppression.cost <= suppression.least + 1e-9
        else f"at cost {suppression.cost:g}, where no choice costs less than {suppression.least:g}"
    )
    return f"{int(per_column.sum())} cells suppressed ({listed}), {proof}"
