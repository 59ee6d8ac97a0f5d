"""Parameters are data: declared once on a class, read by everything.

A component (a partition, a replacement, a method, a measure) declares its parameters as class
attributes:

    k: int = param(default=5, help="minimum number of records in a group", at_least=2)

The type comes from the annotation. Validation, the printed form, plans, command line, docs and
the search for good parameters all read the same declaration; no checks are written by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import PurePath
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Self,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from discreet.contracts.entries import Entries, Table, file_name
from discreet.contracts.spec import Spec
from discreet.errors import UsageError, nearest

REQUIRED: Any = object()
RELATIVE = "a relative path starts from the plan's folder, in Python from the working directory"
"""Where files named by parameters are looked up; part of the help of each such parameter."""
Columns = tuple[str, ...] | None
Texts = Annotated[tuple[str, ...] | None, "texts that may hold values of the data"]


@dataclass
class Param:
    """A declared parameter: its default, its help and the values that it accepts."""

    default: Any
    help: str
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    choices: tuple[str, ...] | None = None
    path: bool = False
    trials: tuple[Any, ...] = ()
    monotone: bool = False
    public: bool | str | None = None
    treated: bool = False
    kw_only: bool = False
    name: str = ""
    type: Any = None

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is REQUIRED

    @property
    def domain(self) -> str:
        """The accepted values, in words."""
        if self.choices is not None:
            return "one of " + ", ".join(self.choices)
        if self.path:
            return "a list of entries name=path"
        bounds = [
            f"{word} {bound:g}"
            for word, bound in (
                ("at least", self.at_least),
                ("above", self.above),
                ("at most", self.at_most),
                ("below", self.below),
            )
            if bound is not None
        ]
        return ", ".join([_type_in_words(self.type), *bounds])

    def published(self, component: Component) -> bool:
        """Whether the published parts of a release show the value of this parameter.

        By default they do not if it can hold values of the data that the release removed.
        """
        if isinstance(self.public, str):
            return bool(getattr(component, self.public))
        if self.public is not None:
            return self.public
        holds_values = self.type in (str, str | None, Texts, Entries)
        return self.path or self.choices is not None or not holds_values

    def check(self, value: Any, owner: str) -> Any:
        """Return `value` in its proper type, or report what this parameter accepts."""
        converted = _convert(self, value)
        if converted is _REFUSED or not self._within(converted):
            hint = nearest(str(value), self.choices) if self.choices else ""
            raise UsageError(
                f"parameter '{self.name}' of {owner} must be {self.domain}, "
                f"but {value!r} was given{hint}"
            )
        return converted

    def _within(self, value: Any) -> bool:
        if self.choices is not None:
            return value in self.choices
        if not isinstance(value, int | float) or isinstance(value, bool):
            return True
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
            and (self.below is None or value < self.below)
        )


def param(
    *,
    default: Any = REQUIRED,
    help: str,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    choices: Sequence[str] | None = None,
    path: bool = False,
    trials: Sequence[Any] = (),
    monotone: bool = False,
    public: bool | str | None = None,
    treated: bool = False,
    kw_only: bool = False,
) -> Any:
    """Declare a parameter of a component; see the module's docstring.

    `path` marks a parameter that names files, as texts `column=path`: only the names of the files
    are published, not where they are. `trials` are the values that a search for the best release
    tries; with `monotone` they go from the least protection to the most, so that the search can
    bisect to a limit instead of trying them all.

    `treated` marks one that names columns out of those that the component treats. `kw_only` is for
    a parameter of a whole family, or of frozen plans: given by name, and shown only if set.

    `public` says whether the manifest and the public report show the value: true, false, or the
    name of another parameter, or property, that decides. By default they show numbers, choices and
    names of columns (`Columns`), and withhold what may hold values of the data: other texts
    (`Texts`) and entries.
    """
    taken = tuple(choices) if choices is not None else None
    return Param(
        default,
        f"{help}; {RELATIVE}" if path else help,
        at_least,
        above,
        at_most,
        below,
        taken,
        path,
        trials=tuple(trials),
        monotone=monotone,
        public=public,
        treated=treated,
        kw_only=kw_only,
    )


_REFUSED: Any = object()


def _convert(param: Param, value: Any) -> Any:
    """Return `value` as the parameter's type, or `_REFUSED`. Nothing is guessed: 5.0 is a whole
    number, True and "5" are not numbers.
    """
    kind = param.type
    if value is None:
        return None if _optional(kind) else _REFUSED
    if isinstance(kind, type) and issubclass(kind, Component):
        return _component(kind, value)
    if _component_of(kind) is not None:
        if not isinstance(value, list | tuple):
            return _REFUSED
        made = tuple(_component(_component_of(kind), part) for part in value)
        return _REFUSED if any(part is _REFUSED for part in made) else made
    if kind in (Columns, Texts, tuple[str, ...]):
        listed = isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        return tuple(value) if listed else _REFUSED
    if kind == Entries:
        return Table(value) if isinstance(value, Mapping) else _REFUSED
    if kind is bool:
        return value if isinstance(value, bool) else _REFUSED
    if isinstance(value, bool):
        return _REFUSED
    if kind in (int, int | None):
        if isinstance(value, Integral) or (isinstance(value, float) and value.is_integer()):
            return int(value)
        return _REFUSED
    if kind in (float, float | None):
        try:
            number = float(value) if isinstance(value, Real) else math.nan
        except OverflowError:
            return _REFUSED
        return number if math.isfinite(number) else _REFUSED
    if kind in (str, str | None):
        return value if isinstance(value, str) else _REFUSED
    raise TypeError(f"parameters of type {kind} are not supported")


def _component_of(kind: Any) -> Any:
    """Return the type of the components that a parameter lists, or None."""
    inner = get_args(kind)[0] if get_origin(kind) is tuple else None
    return inner if isinstance(inner, type) and issubclass(inner, Component) else None


def _component(kind: type[Component], value: Any) -> Any:
    if isinstance(value, kind):
        return value
    if isinstance(value, str | Mapping):
        from discreet.contracts.registry import build

        return build(kind.family, value)
    return _REFUSED


def _optional(kind: Any) -> bool:
    return kind == Texts or type(None) in getattr(kind, "__args__", ())


def _type_in_words(kind: Any) -> str:
    if isinstance(kind, type) and issubclass(kind, Component):
        return f"a {kind.family}"
    if _component_of(kind) is not None:
        return f"a list of entries, each a kind of {_component_of(kind).family}"
    if kind in (Columns, tuple[str, ...]):
        return "a list of column names"
    if kind == Texts:
        return "a list of texts"
    if kind == Entries:
        return "names with values below them"
    bare = next((a for a in getattr(kind, "__args__", ()) if a is not type(None)), kind)
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    return words[bare] + (" or nothing" if _optional(kind) else "")


@dataclass_transform(frozen_default=True, field_specifiers=(param,))
class Component:
    """Something with a spec and parameters, immutable once made.

    `family` says what it is: a partition, replacement, method, measure, attack or analysis.
    """

    family: ClassVar[str] = "component"
    spec: ClassVar[Spec]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        declared = self.params()
        owner = type(self).__name__
        in_order = [name for name, declaration in declared.items() if not declaration.kw_only]
        if len(args) > len(in_order):
            raise UsageError(
                f"{owner} takes at most {len(in_order)} parameters, but {len(args)} were given"
            )
        given = dict(zip(in_order, args, strict=False))
        for name, value in kwargs.items():
            if name not in declared:
                known = ", ".join(declared) or "none"
                raise UsageError(
                    f"{owner} has no parameter '{name}'{nearest(name, declared)} "
                    f"(parameters: {known})"
                )
            if name in given:
                raise UsageError(f"parameter '{name}' of {owner} was given twice")
            given[name] = value
        for name, declaration in declared.items():
            value = given.get(name, declaration.default)
            if value is REQUIRED:
                raise UsageError(
                    f"{owner} needs the parameter '{name}': {declaration.domain} "
                    f"({declaration.help})"
                )
            object.__setattr__(self, name, declaration.check(value, owner))

    @classmethod
    def params(cls) -> Mapping[str, Param]:
        """Return the declared parameters by name, in the order of declaration."""
        if "_params" not in cls.__dict__:
            hints = get_type_hints(cls, include_extras=True)
            declared: dict[str, Param] = {}
            for parent in reversed(cls.__mro__):
                for name, value in vars(parent).items():
                    if isinstance(value, Param):
                        value.name, value.type = name, hints[name]
                        declared[name] = value
            ordered = sorted(declared.items(), key=lambda entry: entry[1].kw_only)
            cls._params = MappingProxyType(dict(ordered))  # type: ignore[attr-defined]
        return cast(Mapping[str, Param], cls.__dict__["_params"])

    @classmethod
    def example(cls) -> Self:
        """Return an instance for docs and checks; override this if a default is missing."""
        return cls()

    @property
    def is_random(self) -> bool:
        """Whether another seed would give another result."""
        inner = [value for value in self.values().values() if isinstance(value, Component)]
        return self.spec.random or any(component.is_random for component in inner)

    def values(self) -> dict[str, Any]:
        """Return the value of every parameter."""
        return {name: getattr(self, name) for name in self.params()}

    def recipe(self, public: bool = False) -> dict[str, Any]:
        """Return the component as a plan writes it: its name and its parameters.

        `public` leaves out the locations of files, and whatever may hold values of the data.
        """
        settings: dict[str, Any] = {}
        for name, value in self.values().items():
            declared = self.params()[name]
            if value is None and declared.default is None:
                continue
            if not public:
                settings[name] = _plain(value)
            elif declared.published(self):
                settings[name] = (
                    [file_name(entry) for entry in value]
                    if declared.path and value is not None
                    else _plain(value, public=True)
                )
        return {self.spec.name: settings}

    def withheld(self) -> list[str]:
        """Return the parameters that are set but not published; those of a part follow a dot."""
        names: list[str] = []
        for name, value in self.values().items():
            if value is not None and not self.params()[name].published(self):
                names.append(name)
            elif isinstance(value, Component):
                names += [f"{name}.{inner}" for inner in value.withheld()]
        return names

    def files(self) -> list[str]:
        """Return the paths of the files that parameters name."""
        paths: list[str] = []
        for name, value in self.values().items():
            if isinstance(value, Component):
                paths += value.files()
            elif value is not None and self.params()[name].path:
                paths += [entry.partition("=")[2] for entry in value]
        return paths

    def files_from(self, folder: PurePath) -> Self:
        """Return the component with the files that it names resolved against a folder."""
        return self.with_files(lambda path: str(folder / path))

    def with_files(self, place: Callable[[str], str]) -> Self:
        """Return the component with another path for each of the files that it names."""
        values = self.values()
        for name, value in values.items():
            if isinstance(value, Component):
                values[name] = value.with_files(place)
            elif value is not None and self.params()[name].path:
                entries = (entry.partition("=") for entry in value)
                values[name] = [f"{word}={place(path.strip())}" for word, _, path in entries]
        return type(self)(**values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed; make a new one")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, type(self))
            and type(self) is type(other)
            and self.values() == other.values()
        )

    def __hash__(self) -> int:
        return hash((type(self), *self.values().values()))

    def __repr__(self) -> str:
        params, values = self.params(), self.values().items()
        shown = [(name, value) for name, value in values if value or not params[name].kw_only]
        inner = ", ".join(f"{name}={value!r}" for name, value in shown)
        return f"{type(self).__name__}({inner})"


def _plain(value: Any, public: bool = False) -> Any:
    if isinstance(value, Table):
        return value.plain()
    if isinstance(value, Component):
        return value.recipe(public)
    return [_plain(part, public) for part in value] if isinstance(value, tuple) else value
