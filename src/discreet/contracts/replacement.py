"""Replacement: a way of replacing the values within each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts.context import Context
from discreet.contracts.parameters import Component
from discreet.contracts.partition import Groups
from discreet.microdata import Column, Microdata
from discreet.microdata.labels import KnownLabels


class Replacement(Component):
    """Replaces the values of the given columns group by group.

    `equalises` says that all records of a group get the same values, so that groups of k make the
    columns k-anonymous. `draws` says that the values are drawn for the group as a whole, so that
    they carry nothing of any single record. A replacement that guarantees probabilistic k-anonymity
    assigns values regardless of which record of the group is which.
    """

    family: ClassVar[str] = "replacement"
    equalises: ClassVar[bool] = False
    draws: ClassVar[bool] = False

    def labels(self, data: Microdata, columns: Sequence[str]) -> dict[str, KnownLabels]:
        """Return what labels that cannot be read from their text stand for; see `Method.labels`."""
        return {}

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return only the changed columns."""
        raise TypeError(f"{type(self).__name__} does not say how to replace values")
