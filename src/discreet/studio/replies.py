"""What a page replies with, as plain data; `application.py` turns it into what goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Page:
    """A screen: a template with its values; where it is shown already, only the middle is sent."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True)
class Fragment:
    """A part of a screen."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True)
class Redirect:
    """Another address of the studio."""

    to: str


@dataclass(frozen=True)
class Download:
    """A file to be saved under a name."""

    path: Path
    name: str


@dataclass(frozen=True)
class Saved:
    """Text to be saved under a name."""

    content: bytes
    name: str


@dataclass(frozen=True)
class Report:
    """A report, shown as it is: a whole page with its own style and no script."""

    path: Path


@dataclass(frozen=True)
class Asset:
    """A style sheet or script of the studio itself."""

    content: bytes
    media: str


Reply = Page | Fragment | Redirect | Download | Saved | Report | Asset
