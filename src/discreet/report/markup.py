"""Figures and texts in readable form, and text escaped for HTML or SVG."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from discreet.contracts import Narrowed
from discreet.microdata.dates import date_texts

# What XML and HTML have no character for; a lone surrogate could not even be written as UTF-8.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
WORDS = {"infinity": "∞", "-infinity": "−∞", "undefined": "not defined"}
NO_FIGURE = "–"
THIN = "\u202f"


def text(value: object) -> str:
    """Return any text escaped so that HTML or SVG shows it unchanged.

    >>> text('<script>"x"&')
    '&lt;script&gt;&quot;x&quot;&amp;'
    """
    return html.escape(UNWRITABLE.sub("\ufffd", str(value)), quote=True)


def clipped(value: object, longest: int) -> str:
    """Return a text cut to a length, to be escaped afterwards.

    >>> clipped("occupation", 6)
    'occup…'
    """
    whole = " ".join(str(value).split())
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def unbroken(text: object) -> str:
    """Return a text in which no line ends between a number and its percent sign.

    >>> unbroken("it reaches 31.2 %, a blind guess 5 %")
    'it reaches 31.2\\u202f%, a blind guess 5\\u202f%'
    """
    return re.sub(r"(?<=\d) %", "\u202f%", str(text))


def shown(value: Any, percent: bool = False) -> str:
    """Return a figure in readable form.

    >>> shown(0.189, percent=True), shown(5.0), shown(0.123456), shown(None), shown(math.inf)
    ('18.90\\u202f%', '5', '0.1235', '–', '∞')
    """
    if value is None:
        return NO_FIGURE
    if isinstance(value, str):
        return WORDS.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if percent and math.isfinite(value):
        return f"{100 * value:,.2f}{THIN}%"
    return figure(value)


def brief(value: float | None, percent: bool) -> str:
    """Return a figure for a headline: a share with about three digits.

    >>> brief(0.18904, True), brief(7.3125, True), brief(5, False)
    ('18.9\\u202f%', '731\\u202f%', '5')
    """
    if value is not None and percent and math.isfinite(value):
        share = 100 * value
        return f"{share:,.0f}{THIN}%" if abs(share) >= 100 else f"{share:.3g}{THIN}%"
    return shown(value)


def figure(value: float) -> str:
    """Return a number with about four digits, and no more than it needs.

    >>> figure(1234567), figure(0.25), figure(1e-16), figure(2.5e12), figure(-3)
    ('1,234,567', '0.25', '1e-16', '2.5e+12', '−3')
    """
    sign = "−" if value < 0 else ""
    size = abs(value)
    if not math.isfinite(size):
        return WORDS["undefined"] if math.isnan(size) else f"{sign}∞"
    if float(size).is_integer() and size < 1e9:
        return f"{sign}{size:,.0f}"
    if 1000 <= size < 1e9:
        return f"{sign}{size:,.1f}"
    return f"{sign}{size:.4g}"


def dated(value: float | None, dates: str = "") -> str:
    """Return a number of an axis; that of a date, in the unit of its column, as the date.

    >>> dated(7441.0, "D"), dated(12.5)
    ('1990-05-17', '12.5')
    """
    if value is None or not dates:
        return shown(value)
    return date_texts(np.array([value]), dates)[0][:10]


def in_words(values: Any) -> str:
    """Return parameters in one line, those of parts in brackets.

    >>> in_words({"partition": {"mdav": {"k": 5}}, "columns": ["age", "sex"]})
    'partition = mdav (k = 5), columns = age and sex'
    """
    if isinstance(values, Mapping):
        return ", ".join(_setting(key, value) for key, value in values.items())
    if isinstance(values, list):
        return " and ".join(map(str, values))
    return shown(values) if isinstance(values, int | float) else str(values)


def _setting(key: str, value: Any) -> str:
    if not isinstance(value, Mapping):
        return f"{key} = {in_words(value)}"
    if len(value) == 1 and isinstance(next(iter(value.values())), Mapping):
        ((part, settings),) = value.items()
        return f"{key} = {part} ({in_words(settings)})" if settings else f"{key} = {part}"
    return f"{key} ({in_words(value)})" if value else key


def parts(detail: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the parts of a score, one line for each figure.

    >>> list(parts({"bias": {"age": 0.25}, "columns": ["age", "pay"], "none": []}))
    [('bias: age', '0.25'), ('columns', 'age, pay')]
    """
    for key, value in detail.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}: {inner}", _part(figures)) for inner, figures in value.items())
        elif value not in ([], "", None):
            yield key, _part(value)


def _part(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_part, value))
    return in_words(value) if isinstance(value, Mapping) else shown(value)


def given_away(narrowed: Narrowed) -> str:
    """Return in words what is known about a confidential column in a leaf.

    >>> given_away(Narrowed("ill", 9, "flu", share=0.75, spread=0.5))
    'ill: flu for 75 % of the records'
    """
    if not narrowed.known:
        return f"{narrowed.column}: missing"
    if narrowed.low is None or narrowed.high is None:
        share = 100 * (narrowed.share or 0)
        return f"{narrowed.column}: {narrowed.guess} for {share:.3g} % of the records"
    return (
        f"{narrowed.column}: {figure(narrowed.low)} to {figure(narrowed.high)}, deviation "
        f"{100 * (narrowed.spread or 0):.3g} % of the file's"
    )
