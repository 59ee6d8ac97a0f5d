"""A rehearsal: everything is run once on invented patients, so that all kernels are compiled."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet import datasets, kernels
from discreet.contracts import Context, Method, Progress, Randomness
from discreet.contracts.registry import build, entries, find
from discreet.errors import DiscreetError
from discreet.io.reading import read
from discreet.microdata import Microdata
from discreet.release.assessing import assess
from discreet.release.course import run_steps
from discreet.release.protecting import protect

FEW, MANY = 400, 20_000
"""The number of records on which everything is run, and on which kernels for larger files are
run.
"""
NUMBERS = ("age", "height_cm", "weight_kg")


@dataclass(frozen=True)
class Rehearsed:
    """The kernels that were compiled or found compiled, and those that nothing called."""

    ready: tuple[str, ...]
    unused: tuple[str, ...]


def rehearse(
    methods: Sequence[str] = (), say: Callable[[str], None] = lambda text: None
) -> Rehearsed:
    """Run the methods with these names, or all, and every measure; say what is being run."""
    patients = read(
        datasets.path("patients"), datasets.roles("patients"), datasets.kinds("patients")
    )
    few = patients.take(np.arange(FEW))
    for step in _steps(methods):
        say(next(iter(step.recipe())))
        _tried(lambda step=step: run_steps(_suited(few, step), [step], _context()))  # type: ignore[misc]
    pairs = build("method", "microaggregation")
    assert isinstance(pairs, Method)
    for data in (few, _many(patients)):
        say(f"measures of {len(data):,} records")
        release = protect(data, pairs, seed=1, allow=None, progress=Progress())
        assess(data, release, ["all"] if data is few else None, progress=Progress())
    return _compiled_and_unused()


def _steps(methods: Sequence[str]) -> Iterator[Method]:
    """Yield the methods by their examples, and microaggregation with every partition."""
    chosen = [find("method", name) for name in methods] or entries("method")
    partitions = [{"partition": entry.example().recipe()} for entry in entries("partition")]
    for entry in chosen:
        example: Any = entry.example()
        yield example
        if "partition" in entry.params():
            for parameters in partitions:
                yield build("method", {entry.spec.name: parameters})  # type: ignore[misc]


def _suited(data: Microdata, step: Method) -> Microdata:
    """Return the table without quasi-identifiers of kinds that a method does not treat."""
    others = [n for n in data.quasi_identifiers if data.schema[n].kind not in step.spec.kinds]
    return data.drop(others)


def _many(patients: Microdata) -> Microdata:
    """Return more patients than there are, by shifting their numbers a little."""
    draw = np.random.Generator(np.random.PCG64(1))
    table = patients.take(draw.integers(0, len(patients), MANY))
    table = table.drop([n for n in table.schema.names if n not in (*NUMBERS, "income")])
    return table.replace(
        table.column(name).with_values(table[name] + draw.normal(0, 0.1, MANY)) for name in NUMBERS
    )


def _context() -> Context:
    return Context(Randomness(1))


def _tried(work: Callable[[], object]) -> None:
    try:
        work()
    except DiscreetError:
        # A method that does not suit these patients has no kernel to compile here.
        return


def _compiled_and_unused() -> Rehearsed:
    ready: list[str] = []
    unused: list[str] = []
    for info in pkgutil.iter_modules(kernels.__path__):
        module = importlib.import_module(f"{kernels.__name__}.{info.name}")
        for name, item in vars(module).items():
            if getattr(getattr(item, "py_func", None), "__module__", "") == module.__name__:
                (ready if item.signatures else unused).append(f"{info.name}.{name}")
    return Rehearsed(tuple(ready), tuple(unused))
