"""Sampling: a sample of the records is released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    STRETCH,
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
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Kind, Microdata, Role, unknown_column
from discreet.microdata.clusters import split_clusters
from discreet.models.simple_sampling import SimpleSample


class Sampling(Method):
    """Releases a simple random sample without replacement, of the whole file or in each stratum.

    Strata are the records that agree in the columns of `strata`. The sample is shared out over
    them in proportion to their records, each getting at least one; what rounding leaves over goes
    to the largest remainders.

    The values of a column with the role weight are multiplied by the records of the stratum over
    those sampled from it, so that weighted totals stay unbiased. Without such a column the factors
    are in a note.

    Records are drawn, not households; where a column has the role household, a note says how many
    are in the sample with only some of their members.

    Sampling protects through doubt about whether a person is in the file, which is weak where
    values are unique: a continuous quasi-identifier is released unchanged in every sampled record,
    and anyone who finds its value elsewhere finds the person. A file whose quasi-identifiers are
    all continuous is refused; if only some are, there is a note, unless an earlier method has left
    none of their values unique.

    >>> import discreet
    >>> data = discreet.read({"town": ["Ayle", "Bron"] * 4, "weight": [10.0] * 8},
    ...                      roles={"town": "quasi-identifier", "weight": "weight"})
    >>> masked = Sampling(fraction=0.5, strata=["town"]).protect(data, Context())
    >>> len(masked.data), masked.data["weight"]
    (4, array([20., 20., 20., 20.]))
    """

    spec: ClassVar[Spec] = Spec(
        name="sampling",
        title="Sampling",
        citation="Domingo-Ferrer, A survey of inference control methods, §3, sampling",
        missing="a missing value stays missing; in a column of strata it is a stratum of its own",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        random=True,
        treats=(Role.QUASI_IDENTIFIER, Role.WEIGHT),
        formula="w′ = w · N_h/n_h in stratum h",
        cost="n time",
        needs=Needs.ROWS,
    )

    fraction: float = param(
        default=0.5,
        help="the share of the records that is released, as a fraction: 0.1 is 10 %",
        above=0,
        below=1,
        trials=(0.5, 0.2, 0.1, 0.05),
        monotone=True,
    )
    size: int | None = param(
        default=None,
        help="the number of records that is released, in place of fraction",
        at_least=1,
    )
    strata: Columns = param(
        default=None,
        help="the columns whose values form the strata, each sampled separately; one simple "
        "sample if not given",
    )

    @property
    def grain(self) -> Grain:
        """Some records are left out."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the sampled records in the order of the input, with their origin."""
        fitted = self.fit(InMemory(data), context)
        assert fitted.keep is not None
        rows = fitted.keep(data, context, 0)
        table = data.replace(fitted.treat(data, context, 0)).take(rows)
        notes = (*fitted.notes, *split_clusters(data, rows))
        return Masked(table, notes=notes, origin=rows)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Share the sample out over the strata; records are then drawn from any stretch."""
        head, count = file.head, len(file)
        unique = self._unique(file)
        size = round(self.fraction * count) if self.size is None else self.size
        if self.size is not None and self.size > count:
            raise UsageError(
                f"size of Sampling must be at most the {count} records of the data, but "
                f"{self.size} was given"
            )
        if not size:
            raise UsageError(
                f"fraction of Sampling must leave at least one of the {count} records, but "
                f"{self.fraction:g} was given; give a larger one, or a size"
            )
        strata, sizes = self._strata(file)
        sampled = shares_of(sizes, size)
        names = list(strata.names)
        if names:
            labels = (strata.of(piece) for piece in file.pieces(names))
            counts = [np.bincount(of_piece, minlength=len(sizes)) for of_piece in labels]
        else:
            starts = range(0, count, STRETCH)
            counts = [np.array([min(STRETCH, count - first)]) for first in starts]
        drawing = _Drawing(
            strata,
            SimpleSample.of(counts, sampled, context, "sample"),
            sizes / np.maximum(sampled, 1),
            head.having(Role.WEIGHT),
        )
        notes = [f"{size} of {count} records sampled" + self._in_strata(sizes)]
        if not drawing.weights:
            low, high = drawing.factor.min(), drawing.factor.max()
            notes.append(
                f"there is no column with the role weight: each sampled record stands for {low:.6g}"
                + ("" if low == high else f" to {high:.6g}")
                + " records of the file"
            )
        columns = tuple(dict.fromkeys([*names, *drawing.weights]))
        warnings = _warnings(file, unique, drawing, context, size)
        return Fitted(columns, drawing.weighted, notes=(*notes, *warnings), keep=drawing.kept)

    def _in_strata(self, sizes: NDArray[np.int64]) -> str:
        return f" in {len(sizes)} strata" if self.strata else ""

    def _strata(self, file: Passes) -> tuple[Strata, NDArray[np.int64]]:
        names, schema = tuple(self.strata or ()), file.head.schema
        for name in names:
            if name not in schema:
                raise UsageError(unknown_column(name, schema.names, asked_by="Sampling"))
            if schema[name].continuous:
                raise DataError(
                    f"the strata of Sampling are made of ordinal or nominal columns, but '{name}' "
                    "is continuous; recode it into intervals first"
                )
        if not names:
            return Strata(()), np.array([len(file)])
        table, times = file.combinations(names)
        strata = Strata.from_table(table, names)
        return strata, np.bincount(strata.of(table), times).astype(np.int64)

    def _unique(self, file: Passes) -> dict[str, NDArray[np.float64]]:
        """Return the values of continuous quasi-identifiers that one record has.

        In the file that is sampled: a value that several records have, such as the centre of a
        group, identifies nobody, even if only one of them is drawn. A file with nothing but such
        columns is refused.
        """
        names = file.head.quasi_identifiers
        if not names:
            self.treated(file.head, None)
        continuous = [name for name in names if file.head.schema[name].continuous]
        unique = {}
        for name in continuous:
            table, times = file.combinations([name])
            if (times == 1).any():
                unique[name] = np.sort(table[name][times == 1])
        if unique and len(continuous) == len(names):
            raise DataError(
                f"Sampling treats ordinal and nominal columns, but '{next(iter(unique))}' is "
                "continuous, like all quasi-identifiers, and has values that occur once; let a "
                "method for continuous columns, such as microaggregation or global-recoding, "
                "treat it in an earlier step"
            )
        return unique


@dataclass(frozen=True, eq=False)
class Strata:
    """The combinations of values that some columns have, and the number of each.

    `known` are the combinations of the columns so far, as numbers in ascending order.

    >>> import discreet
    >>> data = discreet.read({"sex": ["m", "f", "m"], "town": ["b", "b", "a"]})
    >>> Strata.from_table(data, ("sex", "town")).of(data)
    array([2, 0, 1])
    """

    names: tuple[str, ...]
    known: tuple[NDArray[np.int64], ...] = ()

    @classmethod
    def from_table(cls, table: Microdata, names: tuple[str, ...]) -> Strata:
        """Number the combinations of values of a table."""
        labels, known = np.zeros(len(table), dtype=np.int64), []
        for name in names:
            distinct, labels = np.unique(_with_codes(labels, table, name), return_inverse=True)
            known.append(distinct)
        return cls(names, tuple(known))

    def of(self, rows: Microdata) -> NDArray[np.int64]:
        """Return the number of each row's stratum."""
        labels = np.zeros(len(rows), dtype=np.int64)
        for name, known in zip(self.names, self.known, strict=True):
            labels = np.searchsorted(known, _with_codes(labels, rows, name))
        return labels


def _with_codes(labels: NDArray[np.int64], rows: Microdata, name: str) -> NDArray[np.int64]:
    return np.asarray(labels * (1 + len(rows.schema[name].categories)) + (rows[name] + 1))


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The sample of any rows of a file: which are drawn, and the weights that they have then."""

    strata: Strata
    sample: SimpleSample
    factor: NDArray[np.float64]
    weights: tuple[str, ...]

    def kept(self, rows: Microdata, context: Context, first: int) -> NDArray[np.int64]:
        """Return which of the rows from row `first` on are drawn."""
        return self.sample.rows(self.strata.of(rows), context, first)

    def weighted(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the weights of rows, times the records that each stands for."""
        factor = self.factor[self.strata.of(rows)]
        return [_weighted(rows.column(name), factor) for name in self.weights]


def _warnings(
    file: Passes,
    unique: Mapping[str, NDArray[np.float64]],
    drawing: _Drawing,
    context: Context,
    size: int,
) -> list[str]:
    """Return the survey's warning about continuous quasi-identifiers with unique values."""
    if not unique:
        return []
    alone, first = dict.fromkeys(unique, 0), 0
    for piece in file.pieces(list(dict.fromkeys([*drawing.strata.names, *unique]))):
        rows = drawing.kept(piece, context, first)
        first += len(piece)
        for name, values in unique.items():
            alone[name] += int(np.isin(piece[name][rows], values).sum())
            alone[name] += int(np.isnan(values[-1]) and np.isnan(piece[name][rows]).sum())
    return [
        f"sampling leaves '{name}', which is continuous, as it is: {count / size:.1%} of the "
        "sampled records have a value that no other record of the file has, and can be found by it "
        "in any other file that has it; treat it with a method for continuous columns"
        for name, count in alone.items()
        if count
    ]


def shares_of(sizes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return how many records each stratum gives to a sample, in proportion to its size.

    >>> shares_of(np.array([50, 30, 3]), 10)
    array([6, 3, 1])
    """
    if not len(sizes):
        return sizes
    if size < len(sizes):
        raise UsageError(
            f"a stratified sample needs a record of every stratum, but there are {len(sizes)} "
            f"strata and {size} {'record is' if size == 1 else 'records are'} to be released; "
            "sample more, or join strata"
        )
    exact = sizes * (size / sizes.sum())
    given = np.clip(np.floor(exact), 1, sizes).astype(np.int64)
    while (left := size - int(given.sum())) != 0:
        # The largest remainders first; any excess, since small strata get one, is taken back
        # likewise.
        rest = (exact - given) * np.sign(left)
        rest[given == sizes if left > 0 else given == 1] = -np.inf
        order = np.argsort(-rest, kind="stable")[: abs(left)]
        given[order[np.isfinite(rest[order])]] += np.sign(left)
    return np.asarray(given)


def _weighted(column: Column, factor: NDArray[np.float64]) -> Column:
    if not column.attribute.continuous:
        raise DataError(
            f"the weight '{column.name}' must be continuous to be adjusted, but it is "
            f"{column.attribute.kind}; say so when reading"
        )
    return column.with_values(column.values * factor)
