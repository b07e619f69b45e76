"""People by place and hour as the page shows them, exact at the moment that it shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from domain.expected_locations.at_moment import STATUSES
from domain.expected_locations.place_hours import PlaceHours, place_hours
from domain.expected_locations.roster_view import View
from domain.expected_locations.time_choice import HOURS, first_hour_around, hour_of

_MINUTE = timedelta(minutes=1)


def hours_on_map(view: View, at: datetime, now: datetime, page_first_hour: datetime | None = None) -> PlaceHours:
    """Return the counts of the scrubber's days around a moment, through the filters of the view.

    The row of the current hour counts at the moment itself, as the view does. `page_first_hour` is the first hour that
    the page has now.
    """
    first_hour = first_hour_around(at, now, page_first_hour)
    hours = place_hours(view.locations, view.filters, first_hour, HOURS)
    if at == first_hour + hour_of(at, first_hour) * timedelta(hours=1):
        return hours
    return view.locations.memo.get(("hours", view.stretch, view.filters, first_hour), lambda: _exact(hours, view, at))


def _exact(hours: PlaceHours, view: View, at: datetime) -> PlaceHours:
    row, index = hour_of(at, hours.first_hour), {place_id: index for index, place_id in enumerate(hours.place_ids)}
    shown = view.places[view.places["place_id"].isin(index)]
    columns = shown["place_id"].map(index).to_numpy(dtype=np.intp)
    people, status = hours.people.copy(), hours.status.copy()
    people[row], status[row] = 0, 0
    people[row, columns] = np.minimum(shown["people"], np.iinfo(people.dtype).max)
    status[row, columns] = shown["status"].map(STATUSES.index)
    counts = {"at_places": view.people, "in_transit": view.in_transit, "not_covered": view.not_covered_count}
    by_hour = {name: getattr(hours, name).copy() for name in counts}
    for name, count in counts.items():
        by_hour[name][row] = count
    return replace(hours, people=people, status=status, moment=(at - hours.first_hour) // _MINUTE, **by_hour)
