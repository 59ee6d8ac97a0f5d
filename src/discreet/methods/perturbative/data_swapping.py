"""Data swapping (Dalenius & Reiss): values are exchanged, and chosen tables of counts stay."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.errors import UsageError
from discreet.microdata import Kind, Microdata, Role, unknown_column
from discreet.microdata.equivalence import classes


class DataSwapping(Method):
    """Exchanges the values of categorical columns between records; chosen marginals stay exact.

    A column's values are exchanged only between records that agree in all other columns that share
    one of the `margins` with it. So every table of counts that is named there is the same before
    and after, and so is that of every single column. Other associations are broken up: the fewer
    and smaller the margins, the more it protects and the less it keeps. Columns are treated one
    after the other, each with its own draw of records.

    Without `margins`, the table of each treated column with all ordinal and nominal confidential
    columns is kept, and combinations of the treated columns are broken up.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m", "f", "m"], "town": ["a", "a", "b", "b"]},
    ...                      roles={"sex": "quasi-identifier", "town": "quasi-identifier"})
    >>> method = DataSwapping(margins=["sex+town"], share=1, columns=["sex"])
    >>> method.protect(data, Context()).data["sex"]
    array([1, 0, 1, 0], dtype=int32)
    """

    spec: ClassVar[Spec] = Spec(
        name="data-swapping",
        title="Data swapping",
        citation="Dalenius & Reiss (1982); Domingo-Ferrer, A survey of inference control methods, "
        "§2",
        missing="a missing value stays missing; in the columns of a margin it is a category of "
        "its own",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        random=True,
        formula="#{i : x′ᵢ = v in the columns of m} = #{i : xᵢ = v in the columns of m}\n"
        "  for every margin m and every combination v of its categories",
        cost="n·log n time for each column, memory n",
        whole_because="since values are exchanged between records anywhere in it",
        nearest="pram",
        anew="which records exchange values",
    )

    margins: Columns = param(
        default=None,
        treated=True,
        help="the tables of counts that stay exactly as they are, each as its columns joined by +, "
        "such as sex+education; if not given, each treated column with the confidential ones",
    )
    share: float = param(
        default=0.5,
        help="share of the records, from 0 to 1, that are drawn for exchange in each column: 0.5 "
        "is every other one; fewer change, since exchanged values may be equal",
        above=0,
        at_most=1,
        trials=(0.1, 0.2, 0.5, 0.8, 1.0),
        monotone=True,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of the treated columns exchanged."""
        names = self.treated(data, self.columns)
        margins = self._margins(data, names)
        notes = []
        current = data
        for name in names:
            beside = list(dict.fromkeys(c for m in margins if name in m for c in m if c != name))
            generator = context.generator(f"swap {name}")
            column = current.column(name)
            alike = classes(current, beside)
            drawn = np.flatnonzero(~column.missing & (generator.random(len(data)) < self.share))
            donors = _in_a_ring(alike[drawn], generator)
            values = column.values.copy()
            values[drawn] = column.values[drawn[donors]]
            changed = int((values != column.values).sum())
            notes.append(
                f"{changed} of {len(data)} values of column '{name}' changed; kept: its table with "
                f"{', '.join(beside)}"
                if beside
                else f"{changed} of {len(data)} values of column '{name}' changed; kept: its counts"
            )
            current = current.replace([column.with_values(values)])
        return Masked(current, notes=tuple(notes))

    def _margins(self, data: Microdata, names: tuple[str, ...]) -> list[list[str]]:
        """The columns of each table that is kept."""
        if self.margins is None:
            confidential = [
                name
                for name in data.having(Role.CONFIDENTIAL)
                if not data.schema[name].continuous and name not in names
            ]
            return [[name, *confidential] for name in names]
        margins = []
        for entry in self.margins:
            # A column may have a plus in its name.
            margin = [entry] if entry in data.schema else [c.strip() for c in entry.split("+")]
            for name in margin:
                if name not in data.schema:
                    raise UsageError(
                        unknown_column(name, data.schema.names, asked_by="a margin of DataSwapping")
                    )
            margins.append(margin)
        return margins


def _in_a_ring(labels: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Return for each record the next one in a random ring of those that share its label."""
    order = generator.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    sorted_labels = labels[order]
    first = np.concatenate([[True], sorted_labels[1:] != sorted_labels[:-1]])[: len(order)]
    starts = np.flatnonzero(first)
    sizes = np.diff(np.concatenate([starts, [len(order)]]))
    following = np.arange(len(order)) + 1
    if len(starts):
        following[starts + sizes - 1] = starts
    donors = np.empty(len(order), dtype=np.int64)
    donors[order] = order[following]
    return donors
