"""Versions; that of discreet is stated once, in pyproject.toml."""

from __future__ import annotations

from functools import cache


@cache
def version(distribution: str = "discreet") -> str:
    """Return the installed version; looking it up costs as much as the rest of the import.

    >>> version().count(".")
    2
    """
    from importlib.metadata import version as installed

    return installed(distribution)
