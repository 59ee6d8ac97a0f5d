"""Plan files as YAML, with the position of everything, so that a message can name line and key.

Plans are read and written as YAML 1.2: only true and false are truth values, so a column or
category called `no` stays what it is. A key given twice is an error: the last one does not silently
win.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Integral
from pathlib import Path as FilePath
from typing import Any, NoReturn

import numpy as np
import yaml

from discreet.errors import DataError, UsageError, nearest
from discreet.release.plan_variables import (
    NoVariables,
    Unset,
    Variables,
    escaped,
    is_variable,
    unescaped,
)

Path = tuple[str | int, ...]


SCALARS: dict[str, tuple[str, list[str]]] = {
    "null": (r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    "bool": (r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    "int": (r"^[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    "float": (
        r"^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$",
        list("-+.0123456789"),
    ),
}
"""YAML 1.2's core schema: how values that are not text look, and what they may start with."""
BREAKS = ("\n", "\r", "\x85", "\u2028", "\u2029")
DEEPEST = 50
"""Levels of nesting in a plan; a step within a step within a step needs about ten."""
MOST_REPEATED = 10_000
"""Values that aliases may stand for; each may repeat a value that holds aliases itself."""
LONGEST_KEPT = 50_000
"""Characters of a text whose nodes are kept for the next time that it is read."""
TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """YAML 1.2's core schema, nested no deeper than any plan is."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise yaml.MarkedYAMLError(
                problem=f"it is nested more than {DEEPEST} levels deep",
                problem_mark=self.get_mark(),
            )
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


class _Dumper(yaml.SafeDumper):
    """Quotes text that the reader would not read as text; lists are indented."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def represent_str(self, data: str) -> yaml.ScalarNode:
        """Write text with line breaks on one line, with escapes."""
        style = '"' if len(data.splitlines()) > 1 or data.endswith(BREAKS) else None
        return self.represent_scalar(TAG + "str", escaped(data), style)


_Dumper.add_representer(str, _Dumper.represent_str)
_Loader.yaml_implicit_resolvers, _Dumper.yaml_implicit_resolvers = {}, {}
for _word, (_pattern, _first) in SCALARS.items():
    for _side in (_Loader, _Dumper):
        _side.add_implicit_resolver(TAG + _word, re.compile(_pattern), _first)


@dataclass
class PlanText:
    """The content of a plan file, and the line of every key and item."""

    name: str
    content: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def wrong(self, path: Path, message: str) -> NoReturn:
        """Raise the message with the line and the key that it is about."""
        line = next(
            (self.lines[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self.lines), 1
        )
        key = "".join(f"[{p + 1}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
        where = f"{self.name}, line {line}" + (f", key '{key}'" if key else "")
        raise UsageError(f"{where}: {message}")

    def mapping(self, path: Path, value: Any, known: tuple[str, ...] | None) -> dict[str, Any]:
        """Return a mapping after checking its keys against the known ones, if given."""
        if not isinstance(value, dict):
            self.wrong(path, f"this must be 'name: value' pairs, but {_described(value)} was given")
        for key in value:
            if known is not None and key not in known:
                self.wrong(
                    (*path, key),
                    f"there is no such key{nearest(str(key), known)} (known: {', '.join(known)})",
                )
        return value

    def names(self, path: Path, value: Any, entries: str = "columns") -> tuple[str, ...]:
        """Return a list of names of columns, or other texts; an empty one if nothing is given."""
        listed = [] if value is None else value
        if not isinstance(listed, list) or any(not isinstance(name, str) for name in listed):
            self.wrong(path, f"this must be a list of {entries}, but {_described(value)} was given")
        return tuple(listed)


def read_plan_text(path: FilePath, variables: Variables | None = None) -> PlanText:
    """Read a plan file into plain data with line numbers."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        beside = [p.name for p in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
        raise DataError(
            f"the plan '{path}' does not exist{nearest(path.name, beside) or '; check the path'}"
        ) from None
    except UnicodeDecodeError:
        raise DataError(f"the plan '{path}' is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise DataError(f"the plan '{path}' cannot be read: {error.strerror}") from None
    return parse_plan_text(text, path.name, variables)


def refuse_foreign(path: FilePath, folder: FilePath | None) -> None:
    """Refuse a file named in a plan that is a device, or is outside a folder.

    A plan from somebody else is data, not a program that may read whatever its author likes.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UsageError(
            f"a plan names files, but '{path}' is a device or a pipe; give the name of a file"
        )
    if folder is None:
        return
    place, home = FilePath(os.path.realpath(path)), FilePath(os.path.realpath(folder))
    if not place.is_relative_to(home):
        raise UsageError(
            f"the files that the steps of a plan name must be in the plan's folder, but '{path}' "
            "is not; copy it there, or allow it with --allow-outside (in Python allow_outside) "
            "if you trust the plan"
        )


def parse_plan_text(text: str, name: str = "plan", variables: Variables | None = None) -> PlanText:
    """Parse the text of a plan; without variables it must not have any.

    >>> plan = parse_plan_text("data: {file: a.csv}")
    >>> plan.content
    {'data': {'file': 'a.csv'}}
    >>> parse_plan_text("a: 1\\na: 2")
    Traceback (most recent call last):
    discreet.errors.UsageError: plan, line 2, key 'a': this key is given twice; ...
    """
    try:
        node = (_kept if len(text) <= LONGEST_KEPT else _composed)(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        content = dict(enumerate(text.splitlines(), start=1)).get(line, "")
        if "\\t" in str(error.problem) or "\t" in content:
            message = "tabs are not allowed here; indent with spaces"
        elif "${" in content:
            message = 'a variable within braces is written with quotation marks, such as "${NAME}"'
        else:
            message = f"this is not valid YAML ({error.problem}); check indentation and colons"
        raise UsageError(f"{name}, line {line}: {message}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise UsageError(
            f"{name}, line {line}: a plan is plain text, but there is a control character here; "
            "remove it"
        ) from None
    plan = PlanText(name, None)
    if node is not None:
        plan.content = _Reader(plan, variables or NoVariables()).plain(node, ())
    return plan


def _composed(text: str) -> yaml.Node | None:
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    return node


# A page of the studio reads the same plan a dozen times; nobody changes the nodes.
_kept = lru_cache(maxsize=16)(_composed)


class _Reader:
    """Turns the nodes of a YAML document into plain data, and records their lines."""

    def __init__(self, plan: PlanText, variables: Variables) -> None:
        self.plan = plan
        self.variables = variables
        self.seen: set[int] = set()
        self.repeated = 0

    def plain(self, node: yaml.Node, path: Path, within: frozenset[int] = frozenset()) -> Any:
        self.plan.lines.setdefault(path, node.start_mark.line + 1)
        self._refuse_bombs(node, path, within)
        self._refuse_tags(node, path)
        within |= {id(node)}
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, within)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(item, (*path, i), within) for i, item in enumerate(node.value)]
        word, text = node.tag.removeprefix(TAG), node.value
        try:
            if word == "str":
                text = self.variables.filled(text, path)
                if is_variable(node.value):
                    word = next(w for w in (*SCALARS, "str") if w == "str" or _looks(w, text))
            return _scalar(word, text)
        except Unset as reason:
            self.plan.wrong(path, str(reason))
        except ValueError:
            self.plan.wrong(path, "this value cannot be understood; write plain text or a number")

    def _mapping(self, node: yaml.MappingNode, path: Path, within: frozenset[int]) -> Any:
        content: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.plan.lines[path] = key_node.start_mark.line + 1
                self.plan.wrong(path, "a key must be a plain name")
            # A key is a name whatever it looks like: a column may be called 2018.
            key = unescaped(key_node.value)
            self.plan.lines[(*path, key)] = key_node.start_mark.line + 1
            self._refuse_tags(key_node, (*path, key))
            if key in content:
                self.plan.wrong((*path, key), "this key is given twice; keep one of the two")
            content[key] = self.plain(value_node, (*path, key), within)
        return content

    def _refuse_bombs(self, node: yaml.Node, path: Path, within: frozenset[int]) -> None:
        """Refuse aliases that recurse forever, or turn a few bytes into gigabytes."""
        if id(node) in within:
            self.plan.wrong(path, "an alias must not be inside what it refers to")
        self.repeated += id(node) in self.seen
        self.seen.add(id(node))
        if self.repeated > MOST_REPEATED:
            self.plan.wrong(
                path,
                f"aliases may repeat at most {MOST_REPEATED:,} values, but this plan repeats "
                "more; write the values out",
            )

    def _refuse_tags(self, node: yaml.Node, path: Path) -> None:
        """Refuse anything but a mapping, a list, text, a number or a truth value."""
        if node.tag.removeprefix(TAG) not in ("map", "seq", "str", *SCALARS):
            self.plan.wrong(
                path,
                "tags such as !!timestamp are not allowed in a plan; leave the tag out, and put "
                "text in quotes",
            )


def _looks(word: str, text: str) -> bool:
    return re.match(SCALARS[word][0], text) is not None


def _scalar(word: str, text: str) -> Any:
    """Return the value that a scalar's tag, usually implicit, makes of its text."""
    if word == "str":
        return text
    if word not in SCALARS or not _looks(word, text):
        raise ValueError
    if word == "null":
        return None
    if word == "bool":
        return text.lower() == "true"
    if word == "int":
        return int(text)
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def dump(content: Any, inline: bool = False) -> str:
    """Return plain data as the text of a plan that reads back as the same data.

    All plans are written by this function: text that the reader would take for a number or a truth
    value is quoted. Values that are neither text nor number, such as dates, are written as text.
    `inline` gives part of a line.

    >>> print(dump({"columns": {"2e3": {"categories": ["1e3", 1000.0, "no"]}}}), end="")
    columns:
      '2e3':
        categories:
          - '1e3'
          - 1000.0
          - no
    >>> dump({"kind": "ordinal", "categories": ["10", "a, b"]}, inline=True)
    "{kind: ordinal, categories: ['10', 'a, b']}"
    """
    # Part of a line may stand in a list, where braces and commas must be quoted.
    plain = _writable(content)
    text: str = yaml.dump(
        [plain] if inline else plain,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=inline,
        width=2**30,
    )
    text = text.removesuffix("...\n")
    return text.rstrip("\n")[1:-1] if inline else text


def _writable(value: Any) -> Any:
    """Return a value in the types that a plan knows."""
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    if isinstance(value, Mapping):
        return {str(key): _writable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(inner) for inner in value]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise UsageError("a plan can hold only finite numbers, but one is not finite")
        return float(value)
    return str(value)


def _described(value: Any) -> str:
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else f"'{value}'"
