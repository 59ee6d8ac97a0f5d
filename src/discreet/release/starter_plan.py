"""Writing a starter plan from a description: a file that a person goes through and corrects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from discreet.microdata import Kind
from discreet.release.describing import Description, Suggestion

DEFAULT_K = 5
PLAIN = re.compile(r"[^\W\d][\w./-]*")
WORDS = {"null", "true", "false"}


def starter_plan(
    description: Description,
    data_file: str | Path,
    options: Mapping[str, str] | None = None,
) -> str:
    """Return the text of a plan with the suggested roles, each with its reason beside it.

    `options` are those that the file was read with, such as a delimiter.

    >>> import discreet
    >>> print(starter_plan(discreet.describe({"age": [31, 47]}), "people.csv"))
    # A starter plan for people.csv. Check every role and kind, then
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
        f"# A starter plan for {_scalar(Path(data_file).name)}. Check every role and kind, then",
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
    """Return a name as YAML that is read back as the same text, whatever it looks like."""
    if not isinstance(value, str):
        return str(yaml.safe_dump(value)).removesuffix("\n").removesuffix("\n...")
    text = value
    if PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    return str(yaml.safe_dump(text, default_style='"', allow_unicode=True, width=2**30)).rstrip()
