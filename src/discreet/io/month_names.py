"""Names of months as dates write them, in seven languages, in full and shortened."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["month_names"]

_NAMES = """
January February March April May June July August September October November December
Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec
Januar Februar März April Mai Juni Juli August September Oktober November Dezember
Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez
Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
janv févr mars avr mai juin juil août sept oct nov déc
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
ene feb mar abr may jun jul ago sep oct nov dic
ene feb mar abr may jun jul ago sept oct nov dic
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
jan fev mar abr mai jun jul ago set out nov dez
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
gen feb mar apr mag giu lug ago set ott nov dic
januari februari maart april mei juni juli augustus september oktober november december
jan feb mrt apr mei jun jul aug sep okt nov dec
"""
"""A line for each list: English, German, French, Spanish, Portuguese, Italian, Dutch."""


def month_names(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the lists of twelve names that have this one, in its letter case.

    >>> [names[-1] for names in month_names("MAI")]
    ['DEZEMBER', 'DEZ', 'DEZ', 'DÉCEMBRE', 'DÉC', 'DEZ']
    """
    for in_its_case in (str.upper, str.lower, str.title):
        if in_its_case(name) == name:
            lists = (tuple(map(in_its_case, line.split())) for line in _NAMES.split("\n"))
            yield from (names for names in lists if name in names)
