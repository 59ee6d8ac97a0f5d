"""The `discreet` command: its subcommands, and how errors reach a person.

Every command is a module of this folder with a click command called `command`; the group finds
them by their file names and loads only the one that runs.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

import discreet.cli
from discreet.cli import machine
from discreet.cli.logs import log_to_standard_error
from discreet.cli.machine import Outcome
from discreet.contracts.registry import PluginWarning
from discreet.errors import ClaimError, DiscreetError, UsageError

USAGE, FAILURE = 2, 1


class Commands(click.Group):
    """The modules of this folder, in the order in which they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        loaded = [(self._load(name), name) for name in self._modules()]
        ordered = [(command.order, name) for command, name in loaded if command is not None]
        return [name for _, name in sorted(ordered)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        return self._load(cmd_name) if cmd_name in self._modules() else None

    @staticmethod
    def _modules() -> list[str]:
        return [m.name for m in pkgutil.iter_modules(discreet.cli.__path__) if m.name != "main"]

    @staticmethod
    def _load(name: str) -> Any:
        command = getattr(importlib.import_module(f"discreet.cli.{name}"), "command", None)
        if command is not None and all(machine.FLAG not in p.opts for p in command.params):
            command.params.append(machine.option())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the nearest one."""
        from discreet.errors import nearest

        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            known = self.list_commands(ctx)
            raise click.UsageError(
                f"there is no command '{args[0]}'{nearest(args[0], known)} "
                f"(commands: {', '.join(known)})"
            ) from error


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="discreet", message="%(prog)s %(version)s")
def cli() -> None:
    """Turn a file of records about people or firms into one that may be released.

    \b
    A first release in three steps:
      discreet describe patients.csv --out plan.yaml   look at the file, get a plan to edit
      discreet protect plan.yaml --out release/        protect, measure, write
      discreet report release/                         draw the reports again

    'discreet demo' shows all of this on invented patients; 'discreet demo --data patients.csv'
    only writes their file.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status.

    Status 2 means a wrong instruction, 1 unusable data, 0 success. The message is
    one sentence on standard error; there is no traceback for anything that a user can cause.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    return run_command(cli, "discreet", arguments)


def run_command(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command, report any error in one sentence, and return the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if machine.wanted(words):
        outcome = machine.answered(lambda: _outcome(command, name, words), words)
    else:
        outcome = _outcome(command, name, words)
    if outcome.message:
        click.echo(f"discreet: {outcome.message}", err=True)
    return outcome.code


def _outcome(command: click.Command, name: str, words: Sequence[str]) -> Outcome:
    """Run a command, and return its exit code, or the error in one sentence."""
    try:
        log_to_standard_error(os.environ.get("DISCREET_LOG", ""))
        with _plug_in_warnings_as_notes():
            code = command.main(args=list(words), prog_name=name, standalone_mode=False)
        return Outcome(code if isinstance(code, int) else 0)
    except DiscreetError as error:
        kinds = {UsageError: "usage", ClaimError: "claim"}
        kind = next((word for family, word in kinds.items() if isinstance(error, family)), "data")
        return _failed(str(error), error.exit_code, kind)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return Outcome(USAGE)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        return _failed(f"{error.format_message().rstrip('.')}{hint}", USAGE, "usage")
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _failed("stopped; nothing was written", FAILURE, "stopped")
    except BrokenPipeError:
        sys.stderr.close()
        return Outcome(FAILURE)
    except OSError as error:
        where = f" '{error.filename}'" if error.filename else ""
        return _failed(
            f"the system refused to read or write{where}: {error.strerror or error}; check the "
            "path and its permissions",
            FAILURE,
            "system",
        )
    except RecursionError:
        return _failed("the plan is nested too deeply to be read; use fewer levels", USAGE, "usage")
    except MemoryError:
        return _failed(
            "out of memory; use fewer columns or a sample of the records", FAILURE, "system"
        )
    except Exception as error:
        # Only the kind of the error is shown: its text might quote a record.
        if os.environ.get("DISCREET_DEBUG"):
            raise
        return _failed(
            f"this should not have happened ({type(error).__name__}), and nothing was released; "
            "set DISCREET_DEBUG=1 to see where it failed, and please report it",
            FAILURE,
            "unforeseen",
        )


@contextmanager
def _plug_in_warnings_as_notes() -> Iterator[None]:
    """Print warnings about plug-ins that were left out as notes of one line, others as they are."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, PluginWarning):
            click.echo(f"note: {' '.join(str(message).split())}", err=True)
        else:
            usual(message, category, *where, **more)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = usual


def _failed(message: str, code: int, kind: str) -> Outcome:
    # One line, whatever is in the name of a column or the message of a library.
    return Outcome(code, kind, " ".join(part.strip() for part in message.splitlines()))


if __name__ == "__main__":
    main()
