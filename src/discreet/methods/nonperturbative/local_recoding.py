"""Local recoding: values are released less precisely only where records would be unique."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import (
    Context,
    Fitted,
    InMemory,
    Masked,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import DataError
from discreet.methods.nonperturbative.full_domain.automatic import narrowest_width
from discreet.methods.nonperturbative.full_domain.claims import claims_about, proven
from discreet.methods.nonperturbative.full_domain.conditions import Conditions
from discreet.methods.nonperturbative.full_domain.decided import DecidedLabels
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import encoded
from discreet.methods.nonperturbative.full_domain.local import (
    local_levels,
    locally_recoded,
    mean_loss,
)
from discreet.methods.nonperturbative.full_domain.options import RecodingMethod
from discreet.microdata import Microdata, Role


class LocalRecoding(RecodingMethod):
    """Recodes each class of records to its own levels, so that every record is one of k alike.

    It keeps far more than global recoding, but a column then holds labels of different levels
    ("Ayle" beside "coast"), which analysts must be able to handle. No record is suppressed. The
    levels are those of global recoding: hierarchy files, intervals, widths, mappings, or made
    from the values. A changed column is nominal, with the labels as text.

    First comes full-domain recoding in rounds, each leaving to the next the records that would
    force it to recode more; then classes are refined wherever their parts still meet
    the conditions. The result is good, but not proven optimal.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 21, 38, 39]}, roles={"age": "quasi-identifier"})
    >>> masked = LocalRecoding(k=2, widths={"age": 10}).protect(data, Context())
    >>> masked.data.schema["age"].categories, masked.data["age"]
    (('21', '30–39'), array([0, 0, 1, 1], dtype=int32))
    """

    spec: ClassVar[Spec] = Spec(
        name="local-recoding",
        title="Local recoding",
        citation="Domingo-Ferrer, A survey of inference control methods, §3, global recoding; "
        "LeFevre, DeWitt & Ramakrishnan (2006) and ARX on recoding locally",
        missing="a category of its own, which stays missing below the top level; at the top level "
        "it gets the label that all records share",
        guarantees=("k-anonymity",),
        formula="small mean over the cells of (values that the label covers − 1)/(values of the "
        "column − 1)\n"
        "  with #{j : x′ⱼ = x′ᵢ} ≥ k for all i, labels of different levels side by side",
        cost="n·c time for each combination of levels that is examined, whose number multiplies "
        "with every column, and for each level that classes go down; memory n·c",
        needs=Needs.COUNTS,
    )

    # Unlike global recoding, it has nothing to do without a k.
    k: int = param(
        default=5,
        help="minimum number of records that share their recoded values",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    left_over: float = param(
        default=0.2,
        help="the largest share of its records that a round may leave to the next, as a fraction: "
        "0.2 is 20 %; more takes longer and may keep more detail",
        at_least=0,
        below=1,
    )

    @property
    def anew(self) -> str:
        """Classes are of the file at hand; of levels made from values, widths may be stated."""
        stated = {
            *(entry.partition("=")[0].strip() for entry in self.hierarchies or ()),
            *(self.intervals or {}),
            *(self.widths or {}),
            *(self.mappings or {}),
        }
        classes = "classes of records"
        settled = self.columns and set(self.columns) <= stated
        return classes if settled else f"{classes}, and the levels of columns that state none"

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with recoded columns."""
        fitted = self.fit(InMemory(data), context)
        table = data.replace(fitted.treat(data, context, 0))
        groups, claims = proven(table, fitted.columns, self.k, self.l, self.t)
        return Masked(table, groups, claims, fitted.notes, chosen=(self._settled(data),))

    def _settled(self, data: Microdata) -> LocalRecoding:
        """Return the method with the widths stated from which the levels of numbers are made."""
        names = self.treated(data, self.columns)
        given = Given(
            data,
            names,
            type(self).__name__,
            self.hierarchies,
            self.intervals,
            self.widths,
            self.mappings,
        )
        widths = dict(given.widths)
        for name in names:
            column = data.column(name)
            made = name not in given.specified and given.units[name] is None
            if made and column.attribute.continuous:
                distinct = encoded(column)[0]
                if len(distinct) > 1:
                    widths[name] = float(narrowest_width(distinct))
        stated = {"columns": names, "widths": widths or None}
        return type(self)(**{**self.values(), **stated})

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Decide on the combinations of values alone, each with its count."""
        owner = type(self).__name__
        names = self.treated(file.head, self.columns)
        require_records(file, self.k, owner)
        asked = self.l is not None or self.t is not None
        confidential = file.head.having(Role.CONFIDENTIAL) if asked else ()
        data, times = file.combinations(tuple(dict.fromkeys((*names, *confidential))))
        given = Given(
            data, names, owner, self.hierarchies, self.intervals, self.widths, self.mappings, times
        )
        columns = [given.levels(name) for name in names]
        conditions = Conditions(data, self.k, self.l, self.t, owner, times)
        levels = local_levels(columns, conditions, self.left_over, context, times)
        if levels is None:
            raise DataError(
                f"even all records together do not meet the conditions of {owner} in the "
                "confidential columns; lower l or raise t"
            )
        recoded = [locally_recoded(c, levels[:, j]) for j, c in enumerate(columns)]
        lost = 100 * mean_loss(columns, levels, times)
        return Fitted(
            names,
            DecidedLabels(columns, recoded),
            claims=claims_about(file.head, names, self.k, self.l, self.t),
            notes=(f"mean loss of a cell by recoding: {lost:.2f} %",),
            alike=names,
            least_size=self.k,
        )
