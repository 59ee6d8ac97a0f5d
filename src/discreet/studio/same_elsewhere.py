"""The same elsewhere: what a plan is as commands for a terminal, and as lines of Python."""

from __future__ import annotations

import shlex
from pathlib import Path
from pprint import pformat

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
    recipes = [step.recipe() for step in plan.steps]
    roles = dict(plan.roles)
    kinds = dict(plan.kinds)
    claims = dict(plan.claims)
    file = plan.file or "people.csv"
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
            f"data = discreet.read({file!r},",
            f"    roles={_indented(roles)},",
            f"    kinds={_indented(kinds)})",
            f"release = discreet.protect(data, {_indented(recipes)},",
            f"    claims={claims!r}, keep_decimals=True)",
        ]
    )


def _indented(value: object) -> str:
    return pformat(value, width=90, sort_dicts=False).replace("\n", "\n    ")
