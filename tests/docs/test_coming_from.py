"""The tables of the pages for those who come from other tools: what a row names is run there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.executing import FENCE

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMED_ELSEWHERE = {
    "discreet explore": "exploring.md",
    "discreet hierarchy FILE COLUMN --out h.csv": "hierarchies.md",
    "manifest.json": "every console block with a release is verified",
    "kind": "the kinds in the examples are its values",
    "copies": "analysts.md",
}
"""What a row names and another page runs."""


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if re.match(r"\| (?!---)", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@pytest.mark.parametrize("page", ["sdcmicro.md", "arx.md", "synthpop.md"])
def test_what_a_row_names_is_run(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    run = " ".join(
        content for language, content in FENCE.findall(text) if language in ("python", "console")
    ) + " ".join(content for language, content in FENCE.findall(text) if language == "yaml")
    plain = re.sub(r"['\"{}]", " ", run).lower()
    missing = []
    for row in rows(text):
        cell = row[1] if len(row) > 1 else ""
        for name in [
            *re.findall(r"`([^`]+)`", cell),
            *re.findall(r"reference/\w+/([a-z-]+)", cell),
        ]:
            if name in NAMED_ELSEWHERE:
                continue
            words = re.findall(r"--[a-z-]+|[a-z_-]{2,}", name.replace("FILE", "").lower())
            if not all(
                re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain) for word in words
            ):
                missing.append(f"{row[0]}: {name}")
    assert missing == []
