"""The counties of the United States: their borders, and how many people the Census Bureau estimates to live there.

counties = us_counties()
counties.called("CO", "Larimer County")      -> County | None; with or without the word for what it is
counties.numbered("08069")                   -> County | None, by its number in the Bureau's list
counties.touched_by(area)                    -> the counties that share ground with a shapely geometry in degrees
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from shapely import STRtree
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from components.alert_reach.us_names import county_itself, joined
from components.geography.folding import fold

PEOPLE_OF: Final = 2019
"""The year for which the number of people is estimated."""
_FILE: Final = Path(__file__).resolve().parents[2] / "static" / "basemap" / "counties.geojson"


class County(NamedTuple):
    """A county or what counts as one; `geometry` is GeoJSON's, in degrees; `people` None where it is not known."""

    number: str
    name: str
    state: str
    people: int | None
    geometry: Mapping[str, Any]


class UsCounties:
    """All of them. Nothing in it changes, so that threads and sessions share it."""

    def __init__(self, counties: Iterable[County]) -> None:
        """Sort the counties by what they are called."""
        self._all = tuple(counties)
        self._by_number = {each.number: each for each in self._all}
        self._by_name: dict[tuple[str, str], County] = {}
        for each in self._all:
            name = fold(each.name)
            # Of a county and a city of one name, the bare name is the county's.
            if not name.endswith(" city"):
                self._by_name[each.state, joined(county_itself(name))] = each
        self._by_name |= {(each.state, joined(fold(each.name))): each for each in self._all}

    def called(self, state: str, name: str) -> County | None:
        """The county of this name in a state, by its two letters."""
        key = fold(name)
        return self._by_name.get((state, joined(key))) or self._by_name.get((state, joined(county_itself(key))))

    def numbered(self, number: str) -> County | None:
        """The county of this number."""
        return self._by_number.get(number)

    def touched_by(self, area: BaseGeometry) -> list[County]:
        """The counties that share ground with an area, in the order of their numbers."""
        return [self._all[at] for at in sorted(self._tree.query(area, predicate="intersects"))]

    @cached_property
    def people_by_state(self) -> Mapping[str, int]:
        """How many people are estimated to live in each state, by its two letters."""
        counted: Counter[str] = Counter()
        for each in self._all:
            counted[each.state] += each.people or 0
        return counted

    @cached_property
    def _tree(self) -> STRtree:
        return STRtree([shape(each.geometry) for each in self._all])


@lru_cache(maxsize=1)
def us_counties() -> UsCounties:
    """Read the committed file, once a process; its last feature holds the lines between the counties."""
    features = json.loads(_FILE.read_text(encoding="utf-8"))["features"]
    return UsCounties(
        County(feature["id"], about["n"], about["s"], about.get("p"), feature["geometry"])
        for feature in features[:-1]
        for about in (feature["properties"],)
    )
