"""The places of a roster by what people call them: a code, a city in any language, a country, or a part of a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from domain.expected_locations.location_frame import Locations
from domain.geography.airports import airport, airport_named, city_code
from domain.geography.city_names import cities_named, names_of_city
from domain.geography.countries import country_code, country_name, names_of_country
from domain.geography.folding import fold
from domain.trips.presences import KINDS, Ints

_SIMILAR_FROM: Final = 80
"""The similarity, of 100, from which a city is meant by a text that is spelled otherwise."""

_FEWEST_LETTERS: Final = 3
"""The letters from which the start of a word names places."""
_SHORT_COUNTRIES: Final = ("US", "UK")
"""Other texts of two letters are rather a city, such as LA, than the code of a country."""


@dataclass(frozen=True)
class PlaceMatch:
    """The places of a roster that a text names."""

    label: str
    codes: Ints
    """Rows of `Locations.places`."""
    country: str = ""
    """The code of the country, if the text names a country."""
    is_named: bool = True
    """Whether the text is the name or the code of the place, the city, or the country, not a part of it."""
    is_similar: bool = False
    """Whether the text is only spelled alike."""


class PlaceIndex:
    """The places of a snapshot, prepared for searching."""

    def __init__(self, locations: Locations) -> None:
        """Prepare the places. Takes time in proportion to them and to the records."""
        places = locations.places
        self.labels: list[str] = places["label"].tolist()
        self.ids: list[str] = places["place_id"].tolist()
        self.countries: list[str] = places["country"].tolist()
        self.airport_codes: list[str] = places["iata"].tolist()
        self.zones: list[str] = places["zone"].fillna("").tolist()
        self.cities: list[str] = places["city"].tolist()
        self._folded_cities = [fold(city) for city in self.cities]
        self.texts = [
            f" {fold(label)} {fold(address)} {names_of_city(city, country)} {names_of_country(country)} "
            for label, address, city, country in places[["label", "address", "city", "country"]].itertuples(index=False)
        ]
        counts = np.bincount(
            locations.codes("place").astype(np.int64) * len(KINDS) + locations.codes("kind"),
            minlength=len(places) * len(KINDS),
        )
        self.kinds = [KINDS[kind] for kind in counts.reshape(-1, len(KINDS)).argmax(axis=1)] if len(places) else []

    @cached_property
    def by_city(self) -> dict[tuple[str, str], list[int]]:
        """The rows of places by country (code) and folded city."""
        found: dict[tuple[str, str], list[int]] = {}
        for row, (country, city) in enumerate(zip(self.countries, self._folded_cities, strict=True)):
            if city:
                found.setdefault((country, city), []).append(row)
        return found

    @cached_property
    def _rows_by_code(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, code in enumerate(self.airport_codes):
            if code:
                found.setdefault(code, []).append(row)
        return found

    def match(self, text: str) -> PlaceMatch | None:
        """Return the places that a text names, the most certain reading first; None for an unknown text.

        A known place where no one is expected has no codes.
        """
        name = fold(text)
        if not name:
            return None
        port = airport_named(text)
        at_airport = self._at_airport(port.iata if port is not None else text.strip())
        readings = [self._in_country(text.strip()), self._in_city(text, name)]
        # "GOA" is an airport, and "Goa" a state.
        readings = [at_airport, *readings] if text.strip().isupper() else [*readings, at_airport]
        known = [reading for reading in readings if reading is not None]
        found = next((reading for reading in known if len(reading.codes)), None)
        # A code is not the start of a word: SIN is not Singapore’s hotels.
        return found or at_airport or self._with_words(name) or (known[0] if known else self._similar(name))

    def _at_airport(self, text: str) -> PlaceMatch | None:
        port = airport(text) if len(text) == 3 else None
        if port is None:
            return None
        rows = [row for code in (port.iata, *port.city_airports) for row in self._rows_by_code.get(code, ())]
        label = self.labels[rows[0]] if len(rows) == 1 else f"{port.city} ({port.iata})"
        return PlaceMatch(label, _rows(rows))

    def _in_city(self, text: str, name: str) -> PlaceMatch | None:
        """Return the places in a city, and its airports, which may be in other towns; with its country if the text has
        it.
        """
        city, comma, land = text.rpartition(",")
        wanted, country = (fold(city), country_code(land)) if comma else (name, None)
        if comma and country is None:
            return None
        named = {(land, each) for land, several in cities_named(wanted)[:1] for each in several}
        keys = [
            key for key in self.by_city if (key[1] == wanted or key in named) and (country is None or key[0] == country)
        ]
        rows = [row for key in keys for row in self.by_city[key]]
        metropolis = airport(city_code(wanted))
        if metropolis is not None and country in (None, metropolis.country):
            rows += [row for code in metropolis.city_airports for row in self._rows_by_code.get(code, ())]
        if not rows:
            return PlaceMatch(text.strip(), _rows([])) if named else None
        countries = {self.countries[row] for row in rows}
        label = self.cities[rows[0]] if keys else text.strip()
        return PlaceMatch(f"{label}, {country_name(countries.pop())}" if len(countries) == 1 else label, _rows(rows))

    def _in_country(self, text: str) -> PlaceMatch | None:
        code = country_code(text) if len(text) > 2 or text in _SHORT_COUNTRIES else None
        if code is None:
            return None
        rows = [row for row, country in enumerate(self.countries) if country == code]
        return PlaceMatch(country_name(code), _rows(rows), country=code)

    def _with_words(self, name: str) -> PlaceMatch | None:
        rows = self.containing(name.split()) if len(name) >= _FEWEST_LETTERS else _rows([])
        if not len(rows):
            return None
        label = self.labels[rows[0]] if len(rows) == 1 else f"places with “{name}”"
        return PlaceMatch(label, rows, is_named=False)

    def _similar(self, name: str) -> PlaceMatch | None:
        cities = sorted({city for _, city in self.by_city})
        found = process.extractOne(name, cities, scorer=fuzz.ratio, score_cutoff=_SIMILAR_FROM)
        if found is None:
            return None
        rows = [row for (_, city), several in self.by_city.items() if city == found[0] for row in several]
        return PlaceMatch(self.cities[rows[0]], _rows(rows), is_named=False, is_similar=True)

    def containing(self, words: Sequence[str]) -> Ints:
        """Return the rows of the places that have each word at the start of a word of their texts."""
        return _rows([row for row, text in enumerate(self.texts) if all(f" {word}" in text for word in words)])


def _rows(rows: Sequence[int]) -> Ints:
    return np.unique(np.array(rows, dtype=np.int64))
