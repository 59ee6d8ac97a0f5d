"""Install the wheel in an empty environment and run it there, as a user without extras would.

`make wheel` runs this. What it installs is what pyproject.toml declares, so a library that is
imported and not declared is missing: every module of the package is imported, then the demo runs.
Needs the package index, and about a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

PROJECT = Path(__file__).resolve().parents[1]
IMPORT_ALL = """
import importlib, pkgutil, discreet
modules = [info.name for info in pkgutil.walk_packages(discreet.__path__, "discreet.")]
for name in modules:
    importlib.import_module(name)
print(f"{len(modules)} modules imported from {discreet.__path__}")
"""
WRITTEN = {
    "release.csv",
    "manifest.json",
    "record.json",
    "report-internal.html",
    "report-public.html",
}


def main() -> int:
    """Build, install, import and run; return 0 if the demo wrote what it should."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        [wheel] = WheelBuilder(str(PROJECT)).build(directory=str(folder), versions=["standard"])
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = programs / "python"
        run(folder, python, "-m", "pip", "install", "--quiet", "--no-compile", wheel)
        run(folder, python, "-m", "pip", "check")
        run(folder, python, "-c", IMPORT_ALL)
        run(folder, programs / "discreet", "demo", "--out", "release")
        missing = WRITTEN - {path.name for path in (folder / "release").iterdir()}
    if missing:
        print(f"the demo did not write {', '.join(sorted(missing))}", file=sys.stderr)
    return 1 if missing else 0


def run(folder: Path, *command: str | Path) -> None:
    """Run a command in the folder, away from the sources; a failure ends the check."""
    # What the caller put on Python's path would stand in for what the wheel lacks.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([str(word) for word in command], cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
