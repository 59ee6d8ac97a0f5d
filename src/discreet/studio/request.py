"""What is asked of a page: which work, which fields, in which language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from discreet.errors import UsageError

if TYPE_CHECKING:
    from discreet.studio.state import Studio
    from discreet.studio.work import Work


@dataclass(frozen=True)
class Ask:
    """A request, without anything of the web framework in it."""

    studio: Studio
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, Sequence[str]] = field(default_factory=dict)
    language: str = "en"
    partial: bool = False

    @property
    def work(self) -> Work:
        """The work that the address names."""
        return self.studio.work(self.path["plan"])

    @property
    def place(self) -> str:
        """The place of the work's plan below the studio's folder."""
        return self.path["plan"]

    def url(self, screen: str, **query: object) -> str:
        """Return the address of a screen of this work."""
        asked = f"?{urlencode(query)}" if query else ""
        return f"/w/{quote(self.place)}/{screen}{asked}"

    def text(self, name: str, default: str = "") -> str:
        """Return a field of the form, the last if it is there several times."""
        values = self.form.get(name, ())
        return values[-1] if values else default

    def number(self, name: str) -> int:
        """Return a whole number from the form or the address."""
        given = self.path.get(name) or self.query.get(name) or self.text(name)
        try:
            return int(given)
        except ValueError:
            raise UsageError(f"'{name}' must be a whole number; load the page again") from None
