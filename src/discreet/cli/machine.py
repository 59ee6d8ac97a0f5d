"""`--json`: what a command did, as one JSON document on standard output, for programs.

A command gives its answer as plain data beside what it prints. With `--json` nothing is printed,
and the document is written when the command ends, even if it fails. Its form is that of
`schemas/answer.json`; `SCHEMA` counts the changes that old readers would not understand.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import IO, Any

import click

from discreet.version import version

SCHEMA = 1
FLAG = "--json"
HELP = "Print one JSON document for programs instead of text."


@dataclass
class Outcome:
    """How a command ended: its exit code and, if it failed, the kind of the error in a word."""

    code: int
    kind: str = ""
    message: str = ""


@dataclass
class _Answer:
    """What a command has said so far, and where the document goes."""

    stream: IO[str]
    parts: dict[str, Any] = field(default_factory=dict)
    written: bool = False


_answer: ContextVar[_Answer | None] = ContextVar("answer", default=None)


def answer(make: Callable[[], Mapping[str, Any]]) -> None:
    """Add parts to the answer of this command; `make` is called only if an answer is wanted."""
    wanted = _answer.get()
    if wanted is not None:
        wanted.parts.update(make())


def add(part: str, make: Callable[[], Any]) -> None:
    """Add one entry to a part of the answer that is a list."""
    wanted = _answer.get()
    if wanted is not None:
        wanted.parts.setdefault(part, []).append(make())


def answer_now(command: str) -> None:
    """Write the answer of a command that goes on working."""
    wanted = _answer.get()
    if wanted is not None:
        _write(wanted, command, Outcome(0))


def option() -> click.Option:
    """Return the option that every command has."""
    return click.Option([FLAG], is_flag=True, expose_value=False, help=HELP)


def wanted(words: Sequence[str]) -> bool:
    """Whether the words of a command line ask for a document.

    >>> wanted(["verify", "--json", "release"]), wanted(["verify", "--", "--json"])
    (True, False)
    """
    return FLAG in words[: words.index("--") if "--" in words else None]


def answered(work: Callable[[], Outcome], words: Sequence[str]) -> Outcome:
    """Do the work without printing, and write the document."""
    collected = _Answer(sys.stdout)
    token = _answer.set(collected)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            outcome = work()
    finally:
        _answer.reset(token)
    if not collected.written:
        _write(collected, next((word for word in words if not word.startswith("-")), ""), outcome)
    return outcome


def _write(collected: _Answer, command: str, outcome: Outcome) -> None:
    document = {
        "schema": SCHEMA,
        "discreet": version(),
        "command": command,
        "exit_code": outcome.code,
        "error": {"kind": outcome.kind, "message": outcome.message} if outcome.message else None,
        "result": plain(collected.parts) if collected.parts and not outcome.message else None,
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    print(text, file=collected.stream, flush=True)
    collected.written = True


def plain(value: Any) -> Any:
    """Return a value in the types of JSON; a number that is not finite becomes null.

    >>> plain({"low": math.nan, "columns": ("age",), "share": 0.5})
    {'low': None, 'columns': ['age'], 'share': 0.5}
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of the document.

    >>> schema()["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    text = files("discreet.cli").joinpath("schemas/answer.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
