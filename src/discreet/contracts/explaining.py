"""Explaining the registry in words: which entries there are, what each does and takes."""

from __future__ import annotations

import inspect
import textwrap

from discreet.contracts.parameters import Component, Param
from discreet.contracts.registry import entries
from discreet.contracts.spec import MeasureSpec, Ruin
from discreet.errors import UsageError, nearest

FAMILIES = {
    "method": "Methods: the steps of a plan",
    "partition": "Partitions: how records are grouped",
    "replacement": "Replacements: what replaces the values of a group",
    "measure": "Measures of risk and utility",
    "attack": "Attacks: what an intruder could do with a file",
    "analysis": "Analyses: what a plan may declare that users will compute",
}


def overview() -> str:
    """Return the list of all entries with their titles.

    >>> print(overview())
    Methods: the steps of a plan
      additive-noise     Additive noise
    ...
    """
    parts = []
    for family, heading in FAMILIES.items():
        members = entries(family)
        width = max(len(entry.spec.name) for entry in members)
        parts.append(
            "\n".join([heading, *(f"  {e.spec.name:<{width}}  {e.spec.title}" for e in members)])
        )
    parts.append("'discreet methods NAME' explains one of them.")
    return "\n\n".join(parts)


def explain(name: str) -> str:
    """Return everything that an entry declares about itself.

    >>> print(explain("mdav"))
    MDAV: maximum distance to average vector (partition)
    ...
    """
    return "\n\n".join(_explained(entry) for entry in named(name))


def named(name: str) -> list[type[Component]]:
    """Return the entries of a name, of any family, or suggest the nearest one.

    >>> [entry.__name__ for entry in named("regression-attack")]
    ['RegressionAttack', 'RegressionAttack']
    """
    word = name.strip().lower().replace("_", "-")
    matching = [entry for entry in entries() if entry.spec.name == word]
    if not matching:
        known = [entry.spec.name for entry in entries()]
        raise UsageError(
            f"there is nothing called '{name}'{nearest(word, known)} ('discreet methods' lists "
            "what there is)"
        )
    return matching


def description(entry: type[Component]) -> str:
    """Return the text of an entry's docstring, without its example."""
    text = inspect.cleandoc(entry.__doc__ or "")
    return text.split("\n>>>")[0].strip()


def facts(entry: type[Component]) -> list[tuple[str, str]]:
    """Return what an entry's spec says, as pairs of a word and a sentence."""
    spec = entry.spec
    pairs = [("kinds", ", ".join(spec.kinds)), ("missing values", spec.missing)]
    if isinstance(spec, MeasureSpec):
        same = "depends on the file" if spec.at_identity is None else f"{spec.at_identity:g}"
        pairs += [
            ("side", spec.side.value),
            ("better", spec.better.value),
            ("range", f"{spec.low:g} to {spec.high:g}".replace("inf", "∞")),
            ("if nothing changed", same),
            *_seen(spec),
        ]
    else:
        drawn = spec.unseeded or "from the secret seed"
        pairs += [
            ("random", f"yes, {drawn}" if spec.random else "no"),
            ("guarantees", ", ".join(spec.guarantees) or "none"),
        ]
    if spec.library:
        pairs.append(("needs", f"the library {spec.library}, which an extra of discreet installs"))
    if spec.cost:
        pairs.append(("cost", spec.cost))
    return [*pairs, ("source", spec.citation)]


def _seen(spec: MeasureSpec) -> list[tuple[str, str]]:
    """Return which ruined files a measure of utility detects, and which it is blind to."""
    if spec.sees is None or spec.blind_to is None:
        return []
    partly = [ruin for ruin in Ruin if ruin not in (*spec.sees, *spec.blind_to)]
    parts = (("sees", spec.sees), ("sees in part", partly), ("can be blind to", spec.blind_to))
    return [(word, "; ".join(ruins) or "none") for word, ruins in parts]


def default_of(param: Param) -> str:
    """Return a parameter's default in words."""
    if param.required:
        return "must be given"
    if param.default is None:
        return "not set by default"
    value = param.default
    return f"default: {str(value).lower() if isinstance(value, bool) else value}"


def _explained(entry: type[Component]) -> str:
    lines = [f"{entry.spec.title} ({entry.family})", "", description(entry), ""]
    if entry.spec.formula:
        lines += [textwrap.indent(entry.spec.formula, "    "), ""]
    lines += [f"  {word + ':':<19} {sentence}" for word, sentence in facts(entry)]
    params = entry.params()
    if params:
        lines += ["", "Parameters"]
    for param in params.values():
        lines.append(f"  {param.name}: {param.domain} ({default_of(param)})")
        lines += textwrap.wrap(param.help, 92, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
