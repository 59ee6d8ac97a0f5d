"""The words of the pages, a catalogue for each language; English is the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from discreet.release.plan_file import read_plan_text

LANGUAGES = ("en", "de")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the texts of a language by their keys.

    >>> catalogue("en")["open.title"]
    'Open a file'
    """
    content = read_plan_text(Path(__file__).parent / f"{language}.yaml").content
    return dict(_flat(content, ""))


def _flat(content: Mapping[str, Any], above: str) -> list[tuple[str, str]]:
    entries: list[tuple[str, str]] = []
    for key, value in content.items():
        if isinstance(value, dict):
            entries += _flat(value, f"{above}{key}.")
        else:
            entries.append((f"{above}{key}", str(value)))
    return entries


def translator(language: str) -> Callable[..., str]:
    """Return the function that gives a text by its key, with figures filled in.

    A word of the package that a catalogue does not have yet, such as a new role, is shown as it is.

    >>> translator("en")("history.plan", number=3)
    'Plan 3'
    """
    texts = {**catalogue("en"), **catalogue(language)}

    def text(key: str, **values: object) -> str:
        template = texts.get(key, key.rpartition(".")[2])
        return template.format(**values) if values else template

    return text


def preferred(accepted: str) -> str:
    """Return the language that a browser prefers, of those that there are.

    >>> preferred("de-AT,de;q=0.9,en;q=0.8"), preferred("fr")
    ('de', 'en')
    """
    for part in accepted.split(","):
        language = part.split(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"
