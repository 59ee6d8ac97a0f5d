"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    Parameter = click.ParamType[Path | str]
else:  # the lowest version that is declared has no generic one
    Parameter = click.ParamType

NAMES = ("delimiter", "encoding", "decimal", "dates", "sheet", "table", "query", "layout")


def data_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a file is read, as one mapping."""

    @click.option("--delimiter", help="The delimiter of a CSV file, if detected wrongly.")
    @click.option("--encoding", help="The encoding of a CSV file, if detected wrongly.")
    @click.option("--decimal", help="The decimal mark of a CSV file, if detected wrongly.")
    @click.option(
        "--dates",
        type=click.Choice(["day-first", "month-first"]),
        help="Whether 01/02/1990 is in February or in January, if detected wrongly.",
    )
    @click.option("--sheet", help="The sheet of an Excel file, if not the first.")
    @click.option("--table", help="The table of a database, if it has several.")
    @click.option("--query", help="A query, if FILE is the address of a database.")
    @click.option("--layout", help="The layout file of a fixed-width file, beside it.")
    @wraps(function)
    def with_options(*args: Any, **kwargs: Any) -> Any:
        given = {name: kwargs.pop(name) for name in NAMES}
        options = {name: value for name, value in given.items() if value is not None}
        return function(*args, options=options, **kwargs)

    return with_options


class FileOrAddress(Parameter):
    """The name of a file, or the address of a database, such as postgresql://localhost/study."""

    name = "path"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """Return an address as text, and all else as a path."""
        from discreet.io.database import is_address

        return str(value) if is_address(value) else Path(value)


variables_option = click.option(
    "--set",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of a variable, written ${NAME} in the plan; may be given several times. Under "
    "'data:', values that are not set come from environment variables.",
)

allow_outside_option = click.option(
    "--allow-outside",
    is_flag=True,
    help="Allow the plan's steps to name files outside its folder; only for plans that you trust.",
)
