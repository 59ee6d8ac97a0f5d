"""Fetch what others wrote and the studio serves, or is tested with, and note version and checksum.

`make vendor` runs this; it needs npm and its registry. `vendored.json` says what is there; a test
compares the files with it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
STATIC = PROJECT / "src" / "discreet" / "studio" / "static"
TESTS = PROJECT / "tests" / "studio" / "vendored"
WANTED = {
    STATIC: ("htmx.org", {"dist/htmx.min.js": "htmx.min.js", "LICENSE": "htmx-LICENSE.txt"}),
    TESTS: ("axe-core", {"axe.min.js": "axe.min.js", "LICENSE": "axe-LICENSE.txt"}),
}
NOTED = "vendored.json"


def main() -> int:
    """Fetch the newest versions."""
    for folder, (package, files) in WANTED.items():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            subprocess.run(["npm", "pack", "--silent", package], cwd=place, check=True)
            [archive] = place.glob("*.tgz")
            with tarfile.open(archive) as packed:
                packed.extractall(place, filter="data")
            about = json.loads((place / "package" / "package.json").read_text(encoding="utf-8"))
            for source, target in files.items():
                shutil.copyfile(place / "package" / source, folder / target)
        noted = {
            "package": package,
            "version": about["version"],
            "licence": about["license"],
            "sha256": {target: checksum(folder / target) for target in files.values()},
        }
        (folder / NOTED).write_text(json.dumps(noted, indent=1) + "\n", encoding="utf-8")
        print(f"{package} {about['version']} in {folder.relative_to(PROJECT)}")
    return 0


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
