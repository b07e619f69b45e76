"""The places of a roster by what people call them: a code, a city in any language, a country, or a part of a name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from domain.expected_locations.location_frame import Locations
from domain.geography.airports import airport, airport_named, city_code
from domain.geography.city_names import cities_named, names_of_city, similar_city
from domain.geography.countries import all_countries, country_code, country_name, names_of_country
from domain.geography.folding import fold
from domain.text.plain_text import names
from domain.trips.presences import KINDS, Ints

_SIMILAR_FROM: Final = 80
"""The similarity, of 100, from which a city or country is meant by a text that is spelled otherwise."""

_FEWEST_LETTERS: Final = 3
"""The letters from which the start of a word names places."""
_AND: Final = re.compile(r",? (?:and|or) ", re.IGNORECASE)
_SPOKEN_NAMES: Final = {"la": "Los Angeles", "sf": "San Francisco", "dc": "Washington", "kl": "Kuala Lumpur"}
_CONTINENTS: Final = frozenset(
    ("africa", "asia", "europe", "north america", "south america", "latin america", "oceania", "middle east")
)
"""Names that also some towns have, but which no one means by them."""
_SHORT_COUNTRIES: Final = ("us", "uk")
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
    area: str = ""
    """The place as `parse_area` may read it; empty if it is only known by its position, or is not one place."""
    position: str = ""
    """The coordinates of the place, or of one in the city."""

    @property
    def area_texts(self) -> list[str]:
        """The place as `parse_area` may read it, the best text first."""
        return [each for each in (self.area, self.position) if each]


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
        self._spots = places[["latitude", "longitude"]].to_numpy(dtype=np.float64)
        self._folded_cities = [fold(city) for city in self.cities]
        self._label_texts = [f" {fold(label)}" for label in self.labels]
        self._city_texts = [
            f" {folded} {names_of_city(city, country)}"
            for folded, city, country in zip(self._folded_cities, self.cities, self.countries, strict=True)
        ]
        self.texts = [
            f"{label} {fold(address)}{city} {names_of_country(country)} "
            for label, address, city, country in zip(
                self._label_texts, places["address"], self._city_texts, self.countries, strict=True
            )
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
        text = _SPOKEN_NAMES.get(fold(text), text)
        name = fold(text)
        if not name or name in _CONTINENTS:
            return None
        port = airport_named(text)
        at_airport = self._at_airport(port.iata if port is not None else text.strip())
        readings = [self._in_country(text.strip()), self._in_city(text, name)]
        # "GOA" is an airport, and "Goa" a state.
        readings = [at_airport, *readings] if text.strip().isupper() else [*readings, at_airport]
        known = [reading for reading in readings if reading is not None]
        found = next((reading for reading in known if len(reading.codes)), None)
        # A code is not the start of a word: SIN is not Singapore’s hotels.
        found = found or at_airport or self._with_words(name)
        return found or (known[0] if known else self._several(text) or self.similar(name))

    def _at_airport(self, text: str) -> PlaceMatch | None:
        port = airport(text) if len(text) == 3 else None
        if port is None:
            return None
        if port.city_airports and (match := self._in_city(port.city, fold(port.city))) is not None:
            return match
        rows = [row for code in (port.iata, *port.city_airports) for row in self._rows_by_code.get(code, ())]
        label = self.labels[rows[0]] if len(rows) == 1 else f"{port.city} ({port.iata})"
        return PlaceMatch(label, _rows(rows), area=port.iata)

    def _in_city(self, text: str, name: str) -> PlaceMatch | None:
        """Return the places in a city, and its airports, which may be in other towns; with its country if the text has
        it.
        """
        city, comma, land = text.rpartition(",")
        wanted, country = (fold(city), country_code(land)) if comma else (name, None)
        if comma and country is None:
            return None
        largest = cities_named(wanted)[:1]
        named = {(land, each) for land, several in largest for each in several}
        keys = [
            key for key in self.by_city if (key[1] == wanted or key in named) and (country is None or key[0] == country)
        ]
        rows = [row for key in keys for row in self.by_city[key]]
        metropolis = airport(city_code(wanted))
        if metropolis is not None and country in (None, metropolis.country):
            rows += [row for code in metropolis.city_airports for row in self._rows_by_code.get(code, ())]
        if not rows and not largest:
            return None
        countries = {self.countries[row] for row in rows} or {country or next(land for land, _ in largest)}
        label = self.cities[rows[0]] if keys else text.rpartition(",")[0].strip() or text.strip()
        label = f"{label}, {country_name(countries.pop())}" if len(countries) == 1 else label
        return PlaceMatch(label, _rows(rows), area=label, position=self._position(rows))

    def _in_country(self, text: str) -> PlaceMatch | None:
        code = country_code(text) if len(text) > 2 or text.casefold() in _SHORT_COUNTRIES else None
        if code is None:
            return None
        rows = [row for row, country in enumerate(self.countries) if country == code]
        return PlaceMatch(country_name(code), _rows(rows), country=code, area=f"country:{code}")

    def _with_words(self, name: str) -> PlaceMatch | None:
        """Return the places that have each word at the start of a word of their name, or else of their city's names."""
        if len(name) < _FEWEST_LETTERS:
            return None
        words = name.split()
        rows, city_rows = _containing(self._label_texts, words), _containing(self._city_texts, words)
        cities = {(self.countries[row], self._folded_cities[row]) for row in city_rows.tolist()}
        if len(cities) == 1 and not {*rows.tolist()} - {*city_rows.tolist()}:
            country, city = cities.pop()
            match = self._in_city(f"{city}, {country_name(country)}" if country else city, city)
            return None if match is None else replace(match, is_named=False)
        rows = rows if len(rows) else city_rows
        if not len(rows):
            return None
        airports = {code: row for row in rows.tolist() if (code := self.airport_codes[row])}
        if len(rows) == 1 or len(airports) == 1:  # with its counters and hotels, an airport is meant
            row = next(iter(airports.values()), int(rows[0]))
            area = next(iter(airports), "")
            return PlaceMatch(self.labels[row], rows, is_named=False, area=area, position=self._position([row]))
        return PlaceMatch(f"places with “{name}”", rows, is_named=False)

    def _several(self, text: str) -> PlaceMatch | None:
        """Return the places of several names, such as "Spain or Portugal"."""
        parts = _AND.split(text)
        matches = [self.match(part) for part in parts] if len(parts) > 1 else []
        known = [match for match in matches if match is not None]
        if not known or len(known) < len(parts):
            return None
        rows = np.unique(np.concatenate([match.codes for match in known]))
        return PlaceMatch(names([match.label for match in known]), rows, is_named=False)

    def similar(self, name: str, *, of_roster: bool = False) -> PlaceMatch | None:
        """Return the city or country that is spelled most like a folded text; with `of_roster`, a city with places.

        Cities with places and countries come before other cities.
        """
        cities, countries = self._city_names, {} if of_roster else _countries_by_name()
        found = process.extractOne(name, [*cities, *countries], scorer=fuzz.ratio, score_cutoff=_SIMILAR_FROM)
        if found is not None:
            spelled = found[0]
            match = self._in_city(spelled, spelled) if spelled in cities else self._in_country(countries[spelled])
        else:
            city = None if of_roster else similar_city(name)
            match = None if city is None else self._in_city(f"{city[1].title()}, {country_name(city[0])}", city[1])
        return None if match is None else replace(match, is_named=False, is_similar=True)

    @cached_property
    def _city_names(self) -> frozenset[str]:
        """All folded names of the cities."""
        found = {city for _, city in self.by_city}
        for country, city in self.by_city:
            found.update(name for land, names in cities_named(city) if land == country for name in names)
        return frozenset(found)

    def _position(self, rows: Sequence[int]) -> str:
        """Return the coordinates of the first place that has some, as text."""
        spots = self._spots[list(rows)]
        known = spots[~np.isnan(spots[:, 0])]
        return f"{known[0, 0]:.4f}, {known[0, 1]:.4f}" if len(known) else ""

    def containing(self, words: Sequence[str]) -> Ints:
        """Return the rows of the places that have each word at the start of a word of their texts."""
        return _containing(self.texts, words)


@cache
def _countries_by_name() -> Mapping[str, str]:
    """Return the names of all countries, by folded name."""
    return {fold(name): name for name in all_countries().values()}


def _containing(texts: Sequence[str], words: Sequence[str]) -> Ints:
    return _rows([row for row, text in enumerate(texts) if all(f" {word}" in text for word in words)])


def _rows(rows: Sequence[int]) -> Ints:
    return np.unique(np.array(rows, dtype=np.int64))
