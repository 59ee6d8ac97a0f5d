"""The pages on the commands and on the Python names, made from their own help texts."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import click

import discreet
from discreet.cli.main import cli
from discreet.contracts.explaining import description
from docs.markup import fenced, joined, prose, table
from docs.snippets import docstring_example


def commands() -> str:
    parts = ["# Commands", "`discreet COMMAND --help` prints the same in the terminal."]
    context = click.Context(cli, info_name="discreet")
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        parts += _command(f"discreet {name}", command)
    return joined(parts)


def _command(name: str, command: click.Command) -> list[str]:
    """A command with its options, and the commands below it."""
    usage = command.get_usage(click.Context(command, info_name=name))
    parts = [f"## {name}", fenced("text", usage.removeprefix("Usage: "))]
    parts.append(prose(inspect.cleandoc(command.help or "").replace("\b\n", "")))
    rows = [
        (f"`{', '.join(option.opts)}`", prose(_option(option)))
        for option in command.params
        if isinstance(option, click.Option)
    ]
    if rows:
        parts.append(table(("option", "what it does"), rows))
    if isinstance(command, click.Group):
        for inner, below in command.commands.items():
            parts += _command(f"{name} {inner}", below)
    return parts


def _option(option: click.Option) -> str:
    text = option.help or ""
    if option.show_default and option.default is not None:
        text += f" Default: {option.default}."
    return f"{text} Required." if option.required else text


def python() -> str:
    parts = [
        "# Python names",
        (
            "What `import discreet` provides. Methods are also attributes of `discreet`, "
            "partitions of `discreet.partition`, replacements of `discreet.replacement` and "
            "attacks of `discreet.attack`."
        ),
    ]
    for name in discreet.__all__:
        value = getattr(discreet, name)
        if isinstance(value, ModuleType):
            continue
        parts.append(f"## `discreet.{name}`")
        if inspect.isfunction(value):
            parts.append(fenced("python", f"{name}{_signature(value)}"))
        parts.append(prose(description(value)))
        example = docstring_example(value)
        if example:
            parts.append(fenced("python", example))
        if inspect.isclass(value):
            parts += _members(value)
    return joined(parts)


def _members(kind: type) -> list[str]:
    if issubclass(kind, str):
        return ["One of " + ", ".join(f"`{member}`" for member in kind) + "."]  # type: ignore[attr-defined]
    rows = []
    for name, value in vars(kind).items():
        if name.startswith("_") or not getattr(_unwrapped(value), "__doc__", None):
            continue
        if isinstance(value, property):
            shown = f"`{name}`"
        elif isinstance(value, classmethod) or inspect.isfunction(value):
            arguments = list(inspect.signature(getattr(kind, name)).parameters)
            listed = ", ".join(a for a in arguments if a != "self")
            shown = f"`{name}({listed})`"
        else:
            continue
        rows.append((shown, prose(_first_sentence(_unwrapped(value)))))
    return [table(("", ""), rows)] if rows else []


def _first_sentence(value: Any) -> str:
    return " ".join(description(value).split("\n\n")[0].split())


def _unwrapped(value: Any) -> Any:
    if isinstance(value, classmethod):
        return value.__func__
    return value.fget if isinstance(value, property) else value


def _signature(function: Any) -> str:
    """Return the arguments, one a line."""
    signature = inspect.signature(function)
    lines, starred = [], False
    for argument in signature.parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and not starred:
            lines.append("*,")
            starred = True
        lines.append(f"{_argument(argument)},")
    returned = signature.return_annotation
    inner = "\n".join(f"    {line}" for line in lines)
    return f"(\n{inner}\n) -> {returned}"


def _argument(argument: inspect.Parameter) -> str:
    stars = "**" if argument.kind is argument.VAR_KEYWORD else ""
    default = "" if argument.default is argument.empty else f" = {argument.default!r}"
    return f"{stars}{argument.name}: {argument.annotation}{default}"
