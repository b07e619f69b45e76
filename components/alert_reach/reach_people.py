"""How many people live in the places of an alert, as far as the committed estimates tell; nobody is counted twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from components.alert_reach.regions import RegionCatalog
from components.alert_reach.us_counties import PEOPLE_OF, us_counties
from components.widgets.number_text import count

_FIGURES: Final = 2


class People(NamedTuple):
    """An estimate of how many live there, and in how many of the places that is not known."""

    number: int
    unknown: int

    @property
    def words(self) -> str:
        """The estimate as people read it, with its year; what is not known is said."""
        if not self.number:
            return "How many people live there is not known here"
        rest = f"; without {count(self.unknown, 'place', 'places')} not known here" if self.unknown else ""
        return f"About {_rounded(self.number):,} people live there (estimate for {PEOPLE_OF}){rest}"


def people_in(ids: Iterable[int], catalog: RegionCatalog) -> People:
    """Estimate how many people live in places. A city is its zip codes; those of a chosen county count once."""
    # ASSUMPTION A433: how many live in a city or zip code is the share of its county's people that it had in the census
    # before; the interface tells no numbers.
    places = [catalog.known(each) for each in dict.fromkeys(ids)]
    known = [place for place in places if place is not None]
    counties = {place.county for place in known if place.county}
    found = [county for number in counties if (county := us_counties().numbered(number))]
    unknown = len(places) - len(known) + sum(county.people is None for county in found)
    codes: set[str] = set()
    for place in known:
        people = [catalog.us.zip_codes[code].people for code in place.codes]
        # Nobody lives in a box or a single office.
        if place.codes and place.zip_codes and all(each is None for each in people):
            unknown += 1
        codes.update(place.codes)
    inside = (zip_code for code in codes if (zip_code := catalog.us.zip_codes[code]).county not in counties)
    return People(sum(county.people or 0 for county in found) + sum(each.people or 0 for each in inside), unknown)


def _rounded(number: int) -> int:
    """Two figures: more would say that an estimate knows better than it does."""
    return round(number, _FIGURES - len(str(number))) if number >= 10**_FIGURES else number
