"""The table, its schema, and the ways to look at it: classes, points, codes, ranks, dates."""

from discreet.microdata.arrays import Numbers
from discreet.microdata.schema import Attribute, Kind, Level, Role, Schema
from discreet.microdata.table import MISSING_CODE, Column, Microdata, Source
from discreet.microdata.unknown_column import unknown_column

__all__ = [
    "MISSING_CODE",
    "Attribute",
    "Column",
    "Kind",
    "Level",
    "Microdata",
    "Numbers",
    "Role",
    "Schema",
    "Source",
    "unknown_column",
]
