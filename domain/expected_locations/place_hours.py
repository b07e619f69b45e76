"""People counted by place and hour, as the map of expected locations draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt

STATUSES: Final = ("there", "arriving", "leaving", "possible")
"""What most people at a place are in an hour, by the number in `PlaceHours.status`."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """People in transit between two places of `PlaceHours`: one entry per pair of places and pair of times."""

    origin: npt.NDArray[np.int16]
    """Index of the place of departure, by arc."""
    destination: npt.NDArray[np.int16]
    """Index of the place of arrival, by arc."""
    departs: npt.NDArray[np.int32]
    """Minutes since `PlaceHours.first_hour`, by arc; negative if the departure is earlier."""
    arrives: npt.NDArray[np.int32]
    """Minutes since `PlaceHours.first_hour`, by arc."""
    people: npt.NDArray[np.uint16]
    """People in transit, by arc."""


@dataclass(frozen=True, eq=False)
class PlaceHours:
    """People by hour and place, H hours and P places with coordinates. Each person is at one place in an hour."""

    first_hour: datetime
    """A full hour in UTC. Row h of each table is this hour plus h hours."""
    place_ids: Sequence[str]
    labels: Sequence[str]
    latitude: npt.NDArray[np.float32]
    """Decimal degrees, by place."""
    longitude: npt.NDArray[np.float32]
    """Decimal degrees, by place."""
    people: npt.NDArray[np.uint16]
    """People whose likely place this is, H x P."""
    status: npt.NDArray[np.uint8]
    """What most of them are, H x P: an index of `STATUSES`."""
    at_places: npt.NDArray[np.int32]
    """People at any place, by hour, including places without coordinates."""
    in_transit: npt.NDArray[np.int32]
    """People in transit, by hour."""
    not_covered: npt.NDArray[np.int32]
    """People with no expected location, by hour."""
    arcs: Arcs
