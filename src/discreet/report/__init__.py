"""The report of a release: plain data first (`collect`, `public`), then HTML (`render`).

It comes in two forms. The internal one shows original figures beside the released ones and stays
in the house; the public one is made of what a reader of the release may know.
"""

from __future__ import annotations

from discreet.report.content import collect, from_manifest, public
from discreet.report.html import render

__all__ = ["collect", "from_manifest", "public", "render"]
