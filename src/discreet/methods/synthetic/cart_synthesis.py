"""CART synthesis: trees in sequence, values drawn from their leaves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from discreet.contracts import (
    Columns,
    Context,
    Fitted,
    Grain,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.errors import UsageError
from discreet.microdata import Column, Microdata
from discreet.models.sequential.assembly import (
    SYNTHETIC_ROLES,
    below_zero,
    kept_rules,
    masked,
    modelled,
    on_rules,
)
from discreet.models.sequential.clustered import clusters_to_synthesise, synthesise_all
from discreet.models.sequential.fitted import MOST_FITTED, Visit
from discreet.models.sequential.from_kept import drawn_from_kept
from discreet.models.sequential.kept import KeptSequence, keep
from discreet.models.sequential.models import Fitter
from discreet.models.sequential.options import KeptOptions, SequenceOptions, why_whole
from discreet.models.sequential.sequence import FittedSequence, NewRecords, visits
from discreet.models.sequential.tree import Tree
from discreet.models.simple_sampling import sampled_records


class TreeSynthesis(KeptOptions, SequenceOptions, Method):
    """What syntheses by trees share: a column is drawn from the leaves that its records fall into.

    The columns are synthesised for the existing records, given the columns that are not
    treated. With `everything` all columns are drawn in sequence, the first from its own
    distribution, and no record comes from any one original.
    """

    leaf: int = param(
        default=10,
        help="minimum number of original records in a leaf; larger leaves keep less and hide more",
        at_least=2,
        trials=(5, 10, 20, 50, 100),
        monotone=True,
    )
    smoothing: bool = param(
        default=True,
        help="move drawn numbers past up to five others of the column; otherwise numbers of "
        "original records are released. Numbers that five records share stay",
    )
    even: bool = param(
        default=True,
        kw_only=True,
        help="spread the draws evenly, so that means and shares stay closer to those of the file "
        "than those of a sample would; otherwise each record is drawn independently",
    )
    everything: bool = param(
        default=False, help="synthesise all columns, for records that come from no original"
    )
    records: int | None = param(
        default=None,
        help="number of synthetic records, with everything only; as many as in the file if not "
        "given",
        at_least=1,
    )
    columns: Columns = param(
        default=None, help="the columns to synthesise; all quasi-identifiers if not given"
    )

    @property
    def grain(self) -> Grain:
        """With everything, the records are new ones."""
        return Grain.FILE if self.everything else Grain.RECORD

    @property
    def needs(self) -> Needs:
        """Models fitted to a sample, unless they were kept or records are compared with all."""
        return Needs.MODELS if self.model is None and self.replicas else Needs.FILE

    @property
    def whole_because(self) -> str:
        """Only comparisons with all records, and kept models, need the whole file."""
        return why_whole(self.model is not None)

    @property
    def anew(self) -> str:
        """Models are fitted to each file, unless they were kept."""
        return "models" if self.model is None else "how many records there are"

    @abstractmethod
    def growing(self) -> Fitter:
        """Return the way of fitting a column."""

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values, or a table of synthetic records."""
        owner = type(self).__name__
        if self.everything and self.columns is not None:
            raise UsageError(
                f"{owner} with everything synthesises all columns, but columns were named; leave "
                "one of the two out"
            )
        if not self.everything and (self.records is not None or not self.replicas):
            raise UsageError(
                f"{owner} makes new records only with everything, but records or replicas were "
                "set; set everything too"
            )
        if self.model is not None and not self.everything:
            raise UsageError(
                f"{owner} draws from a kept model only with everything, since a model draws all "
                "columns; set everything too"
            )
        names = self.treated(data, modelled(data) if self.everything else self.columns)
        rules = kept_rules(self.rules, data)
        rows = len(data) if self.records is None else self.records
        if self.model is not None:
            columns = drawn_from_kept(
                self.model, data, names, rows, context, method=self.spec.name, owner=owner
            )
            return masked(data, columns, (), rules=rules, replicated=self.replicas)
        if self.everything and clusters_to_synthesise(data) is not None:
            sequence = partial(self._sequence, data, names)
            columns = synthesise_all(
                data, names, rows, sequence, context, rules=rules, rounded=self.round, owner=owner
            )
            notes = self._unsmoothed(data, names)
            return masked(data, columns, notes, rules=rules, replicated=self.replicas)
        fitted = self.fit(InMemory(data), context)
        if self.everything:
            columns, notes = list(fitted.treat(Microdata([], rows=rows), context, 0)), fitted.notes
            del fitted  # the models take as much memory as a file of a million records
            return masked(data, columns, notes, rules=rules, replicated=self.replicas)
        columns = list(fitted.treat(data, context, 0))
        made = data.replace(columns)
        warnings = [*below_zero(data, columns), *on_rules(data, made, rules)]
        return Masked(made, notes=(*fitted.notes, *warnings))

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Grow the trees on a sample of the records; values are then drawn for any rows."""
        head = file.head
        names = self.treated(head, modelled(head) if self.everything else self.columns)
        sample = sampled_records(file, MOST_FITTED, context, "records to fit")
        models = FittedSequence.of(
            sample,
            self._sequence(sample, names, names),
            context,
            rules=kept_rules(self.rules, sample),
            with_gaps=self.everything,
            rounded=self.round,
            owner=type(self).__name__,
        )
        notes = self._unsmoothed(head, names)
        if self.everything:
            new = len(file) if self.records is None else self.records
            return Fitted((), NewRecords(models), notes=notes, new=new)
        return Fitted(tuple(modelled(head)), _Drawing(models, names), notes=notes)

    def _sequence(
        self, data: Microdata, names: Sequence[str], columns: Sequence[str]
    ) -> list[Visit]:
        """Return the visits of some columns, the others being known where they are not treated."""
        others = [name for name in modelled(data) if name not in names]
        grow = self.growing()
        ordered = visits(
            data,
            columns,
            others,
            first=self.visit,
            order=self.order,
            predictors=self.predictors,
            owner=type(self).__name__,
        )
        return [replace(visit, fit=grow, missingness=grow) for visit in ordered]

    def fitted(self, data: Microdata, context: Context) -> KeptSequence:
        """Return the models of all columns, to draw records from later without the data."""
        owner = type(self).__name__
        if not self.everything:
            raise UsageError(
                f"{owner} keeps its models only with everything, since other columns are drawn for "
                "the records of a file; set everything"
            )
        names = self.treated(data, modelled(data))
        return keep(
            data,
            self._sequence(data, names, names),
            context,
            method=self.spec.name,
            rules=kept_rules(self.rules, data),
            rounded=self.round,
            owner=owner,
        )

    def _unsmoothed(self, data: Microdata, names: Sequence[str]) -> tuple[str, ...]:
        """Return a warning where numbers of original records are released."""
        numbers = [name for name in names if data.schema[name].continuous]
        if self.smoothing or not numbers:
            return ()
        listed = ", ".join(numbers)
        note = (
            f"smoothing is off: {listed} hold numbers of original records as they are, including "
            "rare ones and the largest"
        )
        return (note,)


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The synthetic columns of any rows, given the others; gaps stay where they are."""

    models: FittedSequence
    names: tuple[str, ...]

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        gaps = {name: rows.column(name).missing for name in self.names}
        known = [column for column in rows if column.name not in self.names]
        return self.models.draw(known, len(rows), context, gaps, first)


class CartSynthesis(TreeSynthesis):
    """Draws each column from the leaves of a tree grown on the columns before it.

    Trees find dependences of any form, between columns of any kind, without a model being chosen. A
    value is drawn from the original records of a leaf. A number that fewer than five records share
    is then moved past up to five others of its column, by rank: the distribution, its ends and its
    signs stay, and the largest numbers are averaged by fives. Rounding may bring a number back.
    Large trees with small leaves follow the data closely, which keeps both utility and risk: check
    how near the release comes to originals before publishing it.

    The columns are synthesised for the existing records, given the columns that are not
    treated. With `everything` all columns are drawn in sequence, the first from its own
    distribution, and no record comes from any one original.

    >>> import discreet
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 500)
    >>> data = discreet.read({"age": age, "pay": (age - 40) ** 2 + rng.normal(0, 10, 500)},
    ...                      roles={"pay": "quasi-identifier", "age": "other"})
    >>> made = CartSynthesis().protect(data, Context()).data["pay"]
    >>> bool(np.corrcoef(made, (age - 40) ** 2)[0, 1] > 0.9)   # no straight line fits it
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="cart-synthesis",
        title="CART synthesis",
        citation="Reiter, Using CART to generate partially synthetic public use microdata (2003); "
        "Domingo-Ferrer, A survey of inference control methods, §4",
        missing="a missing value stays missing where only some columns are treated; with "
        "everything, whether it is missing is drawn first, by a separate tree",
        random=True,
        treats=SYNTHETIC_ROLES,
        formula="yⱼ ~ the values of yⱼ in the leaf of (y₁, …, yⱼ₋₁), for each column in turn",
        cost="n·c·log n time for each level of a tree, a tree for each column; memory n·c",
        needs=Needs.MODELS,
        nearest="gaussian-copula",
    )

    bootstrap: bool = param(
        default=False,
        help="draw from a leaf by a Bayesian bootstrap, which inference from several releases "
        "needs; otherwise each record of a leaf is equally likely",
    )
    proper: bool = param(
        default=False,
        help="grow each tree on a bootstrap sample of the records, so that several releases differ "
        "by as much as the trees are uncertain",
    )

    def growing(self) -> Fitter:
        """Return the way of growing the tree of a column."""
        return partial(
            Tree.fit,
            leaf=self.leaf,
            bootstrap=self.bootstrap,
            smooth=self.smoothing,
            proper=self.proper,
            even=self.even,
        )
