"""Print the lowest version of every dependency that pyproject.toml allows, as pip constraints.

`make lowest` installs these and runs the tests, so that the lower bounds are measured and not
guessed.

>>> pinned("scikit-learn>=1.4")
'scikit-learn==1.4'
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
LOWER_BOUND = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9][0-9.]*)")


def pinned(requirement: str) -> str:
    """Return the requirement at its lower bound; one without a bound is an error."""
    match = LOWER_BOUND.match(requirement)
    if match is None:
        raise ValueError(f"the requirement '{requirement}' has no lower bound 'name>=version'")
    return "{}=={}".format(*match.groups())


def constraints(extras: list[str]) -> list[str]:
    """Return the core dependencies and those of `extras`, each at its lower bound."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"]]
    for extra in extras:
        requirements += project["optional-dependencies"][extra]
    return sorted({pinned(requirement) for requirement in requirements})


if __name__ == "__main__":
    print("\n".join(constraints(sys.argv[1:])))
