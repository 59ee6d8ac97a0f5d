"""Forms in which files write amounts: 1.234,56 €, $1,234.56, 12,5 %.

A column has a form if every value parses as a number in it and prints back unchanged. In the table
it is a number; it is written in its form again, with as many decimals as it had.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NumberForm", "find_number_form"]

_MONEY = r"(?:[$€£¥]|R\$|Fr\.|kr|zł|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|HUF|BRL|CAD|AUD)"
_AROUND = re.compile(
    rf"(?P<prefix>{_MONEY}[ \u00a0]?)?(?P<body>-?[0-9][0-9.,' \u00a0\u202f]*[0-9]|-?[0-9])"
    rf"(?P<suffix>[ \u00a0]?(?:{_MONEY}|%))?"
)
_SEPARATORS = (
    (",", "."),
    (".", ","),
    ("'", "."),
    (" ", ","),
    ("\u00a0", ","),
    ("\u202f", ","),
    ("", "."),
    ("", ","),
)
LARGEST = 2**53


@dataclass(frozen=True)
class NumberForm:
    """How the numbers of a column are written; `decimals` is None where they differ.

    >>> import pyarrow as pa
    >>> form = NumberForm(".", ",", 2, suffix=" €")
    >>> numbers = form.read(pa.array(["1.234,50 €"]))
    >>> numbers.to_pylist(), form.write(numbers).to_pylist()
    ([1234.5], ['1.234,50 €'])
    """

    thousands: str
    decimal: str
    decimals: int | None
    prefix: str = ""
    suffix: str = ""

    @property
    def described(self) -> str:
        """An example of the form.

        >>> NumberForm(",", ".", 2, prefix="$").described
        '$1,234.50'
        """
        return self._text(1234.5 if self.decimals != 0 else 1234)

    def recipe(self) -> dict[str, str]:
        """Return what a reader of the text must know."""
        return {
            "thousands": self.thousands,
            "decimal": self.decimal,
            "prefix": self.prefix,
            "suffix": self.suffix,
        }

    def fits(self, kind: pa.DataType) -> bool:
        """Whether values of a type can be written in this form."""
        import pyarrow.types as types

        return bool(types.is_integer(kind) or types.is_floating(kind))

    def read(self, texts: pa.ChunkedArray | pa.Array) -> pa.Array | None:
        """Return numbers; None if a text is not of this form."""
        import pyarrow as pa

        whole = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        encoded = whole.dictionary_encode()
        values: list[float | int] = []
        for text in encoded.dictionary.to_pylist():
            value = self._value(text)
            if value is None:
                return None
            values.append(value)
        kind = pa.int64() if self.decimals == 0 else pa.float64()
        return pa.array(values, kind).take(encoded.indices)

    def write(self, numbers: pa.ChunkedArray | pa.Array) -> pa.Array:
        """Return the texts of numbers."""
        import pyarrow as pa

        whole = numbers.combine_chunks() if isinstance(numbers, pa.ChunkedArray) else numbers
        encoded = whole.dictionary_encode()
        texts = [
            None if value is None or value != value else self._text(value)
            for value in encoded.dictionary.to_pylist()
        ]
        return pa.array(texts, pa.large_string()).take(encoded.indices)

    def _text(self, value: float) -> str:
        if self.decimals is None:
            plain = f"{value:,.15g}" if abs(value) < LARGEST else f"{value:,.0f}"
        else:
            plain = f"{value:,.{self.decimals}f}"
        if float(plain.replace(",", "")) == 0:
            plain = plain.removeprefix("-")
        signs = {",": self.thousands, ".": self.decimal}
        return f"{self.prefix}{''.join(signs.get(s, s) for s in plain)}{self.suffix}"

    def _value(self, text: str) -> float | int | None:
        if not (text.startswith(self.prefix) and text.endswith(self.suffix)):
            return None
        body = text[len(self.prefix) : len(text) - len(self.suffix)]
        plain = body.replace(self.thousands, "") if self.thousands else body
        try:
            value = float(plain.replace(self.decimal, "."))
        except ValueError:
            return None
        number = int(value) if self.decimals == 0 and value.is_integer() else value
        return number if abs(value) < LARGEST and self._text(number) == text else None


def find_number_form(texts: pa.ChunkedArray, decimal: str | None = None) -> NumberForm | None:
    """Return the form that all texts have, or None; plain numbers have none.

    `decimal` is the decimal mark of the file, if it is known: it decides whether the point in
    1.234 separates thousands.

    >>> import pyarrow as pa
    >>> find_number_form(pa.chunked_array([["12,5 %", "7,0 %"]]))
    NumberForm(thousands='.', decimal=',', decimals=1, prefix='', suffix=' %')
    """
    present = texts.drop_null()
    head = present.slice(0, 1000).unique().to_pylist()
    matches = [_AROUND.fullmatch(text) for text in head[:3]]
    if not head or not all(matches):
        return None
    prefix, suffix = matches[0]["prefix"] or "", matches[0]["suffix"] or ""  # type: ignore[index]
    for thousands, sign in _SEPARATORS:
        if decimal is not None and not (prefix or suffix) and sign != decimal:
            continue
        bodies = [t.removeprefix(prefix).removesuffix(suffix) for t in head]
        if not (prefix or suffix) and not (thousands and any(thousands in b for b in bodies)):
            continue
        widths = {len(body.partition(sign)[2]) for body in bodies}
        decimals = widths.pop() if len(widths) == 1 else None
        form = NumberForm(thousands, sign, decimals, prefix, suffix)
        if form.read(present.slice(0, 1000)) is not None and form.read(present) is not None:
            return form
    return None
