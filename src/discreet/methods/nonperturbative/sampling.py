"""Sampling: a sample of the records is released."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Kind, Microdata, Role, unknown_column
from discreet.microdata.clusters import split_clusters
from discreet.microdata.equivalence import class_sizes, classes


class Sampling(Method):
    """Releases a simple random sample without replacement, of the whole file or in each stratum.

    Strata are the records that agree in the columns of `strata`. The sample is shared out over
    them in proportion to their records, each getting at least one; what rounding leaves over goes
    to the largest remainders.

    The values of a column with the role weight are multiplied by the records of the stratum over
    those sampled from it, so that weighted totals stay unbiased. Without such a column the factors
    are in a note.

    Records are drawn, not households; where a column has the role household, a note says how many
    are in the sample with part of their members.

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
        unique = self._unique(data)
        size = round(self.fraction * len(data)) if self.size is None else self.size
        if self.size is not None and self.size > len(data):
            raise UsageError(
                f"size of Sampling must be at most the {len(data)} records of the data, but "
                f"{self.size} was given"
            )
        if not size:
            raise UsageError(
                f"fraction of Sampling must leave at least one of the {len(data)} records, but "
                f"{self.fraction:g} was given; give a larger one, or a size"
            )
        strata, sizes = self._strata(data)
        sampled = shares_of(sizes, size)
        rows = _drawn(strata, sizes, sampled, context.generator("sample"))
        table = data.take(rows)
        factor = sizes / np.maximum(sampled, 1)
        weights = [
            _weighted(table.column(name), factor[strata[rows]]) for name in data.having(Role.WEIGHT)
        ]
        notes = [f"{len(rows)} of {len(data)} records sampled" + self._in_strata(sizes)]
        if not weights and len(rows):
            notes.append(
                f"there is no column with the role weight: each sampled record stands for "
                f"{factor.min():.6g}"
                + ("" if factor.min() == factor.max() else f" to {factor.max():.6g}")
                + " records of the file"
            )
        return Masked(
            table.replace(weights),
            notes=(*notes, *split_clusters(data, rows), *_warnings(unique, rows)),
            origin=rows,
        )

    def _in_strata(self, sizes: NDArray[np.int64]) -> str:
        return f" in {len(sizes)} strata" if self.strata else ""

    def _strata(self, data: Microdata) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        for name in self.strata or ():
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by="Sampling"))
            if data.schema[name].continuous:
                raise DataError(
                    f"the strata of Sampling are made of ordinal or nominal columns, but '{name}' "
                    "is continuous; recode it into intervals first"
                )
        labels = classes(data, self.strata or ())
        return labels, np.bincount(labels)

    def _unique(self, data: Microdata) -> dict[str, NDArray[np.bool_]]:
        """Mark the records with a unique value in a continuous quasi-identifier.

        Unique in the file that is sampled: a value that several records have, such as the centre of
        a group, identifies nobody, even if only one of them is drawn. A file with nothing but such
        columns is refused.
        """
        names = data.quasi_identifiers
        if not names:
            self.treated(data, None)
        marks = {
            name: class_sizes(data, [name]) == 1 for name in names if data.schema[name].continuous
        }
        unique = {name: alone for name, alone in marks.items() if alone.any()}
        if unique and len(marks) == len(names):
            raise DataError(
                f"Sampling treats ordinal and nominal columns, but '{next(iter(unique))}' is "
                "continuous, like all quasi-identifiers, and has values that occur once; let a "
                "method for continuous columns, such as microaggregation or global-recoding, "
                "treat it in an earlier step"
            )
        return unique


def _warnings(unique: dict[str, NDArray[np.bool_]], rows: NDArray[np.int64]) -> tuple[str, ...]:
    """Return the survey's warning about continuous quasi-identifiers with unique values."""
    return tuple(
        f"sampling leaves '{name}', which is continuous, as it is: {alone[rows].mean():.1%} of the "
        "sampled records have a value that no other record of the file has, and can be found by it "
        "in any other file that has it; treat it with a method for continuous columns"
        for name, alone in unique.items()
        if alone[rows].any()
    )


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
        # The largest remainders first; any excess, because small strata get one, is taken back
        # likewise.
        rest = (exact - given) * np.sign(left)
        rest[given == sizes if left > 0 else given == 1] = -np.inf
        order = np.argsort(-rest, kind="stable")[: abs(left)]
        given[order[np.isfinite(rest[order])]] += np.sign(left)
    return np.asarray(given)


def _drawn(
    strata: NDArray[np.int64],
    sizes: NDArray[np.int64],
    sampled: NDArray[np.int64],
    generator: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw from every stratum its first records in a random order of all."""
    order = generator.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    place = np.arange(len(strata)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(np.sort(order[place < np.repeat(sampled, sizes)]))


def _weighted(column: Column, factor: NDArray[np.float64]) -> Column:
    if not column.attribute.continuous:
        raise DataError(
            f"the weight '{column.name}' must be continuous to be adjusted, but it is "
            f"{column.attribute.kind}; say so when reading"
        )
    return column.with_values(column.values * factor)
