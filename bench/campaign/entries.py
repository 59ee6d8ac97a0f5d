"""Parameters with a language of their own: files, rules, matrices, values of single columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from hypothesis import strategies as st

from bench.campaign.tables import Column, Table
from bench.campaign.values import chance

Files = dict[str, bytes]
Maker = Callable[[Any, Table, Files], Any]


def _text(level: Any) -> str:
    return level.isoformat() if isinstance(level, date) else str(level)


def _plain(level: Any, kind: str = "") -> Any:
    """Return a value as a plan can write it; the cells of a CSV file are texts of numbers."""
    if kind == "continuous" and isinstance(level, str):
        try:
            return float(level)
        except ValueError:
            return level
    return level if isinstance(level, str | int | float) else _text(level)


def _lines(rows: Sequence[Sequence[Any]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _known(table: Table, *kinds: str) -> list[Column]:
    known = table.having("quasi-identifier")
    fitting = [column for column in known if not kinds or column.kind in kinds]
    return fitting or known


def _put(files: Files, stem: str, content: bytes) -> str:
    name = f"{stem}-{len(files)}.csv"
    files[name] = content
    return name


def _file_of(column: str, name: str) -> list[str]:
    return [f"{column}={name}"]


def _hierarchies(draw: Any, table: Table, files: Files) -> list[str]:
    column = draw(st.sampled_from(_known(table, "nominal", "ordinal")))
    middle = draw(st.sampled_from(["Nordland", "low", "*"]))
    rows = [
        [_text(level), middle if number % 2 else f"{middle} {number // 2}", "*"]
        for number, level in enumerate(column.levels)
        if level is not None
    ]
    if rows and chance(draw, 6):
        rows.pop()
    delimiter = draw(st.sampled_from([";", ",", "\t"]))
    return _file_of(column.name, _put(files, "hierarchy", _lines(rows, delimiter)))


def _matrix_files(draw: Any, table: Table, files: Files) -> list[str]:
    column = draw(st.sampled_from(_known(table, "nominal", "ordinal")))
    levels = [_text(level) for level in column.levels if level is not None]
    spread = draw(st.sampled_from([0.1, 0.5, 1.0]))
    rows: list[list[Any]] = [["", *levels]]
    for at, level in enumerate(levels):
        share = spread / len(levels)
        rows.append([level, *(share + (1 - spread) * (at == to) for to in range(len(levels)))])
    return _file_of(column.name, _put(files, "matrix", _lines(rows)))


def _matrices(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table, "nominal", "ordinal")))
    levels = [_text(level) for level in column.levels if level is not None]
    new = draw(st.sampled_from(["Sonstige", *levels[:1]]))
    stay = draw(st.sampled_from([0.5, 0.9, 0.0]))
    return {
        column.name: {
            level: {new: 1.0} if level == new else {level: stay, new: 1 - stay} for level in levels
        }
    }


def _weights(draw: Any, table: Table, files: Files) -> list[str]:
    rows = len(table.columns[0].cells)
    width = draw(st.sampled_from([1, 2, 3]))
    lines = [
        [row + 1, (row + step) % rows + 1, 1 / width]
        for row in range(rows)
        for step in range(width)
    ]
    return [f"A={_put(files, 'weights', _lines(lines))}"]


def _register(draw: Any, table: Table, files: Files) -> list[str]:
    columns = draw(st.sampled_from([table.having("quasi-identifier"), list(table.columns)]))
    rows = [[column.name for column in columns]]
    for number in range(draw(st.integers(2, 60))):
        rows.append([_text(c.levels[number % len(c.levels)]) for c in columns])
    return [f"population={_put(files, 'register', _lines(rows))}"]


def _numbers(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table, "continuous")))
    return {column.name: draw(st.sampled_from([1, 2, 0.5, 10, 7.5]))}


def _thresholds(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table, "continuous", "ordinal")))
    return {column.name: _plain(draw(st.sampled_from(column.levels)), column.kind)}


def _cuts(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table, "continuous")))
    some = [_plain(level, column.kind) for level in column.present]
    levels = draw(st.lists(st.sampled_from(some), min_size=1, max_size=3)) if some else []
    try:
        ordered = sorted(set(levels))
    except TypeError:
        ordered = levels
    return {column.name: ordered}


def _mappings(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table, "nominal", "ordinal")))
    levels = [_plain(level) for level in column.present]
    joined = (
        draw(st.lists(st.sampled_from(levels), min_size=1, max_size=3, unique_by=str))
        if levels
        else []
    )
    return {column.name: {"Sonstige": joined}}


def _whole(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    column = draw(st.sampled_from(_known(table)))
    return {column.name: draw(st.integers(0, 2))}


def _factors(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    known = [column.name for column in _known(table, "continuous")]
    made = draw(st.sampled_from(known))
    return {made: {of: draw(st.sampled_from([0.5, 1, -1, 0.1])) for of in known}}


def _joined(draw: Any, table: Table, files: Files) -> list[str]:
    known = [column.name for column in table.having("quasi-identifier")]
    size = draw(st.integers(1, len(known)))
    return ["+".join(known[start : start + size]) for start in range(0, len(known), size)]


def _rules(draw: Any, table: Table, files: Files) -> list[str]:
    column = draw(st.sampled_from(list(table.columns)))
    level = _text(column.levels[0])
    sign = draw(st.sampled_from([">=", "<=", "!=", "=", ">"]))
    return [f"always {column.name} {sign} {level}"]


def _condition(draw: Any, table: Table, files: Files) -> str:
    return _rules(draw, table, files)[0].removeprefix("always ")


def _models(draw: Any, table: Table, files: Files) -> list[str]:
    column = draw(st.sampled_from(list(table.columns)))
    models = ["normal", "semicontinuous", "count", "logistic", "multinomial", "ordered"]
    return [f"{column.name}={draw(st.sampled_from(models))}"]


def _predictors(draw: Any, table: Table, files: Files) -> list[str]:
    first, *others = (column.name for column in table.columns)
    return [f"{others[-1] if others else first}={first if others else ''}"]


def _risks(draw: Any, table: Table, files: Files) -> list[str]:
    return [draw(st.sampled_from(["distance-linkage", "k-anonymity", "interval-disclosure"]))]


def _domains(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    """Declared domains of all columns; a few omit a category, or state bins for categories."""
    domains: dict[str, Any] = {}
    for column in table.columns:
        missing = {"missing": True} if not chance(draw, 8) else {}
        if (column.kind == "continuous") is not chance(draw, 30):
            bins = draw(st.sampled_from([1, 2, 3, [0, 1, 5], [-10, 0, 7.5, 1e6]]))
            ends = {} if isinstance(bins, list) else _ends(draw, column)
            domains[column.name] = {**ends, "bins": bins, **missing}
        else:
            categories = list(dict.fromkeys(_text(level) for level in column.present))
            categories += draw(st.sampled_from([["Sonstige"], []]))
            some = categories[:-1] if chance(draw, 10) else categories
            domains[column.name] = {"categories": some, **missing}
    return domains


def _ends(draw: Any, column: Column) -> dict[str, Any]:
    low, high = draw(st.sampled_from([(-5, 12), (0, 1), (-1e9, 1e9), (0.5, 0.75)]))
    return {"low": low, "high": high}


def _bounds(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    return {column.name: list(_ends(draw, column).values()) for column in table.columns}


def _mostly(draw: Any, table: Table, files: Files) -> bool:
    return not chance(draw, 6)


def _totals(draw: Any, table: Table, files: Files) -> dict[str, Any]:
    """Totals of categories for one or two columns, which mostly add up to the same."""
    rated = [
        c for c in table.columns if c.kind != "continuous" and c.role != "weight" and c.present
    ]
    if not rated:
        return {table.columns[0].name: {"a": 1}}
    few = draw(st.lists(st.sampled_from(rated), min_size=1, max_size=2, unique_by=lambda c: c.name))
    totals: dict[str, Any] = {}
    for column in few:
        levels = [_plain(level) for level in column.present]
        people = 1000 if not chance(draw, 10) else 999
        first = people - 10 * (len(levels) - 1)
        totals[column.name] = {level: 10 if at else first for at, level in enumerate(levels)}
    return totals


SPECIAL: dict[str, Maker] = {
    "hierarchies": _hierarchies,
    "matrix_files": _matrix_files,
    "matrices": _matrices,
    "register": _register,
    "bases": _numbers,
    "widths": _numbers,
    "importance": _numbers,
    "displacement": _numbers,
    "top": _thresholds,
    "bottom": _thresholds,
    "points": _cuts,
    "intervals": _cuts,
    "mappings": _mappings,
    "levels": _whole,
    "attributes": _factors,
    "attribute_groups": _joined,
    "together": _joined,
    "margins": _joined,
    "rules": _rules,
    "cells": _condition,
    "models": _models,
    "predictors": _predictors,
    "risks": _risks,
    "records": _weights,
    "domains": _domains,
    "bounds": _bounds,
    "size_is_public of dp-microaggregation": _mostly,
    "margins of iterative-proportional-fitting": _totals,
}
"""By the name of the parameter, or of the parameter and its method where methods differ."""
