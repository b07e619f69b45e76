"""The order of countries in a pick list: those where the organization's people are, then common ones, then the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

from domain.geography.airports import all_airports
from domain.geography.countries import all_countries
from domain.geography.folding import fold

_FEWEST_AIRPORTS: Final = (50, 10)
"""The number of airports from which a country is in the first and the second group of countries without people.

Of two countries whose names begin alike, the one with more airports is usually meant: Nigeria rather than Niger.
"""


def order_countries(with_people: Iterable[str] = ()) -> list[str]:
    """Return all codes: those of `with_people` in their order, then the others by how common they are, and by name."""
    first = [code for code in dict.fromkeys(with_people) if code in all_countries()]
    return [*first, *(code for code in _by_commonness() if code not in first)]


@cache
def _by_commonness() -> tuple[str, ...]:
    airports = Counter(each.country for each in all_airports().values())

    def place(code: str) -> tuple[int, str]:
        return sum(airports[code] < fewest for fewest in _FEWEST_AIRPORTS), fold(all_countries()[code])

    return tuple(sorted(all_countries(), key=place))
