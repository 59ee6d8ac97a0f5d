"""Writing a starter plan from a description: a file that a person goes through and corrects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from discreet.describing import Description, Suggestion
from discreet.schema import Kind

DEFAULT_K = 5


def starter_plan(
    description: Description,
    data_file: str | Path,
    options: Mapping[str, str] | None = None,
) -> str:
    """Return the text of a plan with the suggested roles, each with its reason beside it.

    `options` are those that the file was read with, such as a delimiter.

    >>> import discreet
    >>> print(starter_plan(discreet.describe({"age": [31, 47]}), "people.csv"))
    # A starter plan for people.csv. Check every role and kind, then run
    #     discreet protect THIS_FILE
    version: 1
    data:
      file: people.csv
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
    lines = [
        f"# A starter plan for {Path(data_file).name}. Check every role and kind, then run",
        "#     discreet protect THIS_FILE",
        "version: 1",
        "data:",
        f"  file: {_scalar(str(data_file))}",
        *(f"  {name}: {_scalar(value)}" for name, value in (options or {}).items()),
        "columns:",
    ]
    for column in description.columns:
        lines += [f"  # {column.reason}", f"  {_scalar(column.name)}: {_entry(column)}"]
    if not description.quasi_identifiers:
        lines.append(
            "  # No column looks like a quasi-identifier: the step below needs at least one."
        )
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


def _entry(column: Suggestion) -> str:
    parts = [f"role: {column.role}", f"kind: {column.kind}"]
    if column.kind is Kind.ORDINAL and column.categories:
        parts.append(f"categories: [{', '.join(_scalar(c) for c in column.categories)}]")
    return "{" + ", ".join(parts) + "}"


def _scalar(value: Any) -> str:
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=2**30, explicit_end=False
    )
    text = text.removesuffix("\n").removesuffix("\n...")
    # Inside braces and brackets these need quotes that a plain scalar on its own does not.
    plain = not text.startswith(("'", '"'))
    if plain and isinstance(value, str) and any(mark in value for mark in ",[]{}#:&*!|>%@`"):
        return "'" + value.replace("'", "''") + "'"
    return text
