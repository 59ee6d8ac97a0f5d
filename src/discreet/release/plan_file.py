"""Plan files as YAML: what stands where, so that a message can name the line and the key.

Plans are read as YAML 1.2: only true and false are truth values, so a column or category called
`no` stays what it is. A key given twice is an error, not a matter of which came last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, NoReturn

import yaml

from discreet.errors import DataError, UsageError, nearest

Path = tuple[str | int, ...]


class _Loader(yaml.SafeLoader):
    """YAML 1.2's core schema."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    (
        "float",
        r"^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$",
        list("-+.0123456789"),
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


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
        """Return a mapping, its keys checked against the known ones if these are given."""
        if not isinstance(value, dict):
            self.wrong(path, f"'name: value' pairs belong here, but {_what(value)} was given")
        for key in value:
            if known is not None and key not in known:
                self.wrong(
                    (*path, key),
                    f"there is no such key{nearest(str(key), known)} (known: {', '.join(known)})",
                )
        return value


def read_plan_text(path: FilePath) -> PlanText:
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
    return parse_plan_text(text, path.name)


def parse_plan_text(text: str, name: str = "plan") -> PlanText:
    """Parse the text of a plan.

    >>> plan = parse_plan_text("data: {file: a.csv}")
    >>> plan.content
    {'data': {'file': 'a.csv'}}
    >>> parse_plan_text("a: 1\\na: 2")
    Traceback (most recent call last):
    discreet.errors.UsageError: plan, line 2, key 'a': this key is given twice; ...
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        content = dict(enumerate(text.splitlines(), start=1)).get(line, "")
        if "\\t" in str(error.problem) or "\t" in content:
            message = "tabs are not allowed here; indent with spaces"
        else:
            message = f"this is not valid YAML ({error.problem}); check indentation and colons"
        raise UsageError(f"{name}, line {line}: {message}") from None
    except yaml.YAMLError as error:
        raise UsageError(f"{name}: this is not valid YAML ({error})") from None
    plan = PlanText(name, None)
    if node is not None:
        plan.content = _plain(node, (), plan, frozenset())
    return plan


def _plain(node: yaml.Node, path: Path, plan: PlanText, within: frozenset[int]) -> Any:
    plan.lines.setdefault(path, node.start_mark.line + 1)
    if id(node) in within:
        plan.wrong(path, "an alias may not stand within what it refers to")
    within |= {id(node)}
    if isinstance(node, yaml.MappingNode):
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                plan.lines[path] = key_node.start_mark.line + 1
                plan.wrong(path, "a key must be a plain name")
            # A key is a name whatever it looks like: a column may be called 2018.
            key = key_node.value
            plan.lines[(*path, key)] = key_node.start_mark.line + 1
            if key in found:
                plan.wrong((*path, key), "this key is given twice; keep one of the two")
            found[key] = _plain(value_node, (*path, key), plan, within)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, i), plan, within) for i, item in enumerate(node.value)]
    try:
        return _Loader("").construct_object(node)
    except (yaml.YAMLError, ValueError):
        plan.wrong(path, "this value cannot be understood; write plain text or a number")


def _what(value: Any) -> str:
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else f"'{value}'"
