"""Where the reference data are: $DISCREET_DATA, or shared/data beside the project."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def reference_data() -> Path | None:
    """Return the folder of the reference data, or say that it is missing."""
    folder = Path(os.environ.get("DISCREET_DATA", PROJECT.parent / "shared" / "data"))
    if (folder / "casc_census.csv").is_file():
        return folder
    print("skipped: the reference data are not here; set DISCREET_DATA to their folder")
    return None
