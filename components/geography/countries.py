"""The world's countries by two-letter code, with their English names."""

from functools import cache

from babel import Locale
from babel.core import get_global

from components.geography.folding import fold

# Named by Babel and not assigned by ISO 3166-1: unions, islands within countries, test and unknown regions.
_NOT_COUNTRIES = frozenset({"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"})


def country_name(code: str | None) -> str:
    """Return the English name of a country, or the code itself where it names none; empty for no code."""
    if not code:
        return ""
    plain = code.strip().upper()
    return all_countries().get(plain, plain)


def country_code(text: str | None) -> str | None:
    """Return the two-letter code of a country told by a code or its English name; None where it is not understood."""
    return _codes().get(fold(text)) if text else None


@cache
def _codes() -> dict[str, str]:
    former = {alias: codes[0] for alias, codes in get_global("territory_aliases").items() if len(codes) == 1}
    named = {name: code for code, name in all_countries().items()}
    return {fold(word): code for word, code in (former | named | {code: code for code in named.values()}).items()}


@cache
def all_countries() -> dict[str, str]:
    """Return the English names of all countries by code, in the order of the names. Shared: do not change it."""
    territories = Locale("en").territories
    named = {
        code: str(name)
        for code, name in territories.items()
        if len(code) == 2 and code.isalpha() and code not in _NOT_COUNTRIES
    }
    return dict(sorted(named.items(), key=lambda pair: pair[1]))
