"""PRAM, the post-randomisation method: categories are changed by a Markov matrix."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.pram.drawing import (
    Redrawn,
    by_matrices,
    counts_of,
    matrix_of,
    on_lonely,
    possible,
)
from discreet.methods.perturbative.pram.markov import (
    Frequencies,
    MarkovMatrix,
    draw_invariant,
    invariant_frequencies,
    summed,
    true_frequencies,
)
from discreet.methods.perturbative.pram.matrix_by_stratum import (
    ANY_STRATUM,
    Strata,
    invariant_of,
    strata_of,
)
from discreet.microdata import Column, Kind, Microdata, Numbers, unknown_column
from discreet.microdata.hierarchy import text_of
from discreet.microdata.labels import KnownLabels
from discreet.microdata.weights import weights_of

MOST_STATED = 10_000
"""Most entries of invariant matrices that are stated for other files; larger ones are made
afresh.
"""


class PRAM(Method):
    """Releases each value as one drawn from the row of its category in a Markov matrix.

    Unless the user gives a matrix, each column is treated by an invariant one: a value is kept, or
    else redrawn from the column's distribution, so that the expected counts of the categories are
    those of the original. The smallest diagonal entry is exactly `stay`, that of the rarest
    category; common ones stay more often. With strata all this holds within each. Where a column
    has the role weight, it is the weighted counts, those of the population, that are kept.

    A user's matrix is written in a plan as the categories with those that they may become:
    `matrices: {sex: {f: {f: 0.9, m: 0.1}, m: {m: 1}}}`, with the strata one level higher where each
    has its own; or it is read from a CSV file. `true_frequencies` estimates the counts of the
    original from a file that was treated.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m"]}, roles={"sex": "quasi-identifier"})
    >>> turned = {"f": {"m": 1}, "m": {"f": 1}}
    >>> masked = PRAM(matrices={"sex": turned}).protect(data, Context()).data
    >>> masked["sex"], masked.schema["sex"].categories
    (array([1, 1, 0], dtype=int32), ('f', 'm'))
    """

    spec: ClassVar[Spec] = Spec(
        name="pram",
        title="PRAM: post-randomisation",
        citation="Gouweleeuw, Kooiman, Willenborg & de Wolf (1998); Domingo-Ferrer, A survey of "
        "inference control methods, §2",
        missing="a missing value stays missing; a missing stratum is a stratum of its own",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        random=True,
        formula="P(x′ = l | x = k) = p_kl\n"
        "invariant: P = (1 − θ)I + θ·1tᵀ,  θ = (1 − stay)/(1 − min t),  t the shares",
        cost="n time for each column; the invariant matrix is not written down",
        needs=Needs.ROWS,
        nearest="global-recoding",
    )

    stay: float = param(
        default=0.8,
        help="smallest probability, from 0 to 1, with which a value stays as it is: the smallest "
        "diagonal entry of the invariant matrix; has no effect on matrices that are given",
        at_least=0,
        below=1,
        trials=(0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1),
        monotone=True,
    )
    matrices: Entries = param(
        default=None,
        public="reveal",
        help="Markov matrices given by the user: for each column its categories, and below each "
        "the categories that it may become with their probabilities, which add up to 1",
    )
    matrix_files: Columns = param(
        default=None,
        path=True,
        help="CSV files with Markov matrices, each written as column=path: released categories in "
        "the first row, then a row per category",
    )
    reveal: bool = param(
        default=False,
        help="publish the matrices that were given, so that users of the data can correct "
        "their counts; a matrix names every category of the original, even one that is gone",
    )
    weighted: bool = param(
        default=True,
        help="keep the expected weighted counts, where a column has the role weight; if false, the "
        "expected counts of records",
    )
    strata: Columns = param(
        default=None,
        help="columns within whose combinations the invariant matrix is taken; matrices may be "
        "given per stratum, under its values joined by +",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what new categories of the given matrices mean."""
        known = {}
        for name, given in self._given(data, self.treated(data, self.columns)).items():
            attribute, matrices = data.schema[name], list(given.values())
            originals = [text_of(category) for category in attribute.categories]
            released = [target for matrix in matrices for target in matrix.released]
            texts = list(dict.fromkeys([*originals, *released]))
            known[name] = KnownLabels(tuple(texts), possible(attribute, texts, matrices))
        return known

    @property
    def anew(self) -> str:
        """Nothing where the matrices of all columns are stated."""
        stated = {*(self.matrices or {}), *self._files()}
        return "" if self.columns and stated >= set(self.columns) else "the invariant matrices"

    @property
    def needs(self) -> Needs:
        """Rows after a pass that counts, unless there are strata."""
        return Needs.FILE if self.strata else Needs.ROWS

    @property
    def whole_because(self) -> str:
        """Only strata need the whole file."""
        return "since each stratum has a matrix of its own"

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of the treated columns redrawn."""
        names = self.treated(data, self.columns)
        given = self._given(data, names)
        parts = strata_of(data, self.strata)
        chosen = self._settled(data, names, given, parts)
        if not self.strata:
            fitted = self.fit(InMemory(data), context)
            table = data.replace(fitted.treat(data, context, 0))
            return Masked(table, notes=fitted.notes, chosen=chosen)
        weights = self._weights(data)
        columns, notes = [], []
        with context.task("post-randomisation", len(names)) as advance:
            for name in names:
                generator = context.generator(f"draw {name}")
                column = data.column(name)
                if name in given:
                    columns.append(by_matrices(column, given[name], parts, generator))
                else:
                    drawn, alone = self._invariant(column, parts, weights, generator)
                    columns.append(drawn)
                    notes += on_lonely(name, alone)
                advance(1)
        return Masked(data.replace(columns), notes=tuple(notes), chosen=chosen)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Count the categories of the whole file; values of any rows are then redrawn."""
        names = self.treated(file.head, self.columns)
        given = self._given(file.head, names)
        invariant = [name for name in names if name not in given]
        records = counts_of(file, invariant, False)
        counts = counts_of(file, invariant, True) if self.weighted else records
        notes = [
            note
            for name, of_each in records.items()
            if np.count_nonzero(of_each) == 1
            for note in on_lonely(name, int(of_each.sum()))
        ]
        return Fitted(names, Redrawn(names, given, counts, self.stay), notes=tuple(notes))

    def _weights(self, data: Microdata) -> Numbers | None:
        return weights_of(data) if self.weighted else None

    def _settled(
        self,
        data: Microdata,
        names: tuple[str, ...],
        given: dict[str, dict[str, MarkovMatrix]],
        parts: Strata,
    ) -> tuple[PRAM, ...]:
        """Return the method with all its matrices stated; nothing where they would be too large."""
        sizes = [len(data.schema[name].categories) ** 2 for name in names if name not in given]
        if sum(sizes) * len(parts) > MOST_STATED:
            return ()
        settled = type(self)(
            stay=self.stay,
            matrices={n: self._matrices(data, n, given.get(n), parts) for n in names},
            reveal=self.reveal,
            weighted=self.weighted,
            strata=self.strata,
            columns=names,
        )
        return (settled,)

    def _matrices(
        self, data: Microdata, name: str, given: dict[str, MarkovMatrix] | None, parts: Strata
    ) -> dict[str, Any]:
        """Return the matrices that a column is treated by, as they are written in a plan."""
        if given is None:
            column, weights = data.column(name), self._weights(data)
            given = {s: invariant_of(column, rows, self.stay, weights) for s, rows in parts}
        tables = {stratum: matrix.mapping() for stratum, matrix in given.items()}
        return tables.get(ANY_STRATUM, tables)

    def recipe(self, public: bool = False) -> dict[str, Any]:
        """Return the form in a plan; with `reveal`, the public form includes the matrices in files.

        A file that no longer exists is named instead.
        """
        recipe = super().recipe(public)
        if public and self.reveal and self.matrix_files:
            with suppress(UsageError, DataError):
                read = {name: MarkovMatrix.from_file(path) for name, path in self._files().items()}
                parameters = recipe[self.spec.name]
                del parameters["matrix_files"]
                parameters["matrices"] = {
                    **parameters.get("matrices", {}),
                    **{name: matrix.mapping() for name, matrix in read.items()},
                }
        return recipe

    def _files(self) -> dict[str, str]:
        """Return the path of the matrix file of each column."""
        paths: dict[str, str] = {}
        for entry in self.matrix_files or ():
            name, _, path = (part.strip() for part in entry.partition("="))
            if not (name and path):
                raise UsageError(
                    "the matrix_files of PRAM must be written as column=path, such as "
                    f"sex=sex.csv, but '{entry}' was given"
                )
            if name in paths or name in (self.matrices or {}):
                raise UsageError(f"PRAM is given two matrices for column '{name}'")
            paths[name] = path
        return paths

    def true_frequencies(self, released: Microdata, name: str) -> Frequencies:
        """Estimate the counts of a column in the original from a file that was treated so.

        Stratum by stratum and without bias, with the variance that the randomisation brings.
        Missing values are not counted. After an invariant matrix the released counts themselves
        are the estimate; if it was weighted, the released weighted counts are, and the counts of
        records are estimated by a matrix of the released weights.

        >>> import discreet
        >>> released = discreet.read({"sex": ["f"] * 62 + ["m"] * 38},
        ...                          roles={"sex": "quasi-identifier"})
        >>> matrix = {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.2, "m": 0.8}}
        >>> estimate = PRAM(matrices={"sex": matrix}).true_frequencies(released, "sex")
        >>> estimate.categories, estimate.counts.round(6), estimate.standard_errors.round(3)
        (('f', 'm'), array([60., 40.]), array([4.907, 4.907]))
        """
        names = self.treated(released, self.columns)
        if name not in names:
            raise UsageError(
                f"PRAM estimates the counts of columns that it treats ({', '.join(names)}), but "
                f"'{name}' was asked for"
            )
        for stratum in self.strata or ():
            if stratum in names:
                raise UsageError(
                    "PRAM estimates true counts within strata that are released as they are, but "
                    f"'{stratum}' is treated too"
                )
        given = self._given(released, names).get(name)
        column, weights = released.column(name), self._weights(released)
        categories = [text_of(category) for category in column.attribute.categories]
        estimates = []
        for stratum, rows in strata_of(released, self.strata):
            values = column.values[rows]
            counts = np.bincount(values[values >= 0], minlength=len(categories))
            seen = {categories[j]: int(counts[j]) for j in np.flatnonzero(counts)}
            if given is None and weights is None:
                estimates.append(invariant_frequencies(seen, self.stay))
                continue
            matrix = (
                invariant_of(column, rows, self.stay, weights)
                if given is None
                else matrix_of(name, given, stratum)
            )
            estimates.append(true_frequencies(seen, matrix))
        return summed(estimates)

    def _invariant(
        self,
        column: Column,
        parts: Strata,
        weights: Numbers | None,
        generator: np.random.Generator,
    ) -> tuple[Column, int]:
        """Return the redrawn column, and how many values no other category could replace."""
        values = column.values.copy()
        alone = 0
        for _, rows in parts:
            present = rows[values[rows] >= 0]
            if len(present) and np.ptp(values[present]) == 0:
                alone += len(present)
                continue
            counted = None if weights is None else weights[present]
            counts = np.bincount(values[present], counted).astype(np.float64)
            values[present] = draw_invariant(values[present], self.stay, generator, counts)
        return column.with_values(values), alone

    def _given(self, data: Microdata, names: tuple[str, ...]) -> dict[str, dict[str, MarkovMatrix]]:
        """The user's matrices by column and stratum; one for all strata has an empty name."""
        given: dict[str, dict[str, MarkovMatrix]] = {}
        for name, table in (self.matrices or {}).items():
            title = f"the Markov matrix of column '{name}'"
            if not isinstance(table, Mapping) or not table:
                raise UsageError(f"{title} must give probabilities per category, but has none")
            per_stratum = all(
                isinstance(row, Mapping)
                and row
                and all(isinstance(cell, Mapping) for cell in row.values())
                for row in table.values()
            )
            given[str(name)] = (
                {text_of(s): MarkovMatrix.from_mapping(t, title) for s, t in table.items()}
                if per_stratum
                else {ANY_STRATUM: MarkovMatrix.from_mapping(table, title)}
            )
        for name, path in self._files().items():
            given[name] = {ANY_STRATUM: MarkovMatrix.from_file(path)}
        for name in given:
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by="PRAM"))
            if name not in names:
                raise UsageError(
                    f"PRAM is given a matrix for column '{name}', which it does not treat; add "
                    "the column to columns=[…], or leave the matrix out"
                )
        return given
