"""Global recoding: every value of a column is made less precise, in the same way everywhere."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Context,
    Entries,
    Fitted,
    Grain,
    Masked,
    Needs,
    PassedOver,
    Passes,
    Spec,
    param,
)
from discreet.contracts.named_entries import named
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import TooFewRecords, UsageError
from discreet.methods.nonperturbative.full_domain.best_recoding import Recoding, best_recoding
from discreet.methods.nonperturbative.full_domain.chosen import TOP_LEVEL, chosen_levels
from discreet.methods.nonperturbative.full_domain.claims import claims_about, proven
from discreet.methods.nonperturbative.full_domain.conditions import Conditions
from discreet.methods.nonperturbative.full_domain.decided import DecidedRecoding
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels
from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import (
    Lattice,
    lattice_around,
)
from discreet.methods.nonperturbative.full_domain.nodes_below import nodes_below
from discreet.methods.nonperturbative.full_domain.options import RecodingMethod
from discreet.microdata import Microdata, Role


class GlobalRecoding(RecodingMethod):
    """Recodes columns to levels of their hierarchies: the best ones for a k, or those given.

    Each column has levels: 0 is the column as it is, 1 and up are coarser, the last is `*` for
    all. They come from hierarchy files (as ARX writes them), intervals, widths or mappings; a
    column without any of these gets levels made from its values: intervals twice as wide at every
    level, months and years of dates, neighbouring ordinal categories joined, codes cut from the
    right, rare nominal categories joined.

    With a `k`, all combinations of levels are searched for the one that loses least among those
    that are k-anonymous, with at most a share of the records suppressed; `l` and `t` add
    conditions on the confidential columns. What is lost is the mean over the cells of the treated
    columns: the share of the column's other values that a cell can no longer be distinguished
    from, 0 for a value itself, 1 for `*`; every cell of a suppressed record counts 1. The result is
    optimal: nodes are skipped only if they cannot be better. A suppressed record stays in the file
    with all treated columns missing, and the suppressed records together meet the conditions too;
    if they are too few for that, the smallest classes are suppressed with them, within the
    allowance.

    Without a `k`, columns for which intervals, widths, mappings or hierarchies are given are
    recoded to level 1, those in `levels` to that level, and others stay as they are.

    >>> import discreet
    >>> data = discreet.read({"age": [17, 24, 38, 70], "status": ["widowed", "single"] * 2},
    ...                      roles={"age": "quasi-identifier", "status": "quasi-identifier"})
    >>> method = GlobalRecoding(k=None, intervals={"age": [18, 65]},
    ...                         mappings={"status": {"alone": ["widowed", "single"]}})
    >>> recoded = method.protect(data, Context()).data
    >>> recoded.schema["age"].categories, recoded.schema["status"].categories
    (('below 18', '18–64', '65 and above'), ('alone',))
    """

    spec: ClassVar[Spec] = Spec(
        name="global-recoding",
        title="Global recoding",
        citation="Domingo-Ferrer, A survey of inference control methods, §3, global recoding; "
        "Samarati & Sweeney (1998); loss of Iyengar (2002); search as in Kohlmayer et al. (2012)",
        missing="a category of its own, which stays missing below the top level; at the top level "
        "it gets the label that all records share",
        guarantees=("k-anonymity",),
        formula="loss = mean over the cells of (values that the label covers − 1)/(values of the "
        "column − 1)",
        cost="n·c time for each combination of levels that is examined, whose number multiplies "
        "with every column; memory n·c",
        needs=Needs.COUNTS,
    )

    k: int | None = param(
        default=5,
        help="minimum number of records that share their recoded values, reached by the least "
        "loss; without a k, columns are recoded as specified, with no search",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    suppression: float = param(
        default=0.0,
        help="the largest share of the records that may be suppressed, as a fraction: 0.05 is "
        "5 % of the records",
        at_least=0,
        at_most=1,
    )
    levels: Entries = param(
        default=None,
        public=True,
        help="the levels to which columns are recoded, whatever a search would choose: column "
        "and whole number, 0 leaves it as it is; or the word top, which makes all values one",
    )

    @property
    def grain(self) -> Grain:
        """Values are recoded alike; suppression is of single records."""
        return Grain.SUPPRESSION if self.suppression else Grain.VALUE

    @property
    def anew(self) -> str:
        """Levels may be stated for all columns; which records are suppressed may not."""
        if not (self.columns and set(self.columns) <= set(self.levels or {})):
            return "levels"
        return "which records are suppressed" if self.suppression else ""

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with recoded columns."""
        names = self.treated(data, self.columns)
        columns, node, recoding = self._decided(data, names, None, context)
        suppressed = None if recoding is None else recoding.suppressed
        table = data.replace(
            c.recoded(n, suppressed) for c, n in zip(columns.values(), node, strict=True)
        )
        chosen = (self._settled(data, columns, node),)
        if recoding is None or self.k is None:
            return Masked(table, notes=(_levels_note(names, node),), chosen=chosen)
        groups, claims = proven(table, names, self.k, self.l, self.t)
        notes = (_levels_note(names, node), _search_note(recoding, None))
        return Masked(table, groups, claims, notes, chosen=chosen)

    def lattice(self, data: Microdata, context: Context) -> Lattice:
        """Return the levels that are chosen for a table, and what other levels would cost.

        >>> import discreet
        >>> data = discreet.read({"age": [21, 22, 38, 39]}, roles={"age": "quasi-identifier"})
        >>> [(n.levels, n.meets) for n in GlobalRecoding(k=2).lattice(data, Context()).nodes]
        [((2,), True), ((0,), False), ((1,), False), ((3,), True), ((4,), True), ((5,), True)]
        """
        if self.k is None:
            raise UsageError("a recoding without a k has no neighbours; give a k")
        columns, node, _ = self._decided(data, self.treated(data, self.columns), None, context)
        conditions = Conditions(data, self.k, self.l, self.t, type(self).__name__)
        allowance = int(self.suppression * len(data) + 1e-9)
        return lattice_around(list(columns.values()), conditions, allowance, tuple(node))

    def _settled(
        self, data: Microdata, columns: dict[str, Levels], node: list[int]
    ) -> GlobalRecoding:
        """Return the method with the levels that were chosen, and no search.

        Where records may be suppressed, they are for the same conditions, within the same share.
        """
        names, owner = tuple(columns), type(self).__name__
        given = Given(
            data, names, owner, self.hierarchies, self.intervals, self.widths, self.mappings
        )
        levels = chosen_levels(given, columns, dict(zip(names, node, strict=True)))
        suppressing = {"k": self.k, "l": self.l, "t": self.t, "suppression": self.suppression}
        return GlobalRecoding(
            **suppressing if self.suppression else {"k": None},
            hierarchies=self.hierarchies,
            intervals=self.intervals,
            columns=names,
            **levels,
        )

    def passed_over(self, data: Microdata, context: Context) -> PassedOver | None:
        """Return the nodes below the chosen one that were rejected because of l-diversity alone.

        Where records may be suppressed, or t is asked for, more than one class may be the reason.
        """
        plain = self.t is None and not self.suppression and not self.by and self.in_blocks is None
        if self.k is None or self.l is None or not plain:
            return None
        names = self.treated(data, self.columns)
        columns, node, recoding = self._decided(data, names, None, context)
        if recoding is None or not recoding.proven:
            return None
        fixed = named(self.levels, names, "levels", type(self).__name__)
        return nodes_below(columns, node, fixed, self.k, self.l)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Decide on the combinations of values alone, each with its count."""
        names = self.treated(file.head, self.columns)
        asked = self.l is not None or self.t is not None
        confidential = file.head.having(Role.CONFIDENTIAL) if asked else ()
        table, times = file.combinations(tuple(dict.fromkeys((*names, *confidential))))
        columns, node, recoding = self._decided(table, names, times, context)
        if recoding is None or self.k is None:
            nobody = np.zeros(len(table), dtype=bool)
            treat = DecidedRecoding(list(columns.values()), node, nobody)
            return Fitted(names, treat, notes=(_levels_note(names, node),))
        treat = DecidedRecoding(list(columns.values()), node, recoding.suppressed)
        return Fitted(
            names,
            treat,
            claims=claims_about(file.head, names, self.k, self.l, self.t),
            notes=(_levels_note(names, node), _search_note(recoding, times)),
            alike=names,
            least_size=self.k,
        )

    def _decided(
        self,
        data: Microdata,
        names: tuple[str, ...],
        times: NDArray[np.int64] | None,
        context: Context,
    ) -> tuple[dict[str, Levels], list[int], Recoding | None]:
        """Return the columns at all levels, the level of each, and the search if there was one.

        `times` says how many records each row stands for, by default one.
        """
        owner = type(self).__name__
        given = Given(
            data, names, owner, self.hierarchies, self.intervals, self.widths, self.mappings, times
        )
        columns = {name: given.levels(name) for name in names}
        stated = named(self.levels, names, "levels", owner)
        fixed = {n: columns[n].height if v == TOP_LEVEL else v for n, v in stated.items()}
        for name, level in fixed.items():
            if level not in range(columns[name].height + 1):
                raise UsageError(
                    f"levels of {owner} must be whole numbers from 0 to {columns[name].height} for "
                    f"'{name}', but {level!r} was given"
                )
        if self.k is None:
            if self.l is not None or self.t is not None or self.suppression:
                raise UsageError(
                    f"{owner} takes l, t and suppression only together with k; give a k"
                )
            return columns, [fixed.get(n, 1 if n in given.specified else 0) for n in names], None
        records = len(data) if times is None else int(times.sum())
        if times is None:
            require_records(data, self.k, owner)
        open_to = {
            name: [fixed[name]] if name in fixed else list(range(c.height + 1))
            for name, c in columns.items()
        }
        choice = [columns[name].restricted(kept) for name, kept in open_to.items()]
        conditions = Conditions(data, self.k, self.l, self.t, owner, times)
        allowance = int(self.suppression * records + 1e-9)
        recoding = best_recoding(choice, conditions, allowance, context, times)
        if recoding is None:
            unmet = (
                "the levels stated do not meet"
                if len(fixed) == len(columns)
                else f"no combination of levels of {', '.join(columns)} meets"
            )
            raise TooFewRecords(
                f"{unmet} the conditions with at most {allowance} of {records} records suppressed; "
                f"allow more suppression, lower k or l, {'raise t, or ' * bool(fixed)}"
                f"{'fix fewer levels' if fixed else 'or raise t'}"
            )
        node = [open_to[name][n] for name, n in zip(columns, recoding.node, strict=True)]
        return columns, node, recoding


def _levels_note(names: tuple[str, ...], node: list[int]) -> str:
    levels = ", ".join(f"{name} {level}" for name, level in zip(names, node, strict=True))
    return f"levels of recoding: {levels} (0 is unchanged)"


def _search_note(recoding: Recoding, times: NDArray[np.int64] | None) -> str:
    rows = np.ones(len(recoding.suppressed), dtype=np.int64) if times is None else times
    count = int(rows[recoding.suppressed].sum())
    suppressed = (
        f"{count} records ({count / rows.sum():.2%}) suppressed, with all treated columns missing"
        if count
        else "no record suppressed"
    )
    loss = f"mean loss of a cell {100 * recoding.loss:.2f} %"
    if recoding.proven:
        return (
            f"the best of {recoding.nodes:,} combinations of levels, proven with "
            f"{recoding.judged:,} of them examined: {loss}, {suppressed}"
        )
    return (
        f"the best found of {recoding.nodes:,} combinations of levels, with {recoding.judged:,} of "
        f"them examined: {loss}, where none can be below {100 * recoding.at_least:.2f} %, "
        f"{suppressed}"
    )
