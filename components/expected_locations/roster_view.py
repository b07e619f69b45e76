"""What the screen shows of a roster at one time, through one set of filters: counts, places and people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import pandas as pd

from components.expected_locations import people_frames, place_frames
from components.expected_locations.at_moment import AtMoment, Stretch, at_moment
from components.expected_locations.filters import Filters, Narrowed, narrow
from components.expected_locations.location_frame import Locations


@dataclass(frozen=True, eq=False)
class View:
    """One look at a roster; tables are made when asked for, and kept with the snapshot they were made of."""

    locations: Locations
    stretch: Stretch
    filters: Filters
    at: AtMoment
    narrowed: Narrowed
    places: pd.DataFrame
    people: int

    @property
    def location_count(self) -> int:
        """How many records are open and let through."""
        return len(self.narrowed.rows)

    @property
    def not_covered_count(self) -> int:
        """How many people are on a trip with no open window."""
        return len(self.narrowed.not_covered)

    def people_at(self, place_ids: Sequence[str] | None) -> pd.DataFrame:
        """Who is at these places, or at all of them; see `people_frames.people_at`."""
        key = ("people", self.stretch, self.filters, None if place_ids is None else tuple(place_ids))
        return self.locations.memo.get(
            key, lambda: people_frames.people_at(self.locations, self.at, self.narrowed, place_ids)
        )

    def not_covered(self) -> pd.DataFrame:
        """Who is on a trip with no open window; see `people_frames.not_covered`."""
        return self.locations.memo.get(
            ("not covered", self.stretch, self.filters),
            lambda: people_frames.not_covered(self.locations, self.stretch, self.narrowed),
        )


def look(locations: Locations, stretch: Stretch, filters: Filters) -> View:
    """Look at the roster; what did not change since the last look is not worked out again."""
    memo = locations.memo
    at = memo.get(("at", stretch), lambda: at_moment(locations, stretch))
    return memo.get(("view", stretch, filters), lambda: _view(locations, stretch, filters, at))


def _view(locations: Locations, stretch: Stretch, filters: Filters, at: AtMoment) -> View:
    narrowed = narrow(locations, at, filters)
    return View(
        locations=locations,
        stretch=stretch,
        filters=filters,
        at=at,
        narrowed=narrowed,
        places=place_frames.places_of(locations, at, narrowed),
        people=len(np.unique(at.person[narrowed.pairs])),
    )


def first_and_last(locations: Locations) -> tuple[datetime, datetime] | None:
    """When the first window opens and the last one closes, in UTC; None where no record says."""
    first, last = locations.rows["arrives"].min(), locations.rows["expires"].max()
    if pd.isna(first) or pd.isna(last):
        return None
    return first.to_pydatetime(warn=False), last.to_pydatetime(warn=False)
