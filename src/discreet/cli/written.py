"""What a release directory holds, for the terminal."""

from __future__ import annotations

from pathlib import Path


def written(directory: Path) -> str:
    """Return the list of files in a release directory, the private ones marked."""
    lines = [f"Wrote to {directory}:"]
    for file in sorted(directory.iterdir()):
        private = " (private)" if not file.stat().st_mode & 0o077 else ""
        lines.append(f"  {file.name}{private}")
    return "\n".join(lines)
