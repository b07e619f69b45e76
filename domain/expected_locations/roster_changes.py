"""What changed between two looks at a roster: who arrived, who left, whose trips are new, and whose are canceled."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

import numpy as np
import pandas as pd

from domain.expected_locations.at_moment import moment
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_view import Filters, look
from domain.trips.likely_places import ARRIVING

Change = Literal["arrived", "left", "new", "canceled"]
CHANGES: Final[tuple[Change, ...]] = ("arrived", "left", "new", "canceled")
COLUMNS: Final = ("person", "name", "change", "place_id", "place", "before", "locator")
_FORMAT: Final = 1


@dataclass(frozen=True, eq=False)
class RosterSnapshot:
    """Where everybody of a roster is at one time, and their trips, in a form that can be stored."""

    taken_at: datetime
    people: pd.DataFrame
    """person (key), place_id: the likely place, empty for people who are at none or have not reached it; origin: the
    place that a person in transit has left, else empty.
    """
    trips: pd.DataFrame
    """person (key), locator: each once."""
    labels: dict[str, str]
    """The label of each place and origin in `people`, by place ID."""

    def to_bytes(self) -> bytes:
        """Return the snapshot as compressed JSON; some 10 bytes per person and trip."""
        parts: dict[str, object] = {"format": _FORMAT, "taken_at": self.taken_at.isoformat(), "labels": self.labels}
        for name, table in (("people", self.people), ("trips", self.trips)):
            parts[name] = {column: table[column].tolist() for column in table}
        return zlib.compress(json.dumps(parts, separators=(",", ":")).encode())

    @classmethod
    def from_bytes(cls, content: bytes) -> RosterSnapshot | None:
        """Read a stored snapshot; None if it is not one of this version."""
        try:
            parts = json.loads(zlib.decompress(content))
            if parts["format"] != _FORMAT:
                return None
            # Snapshots from before have no origins.
            people = {"origin": [""] * len(parts["people"]["person"]), **parts["people"]}
            return cls(
                taken_at=datetime.fromisoformat(parts["taken_at"]),
                people=pd.DataFrame(people, columns=["person", "place_id", "origin"], dtype=object),
                trips=pd.DataFrame(parts["trips"], columns=["person", "locator"], dtype=object),
                labels=dict(parts["labels"]),
            )
        except (zlib.error, ValueError, KeyError, TypeError):
            return None


def take_snapshot(locations: Locations, at: datetime) -> RosterSnapshot:
    """Remember where everybody of a roster is at a time, without filters."""
    view = look(locations, moment(at.astimezone(UTC)), Filters())
    place = np.full(len(locations.people), -1)
    has_arrived = view.at.status != ARRIVING
    place[view.at.person[has_arrived]] = view.at.place[has_arrived]
    where, origin = locations.whereabouts, np.full(len(locations.people), -1)
    origin[where.person_of_leg[view.at.legs]] = where.windows.place[where.left[view.at.legs]]
    origin[place >= 0] = -1
    keys, known = locations.people["person"].to_numpy(dtype=object), locations.places
    place_ids = np.append(known["place_id"].to_numpy(dtype=object), "")
    trips = locations.rows[["person", "locator"]].drop_duplicates().astype(object).reset_index(drop=True)
    shown = known.iloc[np.unique([*place[place >= 0], *origin[origin >= 0]]).astype(np.int64)]
    return RosterSnapshot(
        taken_at=at,
        people=pd.DataFrame({"person": keys, "place_id": place_ids[place], "origin": place_ids[origin]}, dtype=object),
        trips=trips,
        labels=dict(zip(shown["place_id"], shown["label"], strict=True)),
    )


def find_changes(previous: RosterSnapshot, current: RosterSnapshot, locations: Locations) -> pd.DataFrame:
    """Return what changed, by name, in `COLUMNS`; `locations` has the names of people.

    arrived: at another place than before; place is where they are, before is where they were, or from where they were
    in transit (empty if neither). left: on a trip and at no place now; place is where they were. new and canceled: the
    trip with this record locator is in the roster now and was not before, or the reverse; a person can have several.
    The name of a person who has no trip left is their key.
    """
    both = current.people.merge(previous.people, on="person", how="outer", suffixes=("", "_before")).fillna("")
    moved = both[both["place_id"] != both["place_id_before"]]
    arrived = moved[moved["place_id"] != ""]
    in_transit = {place_id: f"In transit from {label}" for place_id, label in previous.labels.items()}
    # People without a trip have not left: their trip was canceled.
    left = moved[(moved["place_id"] == "") & moved["person"].isin(current.trips["person"])]
    trips = current.trips.merge(previous.trips, on=["person", "locator"], how="outer", indicator=True)
    before = arrived["place_id_before"].map(previous.labels)
    parts = [
        arrived.assign(change="arrived", before=before.fillna(arrived["origin_before"].map(in_transit))),
        left.assign(change="left", place_id=left["place_id_before"]),
        trips[trips["_merge"] == "left_only"].assign(change="new"),
        trips[trips["_merge"] == "right_only"].assign(change="canceled"),
    ]
    table = pd.concat(parts, ignore_index=True).reindex(columns=list(COLUMNS)).astype(object)
    names = dict(zip(locations.people["person"], locations.people["name"], strict=True))
    table["name"] = table["person"].map(names).fillna(table["person"])
    table["place"] = table["place_id"].map(previous.labels | current.labels)
    table = table.fillna({"place_id": "", "place": "", "before": "", "locator": ""})
    order = table.assign(change=table["change"].map(CHANGES.index)).sort_values(["name", "person", "change"]).index
    return table.loc[order].reset_index(drop=True)
