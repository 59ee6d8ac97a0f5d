"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click


def data_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that override what is detected about a CSV file, as one mapping."""

    @click.option("--delimiter", help="The delimiter of a CSV file, if detected wrongly.")
    @click.option("--encoding", help="The encoding of a CSV file, if detected wrongly.")
    @click.option("--decimal", help="The decimal sign of a CSV file, if detected wrongly.")
    @click.option(
        "--dates",
        type=click.Choice(["day-first", "month-first"]),
        help="Whether 01/02/1990 is in February or in January, if detected wrongly.",
    )
    @wraps(function)
    def with_options(*args: Any, **kwargs: Any) -> Any:
        given = {name: kwargs.pop(name) for name in ("delimiter", "encoding", "decimal", "dates")}
        options = {name: value for name, value in given.items() if value is not None}
        return function(*args, options=options, **kwargs)

    return with_options


allow_outside_option = click.option(
    "--allow-outside",
    is_flag=True,
    help="Let the steps of the plan name files outside its folder; only for plans that you trust.",
)
