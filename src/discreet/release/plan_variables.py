"""Variables of a plan: `${INFILE}` stands for a value that is given when the plan is run.

A value comes from the person who runs the plan (`--set INFILE=may.csv`, in Python `variables=`),
or, below `data:` only, from the environment. A plan may come from somebody else, and what a step
says is published: the environment of a pipeline, with its passwords, must not end up there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from discreet.errors import UsageError, nearest

VARIABLE = re.compile(r"(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
FROM_ENVIRONMENT = "data"
"""The part of a plan whose variables the environment may give."""


class Unset(Exception):
    """A variable has no value; the text says what to do."""


@dataclass(frozen=True)
class Variables:
    """The values given to the variables of a plan when it is run.

    >>> Variables({"MONTH": "may"}).filled("data/${MONTH}.csv", ("data", "file"))
    'data/may.csv'
    """

    stated: Mapping[str, str] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set, repr=False)

    def filled(self, text: str, path: tuple[str | int, ...]) -> str:
        """Return a text of the plan with the values of its variables."""
        return VARIABLE.sub(lambda variable: self._value(variable, path), text)

    def _value(self, match: re.Match[str], path: tuple[str | int, ...]) -> str:
        escaped, name = match.groups()
        if escaped:
            return match[0][1:]
        if name in self.stated:
            self._used.add(name)
            return self.stated[name]
        if path[:1] == (FROM_ENVIRONMENT,):
            if name in os.environ:
                return os.environ[name]
            raise Unset(
                f"the variable {name} has no value; set it in the environment, or with "
                f"--set {name}=VALUE"
            )
        raise Unset(
            f"the variable {name} has no value; give it with --set {name}=VALUE (environment "
            "variables are used only below 'data:', since what is written here is published)"
        )

    def refuse_unused(self, plan: str) -> None:
        """Refuse a value for a variable that the plan does not have: it would be ignored silently.

        >>> Variables({"INFLIE": "may.csv"}).refuse_unused("plan.yaml")
        Traceback (most recent call last):
        discreet.errors.UsageError: the plan 'plan.yaml' has no variable ${INFLIE}, for which ...
        """
        for name in self.stated:
            if name not in self._used:
                raise UsageError(
                    f"the plan '{plan}' has no variable ${{{name}}}, for which a value was given"
                    f"{nearest(name, self._used)}; write it there, or leave out the value"
                )


class NoVariables(Variables):
    """For texts that are not run as a plan."""

    def _value(self, match: re.Match[str], path: tuple[str | int, ...]) -> str:
        if match[1]:
            return match[0][1:]
        raise Unset(
            f"the variable {match[2]} has a value only where a plan file is run ('discreet "
            "protect' and the like, Plan.load); write the value itself here"
        )


def is_variable(text: str) -> bool:
    """Whether a text is one variable and nothing else: its value may then be a number.

    >>> is_variable("${K}"), is_variable("file-${K}"), is_variable("$${K}")
    (True, False, False)
    """
    variable = VARIABLE.fullmatch(text)
    return variable is not None and not variable[1]


def escaped(text: str) -> str:
    """Return a text as it is written in a plan, in which `$${K}` is read as `${K}`.

    >>> escaped("costs ${K}"), unescaped("costs $${K}")
    ('costs $${K}', 'costs ${K}')
    """
    return VARIABLE.sub(lambda variable: f"${variable[0]}", text)


def unescaped(text: str) -> str:
    """Return the name that a key of a plan stands for; keys have no variables."""
    return VARIABLE.sub(lambda variable: variable[0][1:] if variable[1] else variable[0], text)


def stated_variables(given: Iterable[str]) -> dict[str, str]:
    """Return the variables that a command line sets, as `NAME=VALUE`.

    >>> stated_variables(["K=5", "FILE=a=b.csv"])
    {'K': '5', 'FILE': 'a=b.csv'}
    """
    variables = {}
    for setting in given:
        name, equals, value = setting.partition("=")
        if not equals or not is_variable(f"${{{name}}}"):
            raise UsageError(
                f"a variable is given as --set NAME=VALUE, but '{setting}' is not of this form; "
                "names have letters, digits and underscores"
            )
        variables[name] = value
    return variables
