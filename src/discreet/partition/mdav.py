"""MDAV, the fixed-size partition of classic microaggregation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Context, Groups, Partition
from discreet.contracts.partition import require_records
from discreet.embedding import SCALINGS, Embedding
from discreet.microdata import Microdata
from discreet.parameters import param
from discreet.spec import Spec


class MDAV(Partition):
    """Groups of k records, formed from the outside in.

    The record farthest from the average, with its k − 1 nearest, makes a group; so does the
    record farthest from that one; and again with the records that are left. Records at equal
    distance are taken in the order of the file, so the groups are a function of the data alone.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41, 80, 81]}, roles={"age": "quasi-identifier"})
    >>> MDAV(k=2).groups(data, ["age"], Context()).labels
    array([1, 1, 2, 2, 0, 0])
    """

    spec: ClassVar[Spec] = Spec(
        name="mdav",
        title="MDAV: maximum distance to average vector",
        citation="Domingo-Ferrer, A survey of inference control methods, Algorithm 1.1",
        missing="a category of its own: at the centre of its column, one step from every value",
        guarantees=("k-anonymity",),
    )

    k: int = param(default=5, help="least number of records in a group", at_least=2)
    scaling: str = param(
        default="standard",
        help="what a column is divided by before distances are taken: its standard deviation, "
        "its range, its interquartile range (robust), or nothing",
        choices=SCALINGS,
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of k to 2k − 1 records."""
        require_records(data, self.k, "MDAV")
        from discreet.kernels.mdav import mdav_labels

        points = Embedding.fit(data, columns, self.scaling).points(data)
        with context.task("grouping records", len(data)) as advance:
            labels = mdav_labels(points, self.k, advance)
        return Groups(labels, least_size=self.k)
