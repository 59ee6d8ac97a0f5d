"""The same elsewhere: what a plan is as commands for a terminal, and as lines of Python."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from pprint import pformat
from typing import Any

from discreet.io.database import is_address
from discreet.release.plan import Plan


def commands(plan: Path) -> str:
    """Return the commands that do the same.

    >>> print(commands(Path("plan.yaml")))
    discreet protect plan.yaml --out release
    discreet verify release
    discreet report release
    """
    return (
        f"discreet protect {shlex.quote(str(plan))} --out release\n"
        "discreet verify release\n"
        "discreet report release"
    )


def python(plan: Plan, path: Path) -> str:
    """Return the lines of Python that do the same: with the plan, and without it.

    >>> plan = Plan.parse("data: people.csv\\ncolumns: {age: key}\\nsteps: [rounding]")
    >>> print(python(plan, Path("plan.yaml")).splitlines()[0])
    import discreet
    """
    file = plan.file or "people.csv"
    place = file if is_address(file) else os.path.abspath(plan.folder / file)
    reading: dict[str, Any] = {
        "roles": dict(plan.roles),
        "kinds": dict(plan.kinds),
        "levels": dict(plan.levels),
        "unit": plan.unit,
        "columns": None if plan.keep_unnamed or plan.strict else list(plan.columns),
        "missing": dict(plan.missing),
        "keep_codes": plan.keep_codes,
        **plan.options,
    }
    protecting: dict[str, Any] = {
        "claims": dict(plan.claims),
        "allow": list(plan.allow),
        "rules": list(plan.rules),
        "calibrate": list(plan.calibrate),
        "keep_decimals": plan.keep_decimals,
        "hold_back": plan.hold_back,
    }
    recipes = [step.recipe() for step in plan.steps]
    order = [] if plan.shuffle else ["    shuffle=False,"]
    return "\n".join(
        [
            "import discreet",
            "",
            f"plan = discreet.Plan.load({str(path)!r})",
            "release = plan.run()",
            "print(discreet.assess(release.original, release))",
            'release.write("release")',
            "",
            "# the same without the plan",
            f"data = discreet.read({place!r},",
            *_stated(reading),
            ")",
            f"release = discreet.protect(data, {_indented(recipes)},",
            *order,
            *_stated(protecting),
            ")",
        ]
    )


def _stated(arguments: Mapping[str, Any]) -> list[str]:
    """Return the arguments that differ from their defaults, one on each line."""
    return [f"    {name}={_indented(value)}," for name, value in arguments.items() if value]


def _indented(value: object) -> str:
    return pformat(value, width=90, sort_dicts=False).replace("\n", "\n    ")
