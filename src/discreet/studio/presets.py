"""Presets: steps to start from by the purpose of a release, as the page on choosing has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from discreet.errors import UsageError, nearest
from discreet.release.plan_file import read_plan_text


@dataclass(frozen=True)
class Preset:
    """A purpose with the steps and claims that suit it."""

    name: str
    steps: Sequence[Mapping[str, Any]]
    claims: Mapping[str, float]


@cache
def presets() -> tuple[Preset, ...]:
    """Return all presets.

    >>> presets()[0].name
    'scientific-use'
    """
    listed = read_plan_text(Path(__file__).with_name("presets.yaml")).content
    return tuple(
        Preset(name, entry["steps"], entry.get("claims") or {}) for name, entry in listed.items()
    )


def preset(name: str) -> Preset:
    """Return one preset."""
    known = {each.name: each for each in presets()}
    if name not in known:
        raise UsageError(f"there is no preset '{name}'{nearest(name, known)}")
    return known[name]
