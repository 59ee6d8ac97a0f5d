"""Candidates: the methods that a search tries, and the one parameter that makes each safer.

A candidate is a recipe (the steps of a plan) with at most one axis: the values of a parameter that
go from the least protection to the most. Both are read from the declarations of the parameters,
or from the user's own list, in which a value is replaced by the values to try:

    - rank-swapping: {p: [1, 2, 5, 10, 15, 20]}
    - microaggregation: {partition: {mdav: {k: {from: 3, to: 20}}}}

`{try: […]}` says so where a parameter takes lists itself. The values may be in any order. The
parameter says in which direction protection increases; where that is unknown, every value is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, cast

from discreet.contracts import Component, Method, Param
from discreet.contracts.registry import build, entries, find, register
from discreet.errors import UsageError

Where = tuple[str | int, ...]
Steps = tuple[Mapping[str, Any], ...]

MOST_FORMS = 12
"""The most combinations of a method's parameters other than its axis."""
MOST_VALUES = 1000
"""The most values between 'from' and 'to'."""


@dataclass(frozen=True)
class Axis:
    """Where the parameter is in the recipe, and its values by increasing protection.

    `partner` is the parameter of another step that gets stronger along with it.
    """

    where: Where
    values: tuple[Any, ...]
    monotone: bool = True
    partner: Axis | None = None

    @property
    def name(self) -> str:
        """The parameter's own name."""
        return str(self.where[-1])

    def beside(self, value: Any) -> Any:
        """Return the partner's equally strong value, between its weakest and strongest.

        >>> Axis((0, "a", "x"), (1, 2, 4), partner=Axis((1, "b", "y"), (0.9, 0.5))).beside(3)
        0.6
        """
        assert self.partner is not None
        place = _place(value, self.values) / max(len(self.values) - 1, 1)
        return _at_place(place * (len(self.partner.values) - 1), self.partner.values)


@dataclass(frozen=True)
class Candidate:
    """Steps of a plan, with at most one parameter left open.

    >>> candidate = Candidate(({"additive-noise": {}},),
    ...                       Axis((0, "additive-noise", "alpha"), (0.1, 0.2)))
    >>> candidate.at(0.2)
    ({'additive-noise': {'alpha': 0.2}},)
    >>> candidate.label
    'additive-noise'
    """

    steps: Steps
    axis: Axis | None = None

    @property
    def label(self) -> str:
        """The candidate in a few words: its methods, and what differs from their defaults."""
        return " + ".join(_named(step) for step in self.steps)

    def at(self, value: Any) -> Steps:
        """Return the steps with the open parameter set."""
        if self.axis is None:
            return self.steps
        steps: Any = deepcopy(self.steps)
        _set(steps, self.axis.where, value)
        if self.axis.partner is not None:
            _set(steps, self.axis.partner.where, self.axis.beside(value))
        return cast(Steps, steps)

    def files(self) -> list[str]:
        """Return the files that the steps name, whichever value is tried."""
        values = self.axis.values if self.axis else (None,)
        return [
            file
            for value in values
            for step in self.at(value)
            for file in cast(Method, build("method", step)).files()
        ]


def _set(steps: Any, where: Where, value: Any) -> None:
    inner = steps
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value


def _place(value: Any, values: Sequence[Any]) -> float:
    """Return the position of a value among ordered values, fractional between two of them."""
    if value in values:
        return float(values.index(value))
    for i, (lower, upper) in enumerate(itertools.pairwise(values)):
        if lower is not None and min(lower, upper) < value < max(lower, upper):
            return i + float((value - lower) / (upper - lower))
    raise UsageError(f"the value {value!r} is not between those to try: {values}")


def _at_place(place: float, values: Sequence[Any]) -> Any:
    """Return the value at a position; between two numbers it is interpolated."""
    low = int(place)
    if place == low or values[low] is None:
        return values[low]
    between = values[low] + (place - low) * (values[low + 1] - values[low])
    whole = isinstance(values[low], int)
    return round(between) if whole else float(f"{between:.3g}")


def _named(step: Mapping[str, Any]) -> str:
    ((name, values),) = step.items()
    parts = []
    for key, value in (values or {}).items():
        if _is_component(value):
            parts.append(_named(value))
        elif isinstance(value, list | tuple):
            many = len(value) > 3
            words = f"{value[0]} and {len(value) - 1} more" if many else ", ".join(map(str, value))
            parts.append(f"{key} {words}")
        elif not isinstance(value, Mapping):
            parts.append(f"{key} {value}")
    return f"{name} ({', '.join(parts)})" if parts else name


def _is_component(value: Any) -> bool:
    """Whether a value is a component with its parameters, and not a table by column."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return False
    return isinstance(next(iter(value.values())), Mapping | None)


def from_registry(names: Sequence[str] | None = None) -> list[Candidate]:
    """Return the candidates of the registry: every method that declares values to try.

    >>> [c.axis.name for c in from_registry(["additive-noise"])][:1]
    ['alpha']
    """
    kinds = [find("method", name) for name in names] if names else entries("method")
    candidates = []
    for kind in kinds:
        made = list(_forms(kind))
        if names and not any(c.axis for c in made):
            made = made or [Candidate(({kind.spec.name: {}},))]
        candidates += made
    return candidates


def _forms(kind: type[Component]) -> Iterator[Candidate]:
    """Return the forms of one method: its axis, for each combination of its other trials."""
    if any(p.required for p in kind.params().values()):
        return
    other = {n: p.trials for n, p in kind.params().items() if p.trials and not p.monotone}
    combinations = itertools.islice(itertools.product(*other.values()), MOST_FORMS)
    for values in combinations:
        chosen = {
            name: value
            for name, value in zip(other, values, strict=True)
            if value != kind.params()[name].default
        }
        made = kind(**chosen)
        axis = next(_axes(made, (0, kind.spec.name)), None)
        recipe = _short(made, axis.where[2:] if axis else ())
        if axis is not None or chosen:
            yield Candidate((recipe,), axis)


def _axes(component: Component, where: Where) -> Iterator[Axis]:
    """Return the axes of a component and of those within it, its own first."""
    for name, param in component.params().items():
        if param.trials and param.monotone:
            yield Axis((*where, name), _fitting(param))
    for name, value in component.values().items():
        if isinstance(value, Component):
            yield from _axes(value, (*where, name, value.spec.name))


def _fitting(param: Param) -> tuple[Any, ...]:
    return tuple(param.check(value, param.name) for value in param.trials)


def _short(component: Component, open_at: Where) -> dict[str, Any]:
    """Return the recipe of a component: what differs from the defaults, and the path to the
    axis."""
    settings: dict[str, Any] = {}
    for name, value in component.values().items():
        param = component.params()[name]
        leads = bool(open_at) and open_at[0] == name
        if isinstance(value, Component):
            inner = _short(value, open_at[2:] if leads else ())
            default = param.default
            if leads or inner != (default if isinstance(default, Mapping) else {default: {}}):
                settings[name] = inner
        elif value != param.default and value is not None:
            settings[name] = list(value) if isinstance(value, tuple) else value
    return {component.spec.name: settings}


def from_list(given: Sequence[Any]) -> list[Candidate]:
    """Return the candidates of a user's list, each a step or a list of steps.

    >>> [candidate] = from_list([{"additive-noise": {"alpha": {"try": [0.1, 0.5]}}}])
    >>> candidate.axis.values
    (0.1, 0.5)
    """
    candidates = []
    for entry in given:
        if isinstance(entry, Method):
            entry = _plain(entry)
        steps = list(entry) if isinstance(entry, list | tuple) else [entry]
        if not steps:
            raise UsageError("a candidate needs at least one step, but one in the list is empty")
        steps = [{step: {}} if isinstance(step, str) else _plain(step) for step in steps]
        # Axes without a direction come first: the last one is the axis that is bisected.
        open_places = sorted(
            (_directed(axis) for axis in _open(steps, ())), key=lambda axis: axis.monotone
        )
        forms: list[Candidate] = []
        outer = open_places[:-1]
        last = open_places[-1] if open_places else None
        choices = [axis.values for axis in outer]
        for values in itertools.product(*choices):
            made = tuple(steps)
            for axis, value in zip(outer, values, strict=True):
                made = Candidate(made, axis).at(value)
            forms.append(Candidate(made if last is None else _without(made, last.where), last))
        for candidate in forms:
            _check(candidate)
        candidates += forms
    return candidates


def _without(steps: Steps, where: Where) -> Steps:
    """Return the steps without the open parameter."""
    copied: Any = deepcopy(steps)
    inner = copied
    for key in where[:-1]:
        inner = inner[key]
    del inner[where[-1]]
    return cast(Steps, copied)


def _directed(axis: Axis) -> Axis:
    """Return the axis with its values by increasing protection, as its parameter declares it."""
    param = _param_at(axis.where)
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in axis.values)
    if param is None or not param.monotone or not numbers:
        return replace(axis, monotone=False)
    falling = param.trials[0] > param.trials[-1]
    return replace(axis, values=tuple(sorted(axis.values, reverse=falling)))


def _param_at(where: Where) -> Param | None:
    """Return the parameter at a position in the steps; None if there is none.

    >>> _param_at((0, "microaggregation", "partition", "mdav", "k")).name
    'k'
    """
    family: str | None = "method"
    param: Param | None = None
    # After the number of the step come a component's name and its parameter's, in turn.
    for component, name in zip(where[1::2], where[2::2], strict=False):
        if family is None:
            return None
        param = find(family, str(component)).params().get(str(name))
        family = getattr(param.type, "family", None) if param is not None else None
    return param if len(where) % 2 else None


def _plain(step: Any) -> Any:
    if isinstance(step, Method):
        register(type(step))
        return step.recipe()
    if not isinstance(step, Mapping):
        raise UsageError(
            "a step of a candidate is a method's name, or its name with its parameters, but "
            f"{step!r} was given"
        )
    return dict(step)


def _open(value: Any, where: Where) -> Iterator[Axis]:
    """Find the places that list values to try."""
    if isinstance(value, Mapping):
        if set(value) == {"try"} or set(value) in ({"from", "to"}, {"from", "to", "step"}):
            yield Axis(where, _values(value, where), monotone=True)
            return
        for key, inner in value.items():
            yield from _open(inner, (*where, key))
    elif isinstance(value, list | tuple):
        if value and where and _takes_single_values(where, value):
            yield Axis(where, tuple(value), monotone=True)
            return
        for i, inner in enumerate(value):
            yield from _open(inner, (*where, i))


def _takes_single_values(where: Where, values: Sequence[Any]) -> bool:
    """Whether the parameter takes each of the values but no list of them, so that they are tried.

    >>> _takes_single_values((0, "rank-swapping", "p"), [5, 20])
    True
    >>> _takes_single_values((0, "rank-swapping", "columns"), ["age", "pay"])
    False
    """
    param = _param_at(where)
    if param is None:
        return False
    try:
        for value in values:
            param.check(value, param.name)
    except UsageError:
        return False
    try:
        param.check(list(values), param.name)
    except UsageError:
        return True
    return False


def _values(given: Mapping[str, Any], where: Where) -> tuple[Any, ...]:
    if "try" in given:
        values = given["try"]
        if not isinstance(values, list | tuple) or not values:
            raise UsageError(f"'try' needs a list of values for '{where[-1]}'")
        return tuple(values)
    low, high, step = given["from"], given["to"], given.get("step", 1)
    numbers = all(map(_ordinary, (low, high, step)))
    length = float(high - low) / step if numbers and step else -1.0
    if length < 0:
        raise UsageError(
            f"'from', 'to' and 'step' of '{where[-1]}' must be numbers, and the step "
            "must lead from the first to the second"
        )
    if length >= MOST_VALUES:
        raise UsageError(
            f"'from', 'to' and 'step' of '{where[-1]}' stand for at most {MOST_VALUES:,} "
            f"values, not {length:.3g}; give a larger step, or list the values with 'try'"
        )
    count = int(length + 1e-9) + 1
    values = (low + i * step for i in range(count))
    # Steps of a tenth should read 0.3, not what three of them add up to.
    return tuple(float(f"{v:.12g}") if isinstance(v, float) else v for v in values)


def _ordinary(value: Any) -> bool:
    """Whether a value is a number of a size that can be computed with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _check(candidate: Candidate) -> None:
    """Check that every value makes a valid method; a mistake is reported before anything runs."""
    values = candidate.axis.values if candidate.axis else (None,)
    for value in values:
        for step in candidate.at(value):
            build("method", step)
