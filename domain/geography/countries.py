"""The countries of the world by two-letter code, with their English and other names."""

import re
from functools import cache, lru_cache

from babel import Locale
from babel.core import get_global

from domain.geography.folding import fold

# Codes that Babel names and ISO 3166-1 does not assign: unions, islands within countries, test regions.
_NOT_COUNTRIES = frozenset({"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"})

_LANGUAGES = ("nl", "pt", "it", "es", "fr", "de")
"""The languages of country names in files, besides English. If a name means two countries, the last language
decides.
"""
_ALSO_CALLED = {
    "America": "US",
    "Bolivia, Plurinational State of": "BO",
    "Burma": "MM",
    "Cape Verde": "CV",
    "Congo, Democratic Republic of the": "CD",
    "Czech Republic": "CZ",
    "Democratic Republic of the Congo": "CD",
    "DR Congo": "CD",
    "DRC": "CD",
    "East Timor": "TL",
    "Emirates": "AE",
    "England": "GB",
    "Falkland Islands (Malvinas)": "FK",
    "Gaza": "PS",
    "Great Britain": "GB",
    "Holland": "NL",
    "Holy See": "VA",
    "Hong Kong": "HK",
    "Iran, Islamic Republic of": "IR",
    "Ivory Coast": "CI",
    "KSA": "SA",
    "Korea": "KR",
    "Korea, Democratic People's Republic of": "KP",
    "Korea, Republic of": "KR",
    "Korea, South": "KR",
    "Lao People's Democratic Republic": "LA",
    "Macao": "MO",
    "Macau": "MO",
    "Macedonia": "MK",
    "Micronesia, Federated States of": "FM",
    "Malvinas": "FK",
    "Moldova, Republic of": "MD",
    "Northern Ireland": "GB",
    "Palestine": "PS",
    "Palestine, State of": "PS",
    "People's Republic of China": "CN",
    "P.R. China": "CN",
    "P.R.C.": "CN",
    "PR China": "CN",
    "PRC": "CN",
    "Republic of Ireland": "IE",
    "Republic of Korea": "KR",
    "RSA": "ZA",
    "Russian Federation": "RU",
    "Scotland": "GB",
    "Slovak Republic": "SK",
    "Swaziland": "SZ",
    "Syrian Arab Republic": "SY",
    "Taiwan, Province of China": "TW",
    "The States": "US",
    "Tanzania, United Republic of": "TZ",
    "Turkey": "TR",
    "U.A.E.": "AE",
    "UAE": "AE",
    "U.K.": "GB",
    "U.S.": "US",
    "U.S.A.": "US",
    "USA": "US",
    "US Virgin Islands": "VI",
    "United States of America": "US",
    "Vatican": "VA",
    "Venezuela, Bolivarian Republic of": "VE",
    "Viet Nam": "VN",
    "Virgin Islands, British": "VG",
    "Virgin Islands, U.S.": "VI",
    "Wales": "GB",
    "West Bank": "PS",
}
_WRITTEN_OTHERWISE = {"GB": "UK"}
"""Codes that people type, if they differ from the country's code and are the start of another country's name."""
# Words that may surround a name. For China, the name alone does not say which republic is meant.
_AROUND = re.compile(
    r"^(?:the )?(?:republic|kingdom|commonwealth|sultanate) of (?:the )?(?!china)|^the | the$|(?: s ?a ?r)?(?: china)?$"
)


def country_name(code: str | None) -> str:
    """Return the English name of a country; an unknown code is returned unchanged, and no code gives an empty text."""
    if not code:
        return ""
    plain = code.strip().upper()
    return all_countries().get(plain, plain)


@lru_cache(maxsize=1_000)
def country_choice(code: str) -> str:
    """Return a country for a pick list: "DE · Germany", with the code first for people who type it.

    Other common names follow, so that the list finds the country by them: "NL · Netherlands (Holland)".
    """
    name = all_countries().get(code)
    if name is None:
        return code
    codes = f"{_WRITTEN_OTHERWISE[code]}, {code}" if code in _WRITTEN_OTHERWISE else code
    others = _other_names().get(code)
    return f"{codes} · {name} ({', '.join(others)})" if others else f"{codes} · {name}"


@lru_cache(maxsize=10_000)
def country_code(text: str | None) -> str | None:
    """Return the two-letter code of a country given by code or name; None if unknown."""
    folded = fold(text or "")
    return _codes().get(folded) or _codes().get(_AROUND.sub("", folded))


@cache
def _other_names() -> dict[str, list[str]]:
    """Return common names that the country's own name does not contain, or that another country's name contains too,
    such as "Korea".
    """
    names: dict[str, list[str]] = {}
    countries = {code: fold(name) for code, name in all_countries().items()}
    saints = {name.replace("St. ", "Saint "): code for code, name in all_countries().items() if name.startswith("St. ")}
    for name, code in (_ALSO_CALLED | saints).items():
        holders = {each for each, own in countries.items() if fold(name) in own}
        if not {*",.("} & set(name) and holders != {code}:
            names.setdefault(code, []).append(name)
    return names


def names_of_country(code: str) -> str:
    """Return the folded names of a country in several languages and its three-letter code, in one text."""
    return _names().get(code, "")


@cache
def _names() -> dict[str, str]:
    names: dict[str, list[str]] = {}
    for name, code in _codes().items():
        if len(name) > 2 and not name.isdigit():
            names.setdefault(code, []).append(name)
    return {code: " ".join(some) for code, some in names.items()}


@cache
def _codes() -> dict[str, str]:
    former = {alias: codes[0] for alias, codes in get_global("territory_aliases").items() if len(codes) == 1}
    named = {name: code for code, name in all_countries().items()}
    spelled = former | _ALSO_CALLED | named | {code: code for code in named.values()}
    foreign = {fold(name): code for language in _LANGUAGES for name, code in _names_in(language)}
    english = spelled | {word.replace("&", "and"): code for word, code in spelled.items()}
    return foreign | {fold(word): code for word, code in english.items()}


def _names_in(language: str) -> list[tuple[str, str]]:
    territories = Locale(language).territories
    return [(str(territories[code]), code) for code in all_countries() if code in territories]


@cache
def all_countries() -> dict[str, str]:
    """Return the English names of all countries by code, sorted by name. The dictionary is shared: do not change it."""
    territories = Locale("en").territories
    named = {
        code: str(name)
        for code, name in territories.items()
        if len(code) == 2 and code.isalpha() and code not in _NOT_COUNTRIES
    }
    return dict(sorted(named.items(), key=lambda pair: pair[1]))
