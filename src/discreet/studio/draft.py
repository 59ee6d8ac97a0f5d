"""Draft: a plan while it is edited, as plain data, and every change that a page can make to it.

A step that is switched off stays in the file as a comment (`# off 2: {rounding: {base: 5}}`), so
that the command line runs the same plan without it and undoing brings it back. So does the file of
a hierarchy, whether or not a step takes it (`# hierarchy: {age: hierarchy-2-age-1f0c93aa.csv}`).
Each change says in one line what it did, for the history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet.errors import UsageError
from discreet.microdata import Role
from discreet.release.plan_file import dump, parse_plan_text
from discreet.release.plan_parts import KEYS, STRICT
from discreet.release.plan_rewriting import rewritten

OFF = re.compile(r"# off (\d+): (.*)")
HIERARCHY = re.compile(r"# hierarchy: (\{.*\})")


@dataclass
class Step:
    """A step by its name and parameters, and whether it is switched on."""

    name: str
    values: dict[str, Any]
    on: bool = True

    @property
    def recipe(self) -> dict[str, Any]:
        """The step as a plan has it."""
        return {self.name: dict(self.values)}


@dataclass
class Draft:
    """A plan as plain data; `steps` has those that are switched off too.

    `hierarchies` has the file of each column's hierarchy. `comments` are the lines at the top,
    `source` the text below them: what a change does not touch stays as it was written.

    >>> draft = Draft.of("columns: {age: quasi-identifier}\\nsteps: [rounding]")
    >>> draft.toggle(0), draft.steps[0].on
    ('rounding switched off', False)
    >>> Draft.of(draft.text()).steps
    [Step(name='rounding', values={}, on=False)]
    """

    content: dict[str, Any]
    steps: list[Step] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    source: str = ""
    hierarchies: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Draft:
        """Read a draft from the text of a plan."""
        content = parse_plan_text(text, "the plan").content
        if not isinstance(content, dict):
            raise UsageError("the plan, line 1: a plan is made of 'name: value' pairs")
        content = dict(content)
        listed = content.pop("steps", None) or []
        steps = [_step(recipe) for recipe in listed]
        head: list[str] = []
        hierarchies: dict[str, str] = {}
        lines = text.splitlines()
        above = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        for line in lines[:above]:
            if kept := HIERARCHY.fullmatch(line):
                named = parse_plan_text(kept[1], "the file of a hierarchy").content
                hierarchies |= {str(column): str(file) for column, file in named.items()}
                continue
            off = OFF.fullmatch(line)
            if off is None:
                head.append(line)
                continue
            step = _step(parse_plan_text(off[2], "a step that is switched off").content)
            step.on = False
            steps.insert(min(int(off[1]), len(steps)), step)
        below = "".join(f"{line}\n" for line in lines[above:])
        return cls(content, steps, head, below, hierarchies)

    def text(self) -> str:
        """Return the text of the plan."""
        lines = [*self.comments]
        for column, file in self.hierarchies.items():
            lines.append(f"# hierarchy: {dump({column: file}, inline=True)}")
        for number, step in enumerate(self.steps):
            if not step.on:
                lines.append(f"# off {number}: {dump(step.recipe, inline=True)}")
        active = [step.recipe for step in self.steps if step.on]
        whole = {**self.content, "steps": active}
        stated = {key: whole[key] for key in KEYS if whole.get(key) not in (None, {}, [])}
        return "".join(f"{line}\n" for line in lines) + rewritten(self.source, stated)

    def column(self, name: str) -> dict[str, Any]:
        """Return what the plan states about a column."""
        entry = (self.content.get("columns") or {}).get(name)
        return {"role": entry} if isinstance(entry, str) else dict(entry or {})

    def set_column(self, name: str, key: str, value: Any, kind: str = "") -> str:
        """State the role, the kind, the level or the categories of a column.

        A strict plan states the kind of every column that is released: `kind` is what it has in the
        file, for one of which the plan says nothing else.
        """
        columns = dict(self.content.get("columns") or {})
        entry = self.column(name)
        was = entry.get(key)
        if value in (None, ""):
            entry.pop(key, None)
        else:
            entry[key] = value
        if key == "kind" and value != "ordinal":
            entry.pop("categories", None)
        strict = self.content.get("schema") == STRICT
        released = entry.get("role") != Role.IDENTIFIER.value
        if kind and strict and released and not {"kind", "categories"} & set(entry):
            entry["kind"] = kind
        columns[name] = entry
        self.content["columns"] = columns
        return f"{key} of {name}: {_short(was)} → {_short(value)}"

    def set_source(self, names: Iterable[str], options: Mapping[str, Any]) -> str:
        """State how the file is read; options of these names that are not given are detected."""
        stated = self.content.get("data")
        source = {"file": stated} if isinstance(stated, str) else dict(stated or {})
        kept = {key: value for key, value in source.items() if key not in set(names)}
        self.content["data"] = {**kept, **options}
        return f"reading: {_short(dict(options)) if options else 'detected'}"

    def set_missing(self, name: str, codes: list[Any]) -> str:
        """State the codes for missing values of a column."""
        missing = dict(self.content.get("missing") or {})
        if codes:
            missing[name] = codes
        else:
            missing.pop(name, None)
        self.content["missing"] = missing
        return f"missing codes of {name}: {', '.join(map(str, codes)) or 'none'}"

    def add(self, name: str, values: Mapping[str, Any] | None = None) -> str:
        """Add a step after the others."""
        self.steps.append(Step(name, dict(values or {})))
        return f"{name} added"

    def remove(self, number: int) -> str:
        """Remove a step."""
        return f"{self.steps.pop(self._at(number)).name} removed"

    def move(self, number: int, by: int) -> str:
        """Move a step up or down."""
        place = self._at(number)
        to = min(max(place + by, 0), len(self.steps) - 1)
        step = self.steps.pop(place)
        self.steps.insert(to, step)
        return f"{step.name} moved to place {to + 1}"

    def toggle(self, number: int) -> str:
        """Switch a step off, or on again."""
        step = self.steps[self._at(number)]
        step.on = not step.on
        return f"{step.name} switched {'on' if step.on else 'off'}"

    def set_values(self, number: int, values: Mapping[str, Any]) -> str:
        """Give a step other parameters."""
        step = self.steps[self._at(number)]
        changed = [k for k in {**step.values, **values} if step.values.get(k) != values.get(k)]
        words = ", ".join(f"{key} = {_short(values.get(key, 'default'))}" for key in changed)
        step.values = dict(values)
        return f"{step.name}: {words or 'unchanged'}"

    def take(
        self, recipes: Iterable[Mapping[str, Any]], claims: Mapping[str, Any], message: str
    ) -> str:
        """Take other steps and claims in place of those that are there."""
        self.steps = [_step(recipe) for recipe in recipes]
        self.content["claims"] = dict(claims)
        return message

    def set_claim(self, measure: str, bound: float | int | None) -> str:
        """Claim a bound of a measure, or no longer."""
        claims = dict(self.content.get("claims") or {})
        if bound is None:
            claims.pop(measure, None)
            self.content["claims"] = claims
            return f"claim of {measure} removed"
        claims[measure] = bound
        self.content["claims"] = claims
        return f"claim: {measure} {bound:g}"

    def set_option(self, section: str, key: str, value: Any) -> str:
        """Set an option below `release:` or `csv:`; None goes back to the default."""
        options = dict(self.content.get(section) or {})
        options[key] = value
        self.content[section] = {k: v for k, v in options.items() if v is not None}
        return f"{section} {key}: {_short(value)}"

    def allow(self, column: str, yes: bool) -> str:
        """Allow a column to be released as it is although it gives back a protected one."""
        others = [name for name in self.content.get("allow") or [] if name != column]
        self.content["allow"] = [*others, column] if yes else others
        return f"{column} {'allowed' if yes else 'no longer allowed'} as it is"

    def set_top(self, key: str, value: Any) -> str:
        """Set an entry at the top level of a plan, such as the unit; None removes it."""
        self.content[key] = value
        return f"{key}: {_short(value)}"

    def _at(self, number: int) -> int:
        if not 0 <= number < len(self.steps):
            raise UsageError(
                f"the plan has {len(self.steps)} steps, so there is no step {number + 1}; the plan "
                "may have changed since the page was loaded: load it again"
            )
        return number


def _step(recipe: Any) -> Step:
    if isinstance(recipe, str):
        return Step(recipe, {})
    if not isinstance(recipe, dict) or len(recipe) != 1:
        raise UsageError("each step of a plan is one method with its parameters below it")
    [(name, values)] = recipe.items()
    return Step(str(name), dict(values or {}))


def _short(value: Any) -> str:
    words = "none" if value is None else dump(value, inline=True)
    return words if len(words) <= 60 else words[:59] + "…"
