"""The report of a release: typed content first (`collect`, `public`), then HTML (`render`).

It comes in two forms. The internal one shows original figures beside the released ones and stays
private; the public one holds only what a reader of the release may know.
"""

from __future__ import annotations

from discreet.report.collecting import collect
from discreet.report.from_manifest import from_manifest
from discreet.report.html import render
from discreet.report.public_form import public

__all__ = ["collect", "from_manifest", "public", "render"]
