"""Global recoding: every value of a column is made less precise, in the same way everywhere."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Context, Entries, Grain, Masked, Spec, param
from discreet.contracts.named_entries import named
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import DataError, UsageError
from discreet.methods.nonperturbative.full_domain.claims import proven
from discreet.methods.nonperturbative.full_domain.conditions import Conditions
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.levels import Levels
from discreet.methods.nonperturbative.full_domain.options import RecodingMethod
from discreet.methods.nonperturbative.full_domain.search import Recoding, best_recoding
from discreet.microdata import Microdata


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
        cost="n·c time for each combination of levels that is looked at; there are many times "
        "more of them with every column; memory n·c",
    )

    k: int | None = param(
        default=5,
        help="least number of records that share their recoded values, reached by the least loss; "
        "without a k, columns are recoded as specified, with no search",
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
        help="the levels to which columns are recoded, whatever a search would say: column and "
        "whole number, 0 leaves it as it is",
    )

    @property
    def grain(self) -> Grain:
        """Values are recoded alike; suppression is of single records."""
        return Grain.SUPPRESSION if self.suppression else Grain.VALUE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with recoded columns."""
        owner = type(self).__name__
        names = self.treated(data, self.columns)
        given = Given(
            data, names, owner, self.hierarchies, self.intervals, self.widths, self.mappings
        )
        columns = {name: given.levels(name) for name in names}
        fixed = named(self.levels, names, "levels", owner)
        for name, level in fixed.items():
            if level not in range(columns[name].height + 1):
                raise UsageError(
                    f"levels of {owner} must be whole numbers from 0 to {columns[name].height} for "
                    f"'{name}', but {level!r} was given"
                )
        if self.k is not None:
            return self._searched(data, columns, fixed, context)
        if self.l is not None or self.t is not None or self.suppression:
            raise UsageError(f"{owner} takes l, t and suppression together with k only; give a k")
        node = [fixed.get(name, 1 if name in given.specified else 0) for name in names]
        return Masked(
            data.replace(c.recoded(n) for c, n in zip(columns.values(), node, strict=True)),
            notes=(_levels_note(names, node),),
        )

    def _searched(
        self, data: Microdata, columns: dict[str, Levels], fixed: dict[str, int], context: Context
    ) -> Masked:
        assert self.k is not None
        require_records(data, self.k, type(self).__name__)
        open_to = {
            name: [fixed[name]] if name in fixed else list(range(c.height + 1))
            for name, c in columns.items()
        }
        choice = [columns[name].restricted(kept) for name, kept in open_to.items()]
        conditions = Conditions(data, self.k, self.l, self.t, type(self).__name__)
        allowance = int(self.suppression * len(data) + 1e-9)
        recoding = best_recoding(choice, conditions, allowance, context)
        if recoding is None:
            raise DataError(
                f"no combination of levels of {', '.join(columns)} meets the conditions with at "
                f"most {allowance} of {len(data)} records suppressed; allow more suppression, "
                "lower k or l, raise t, or fix fewer levels"
            )
        table = data.replace(
            c.recoded(n, recoding.suppressed) for c, n in zip(choice, recoding.node, strict=True)
        )
        node = [open_to[name][n] for name, n in zip(columns, recoding.node, strict=True)]
        groups, claims = proven(table, tuple(columns), self.k, self.l, self.t)
        return Masked(
            table, groups, claims, (_levels_note(tuple(columns), node), _search_note(recoding))
        )


def _levels_note(names: tuple[str, ...], node: list[int]) -> str:
    levels = ", ".join(f"{name} {level}" for name, level in zip(names, node, strict=True))
    return f"levels of recoding: {levels} (0 is unchanged)"


def _search_note(recoding: Recoding) -> str:
    count = int(recoding.suppressed.sum())
    suppressed = (
        f"{count} records ({recoding.suppressed.mean():.2%}) suppressed, with all treated columns "
        "missing"
        if count
        else "no record suppressed"
    )
    return (
        f"the best of {recoding.nodes:,} combinations of levels, proven with {recoding.judged:,} "
        f"of them examined: mean loss of a cell {100 * recoding.loss:.2f} %, {suppressed}"
    )
