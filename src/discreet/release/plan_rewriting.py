"""Rewriting a plan so that only what changed is rewritten.

People who write a plan by hand lay it out and comment on it. A program that changes one role keeps
all that: lines whose content is the same stay as they are, and a comment stays with what it is
about. Only the comments of an entry that is removed go with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from discreet.errors import UsageError
from discreet.release.plan_file import dump, parse_plan_text
from discreet.release.plan_parts import KEYS

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Only positions are taken from it, and the compiled parser is several times faster."""
REMARK = re.compile(r"(?:^|\s)#.*$")


def rewritten(text: str, content: Mapping[str, Any]) -> str:
    """Return the text of a plan with another content.

    >>> plan = "columns:\\n  # as stated\\n  age: {role: other}\\n  pay: other  # net\\n"
    >>> print(rewritten(plan, {"columns": {"age": {"role": "weight"}, "pay": "other"}}), end="")
    columns:
      # as stated
      age: {role: weight}
      pay: other  # net
    """
    plain = parse_plan_text(dump(content)).content or {}
    old = parse_plan_text(text).content
    node = yaml.compose(text, Loader=LOADER)
    if not isinstance(node, yaml.MappingNode) or node.flow_style or not isinstance(old, dict):
        return _plainly(text, plain)
    lines = text.splitlines()
    made = _mapping(_Piece(lines, node, old, 0, len(lines)), plain, KEYS)
    try:
        same = parse_plan_text(made).content == plain
    except UsageError:
        same = False
    return made if same else _plainly(text, plain)


def _plainly(text: str, content: Any) -> str:
    """Return the content with all comments above it, since where each belongs is not known."""
    remarks = [REMARK.search(line) for line in text.splitlines()]
    return "".join(f"{remark[0].strip()}\n" for remark in remarks if remark) + dump(content)


@dataclass(frozen=True)
class _Piece:
    """A mapping or a list of a plan, with the lines from `first` to before `last` that hold it."""

    lines: Sequence[str]
    node: yaml.Node
    content: Any
    first: int
    last: int


@dataclass(frozen=True)
class _Entry:
    """An entry of a mapping or an item of a list: its lines, those of its comments at the top."""

    lines: tuple[str, ...]
    comments: tuple[str, ...]
    node: yaml.Node
    content: Any
    first: int
    last: int

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in (*self.comments, *self.lines))


def _mapping(piece: _Piece, content: Mapping[str, Any], order: Sequence[str] = ()) -> str:
    """Return the lines of a mapping with another content, its entries in their old order."""
    assert isinstance(piece.node, yaml.MappingNode)
    nodes = piece.node.value
    entries = _entries(piece, [key for key, _ in nodes], [value for _, value in nodes])
    old = dict(zip(piece.content, entries, strict=True))
    indent = nodes[0][0].start_mark.column if nodes else 0
    written = [entry for name in old for entry in [_changed(name, old[name], content, indent)]]
    named = dict(zip(old, written, strict=True))
    inline = any(_is_flow(entry.node) for entry in entries)
    for name in content:
        if name not in named:
            named = _inserted(named, name, _entry_text(name, content[name], indent, inline), order)
    return "".join(named.values())


def _inserted(
    named: Mapping[str, str], name: str, text: str, order: Sequence[str]
) -> dict[str, str]:
    """Return the entries with a new one, before those that come later in a plan."""
    later = order[order.index(name) + 1 :] if name in order else ()
    place = next((i for i, other in enumerate(named) if other in later), len(named))
    listed = list(named.items())
    return dict([*listed[:place], (name, text), *listed[place:]])


def _changed(name: str, entry: _Entry, content: Mapping[str, Any], indent: int) -> str:
    """Return the text of an entry with its new content; none if it is removed."""
    if name not in content:
        return ""
    new = content[name]
    if new == entry.content:
        return entry.text
    comments = "".join(f"{line}\n" for line in entry.comments)
    node = entry.node
    inside = _Piece(entry.lines, node, entry.content, entry.first, entry.last)
    if new and not _is_flow(node):
        if isinstance(node, yaml.MappingNode) and isinstance(new, dict):
            return f"{comments}{entry.lines[0]}\n{_mapping(inside, new)}"
        if isinstance(node, yaml.SequenceNode) and isinstance(new, list):
            return f"{comments}{entry.lines[0]}\n{_sequence(inside, new)}"
    return comments + _with_remark(_entry_text(name, new, indent, _is_flow(node)), entry)


def _sequence(piece: _Piece, content: Sequence[Any]) -> str:
    """Return the lines of a list with other items; a comment follows the item it is about."""
    assert isinstance(piece.node, yaml.SequenceNode)
    nodes = piece.node.value
    entries = _entries(piece, nodes, nodes)
    dash = entries[0].lines[0].index("-")
    left = list(entries)
    chosen: list[_Entry | None] = [_taken(left, lambda e, n=new: e.content == n) for new in content]
    parts = []
    for new, same in zip(content, chosen, strict=True):
        if same is not None:
            parts.append(same.text)
            continue
        kin = _taken(left, lambda e, n=new: _name(e.content) == _name(n))
        comments = "".join(f"{line}\n" for line in kin.comments) if kin else ""
        parts.append(comments + (_item(kin, new) or _indented(dump([new]), dash)))
    return "".join(parts)


def _item(kin: _Entry | None, new: Any) -> str:
    """Return an item with its old layout, if it had one and its first line stays."""
    if kin is None or not isinstance(kin.node, yaml.MappingNode) or not isinstance(new, dict):
        return ""
    if _is_flow(kin.node):
        return ""
    made = _mapping(_Piece(kin.lines, kin.node, kin.content, kin.first, kin.last), new)
    return made if made.lstrip().startswith("- ") else ""


def _taken(left: list[_Entry], wanted: Any) -> _Entry | None:
    first = next((entry for entry in left if wanted(entry)), None)
    if first is not None:
        left.remove(first)
    return first


def _name(recipe: Any) -> Any:
    return next(iter(recipe), None) if isinstance(recipe, dict) else recipe


def _entries(
    piece: _Piece, starts: Sequence[yaml.Node], values: Sequence[yaml.Node]
) -> list[_Entry]:
    """Return the entries of a mapping or list, each with the comments right above it."""
    at = [node.start_mark.line for node in starts]
    contents = piece.content.values() if isinstance(piece.content, dict) else piece.content
    lines = piece.lines
    offset = piece.first
    begins = []
    for number, line in enumerate(at):
        least = at[number - 1] + 1 if number else max(offset, 0)
        top = line
        while top > least and _is_remark(lines[top - 1 - offset]):
            top -= 1
        begins.append(top)
    entries = []
    for number, (content, value) in enumerate(zip(contents, values, strict=True)):
        end = begins[number + 1] if number + 1 < len(at) else piece.last
        comments = tuple(lines[begins[number] - offset : at[number] - offset])
        entry_lines = tuple(lines[at[number] - offset : end - offset])
        entries.append(_Entry(entry_lines, comments, value, content, at[number], end))
    return entries


def _is_flow(node: yaml.Node) -> bool:
    """Whether a mapping or list is written in brackets."""
    return bool(getattr(node, "flow_style", False))


def _is_remark(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _entry_text(name: str, value: Any, indent: int, inline: bool) -> str:
    if inline and isinstance(value, dict):
        return f"{' ' * indent}{dump(name, inline=True)}: {dump(value, inline=True)}\n"
    return _indented(dump({name: value}), indent)


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def _with_remark(text: str, entry: _Entry) -> str:
    """Return an entry of one line with the comment that was at its end."""
    end = entry.node.end_mark
    if end.line != entry.first or text.count("\n") != 1:
        return text
    rest = entry.lines[0][end.column :]
    return f"{text.rstrip()}  {rest.strip()}\n" if rest.strip().startswith("#") else text
