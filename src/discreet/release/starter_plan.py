"""Writing a starter plan from a description: a file for a person to check and correct."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.microdata import Kind, Role
from discreet.release.describing import Description, Suggestion
from discreet.release.plan_file import dump
from discreet.release.plan_schema import types_of

DEFAULT_K = 5


def starter_plan(
    description: Description,
    data_file: str | Path,
    options: Mapping[str, str] | None = None,
) -> str:
    """Return the text of a plan with the suggested roles, each with its reason beside it.

    `options` are the options the file was read with, such as a delimiter.

    >>> import discreet
    >>> print(starter_plan(discreet.describe({"age": [31, 47]}), "people.csv"))
    # A starter plan for people.csv. Check every role and kind, then
    #     discreet protect THIS_FILE
    version: 1
    data:
      file: people.csv
    schema: strict  # a file with other columns or types is refused
    columns:
      # its name says 'age': others may know it
      age: {role: quasi-identifier, kind: continuous}
    steps:
      - microaggregation:
          partition: {mdav: {k: 5}}
          replacement: centroid
    claims:
      k-anonymity: 5
    release:
      shuffle: true
    <BLANKLINE>
    """
    name = dump(Path(data_file).name, inline=True)
    lines = [
        f"# A starter plan for {name}. Check every role and kind, then",
        "#     discreet protect THIS_FILE",
        "version: 1",
        "data:",
        f"  file: {dump(str(data_file), inline=True)}",
        *(f"  {name}: {dump(value, inline=True)}" for name, value in (options or {}).items()),
        "schema: strict  # a file with other columns or types is refused",
        "columns:",
    ]
    types = types_of(description.data)
    for column in description.columns:
        entry = _entry(column, types.get(column.name))
        lines += [f"  # {column.reason}", f"  {dump(column.name, inline=True)}: {entry}"]
    if not description.quasi_identifiers:
        lines.append(
            "  # No column looks like a quasi-identifier: the step below needs at least one."
        )
    coded = [column for column in description.columns if column.missing_codes]
    if coded:
        lines.append(
            "# These look like codes for missing values; delete those that are real values."
        )
        lines.append("missing:")
    for column in coded:
        codes = [c if isinstance(c, str) else int(c) for c in column.missing_codes]
        lines.append(f"  {dump(column.name, inline=True)}: {dump(codes, inline=True)}")
    lines += [
        "steps:",
        "  - microaggregation:",
        f"      partition: {{mdav: {{k: {DEFAULT_K}}}}}",
        "      replacement: centroid",
        "claims:",
        f"  k-anonymity: {DEFAULT_K}",
        "release:",
        "  shuffle: true",
    ]
    return "\n".join(lines) + "\n"


def _entry(column: Suggestion, type_held: str | None) -> str:
    entry: dict[str, Any] = {"role": column.role.value, "kind": column.kind.value}
    # A continuous column holds numbers by its kind, and an identifier is not released.
    if type_held and column.kind is not Kind.CONTINUOUS and column.role is not Role.IDENTIFIER:
        entry["type"] = type_held
    if column.kind is Kind.ORDINAL and column.categories:
        entry["categories"] = column.categories
    if column.level is not None:
        entry["level"] = column.level.value
    return dump(entry, inline=True)
