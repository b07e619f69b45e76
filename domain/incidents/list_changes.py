"""Find what changed on the list of an incident since a person last opened it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

import pandas as pd

from domain.expected_locations.location_frame import Locations
from domain.incidents.affected import Affected

ListChange: TypeAlias = Literal["arrived", "left", "new", "canceled"]
LIST_CHANGES: Final[tuple[ListChange, ...]] = ("arrived", "left", "new", "canceled")
_SECTIONS: Final = ("affected", "possiblyAffected")
_COLUMNS: Final = ("person", "name", "locator", "place")


def list_snapshot(affected: Affected) -> dict[str, Any]:
    """Return the people who are affected or possibly affected, in the form that `Incidents.save_last_view` stores."""
    listed = affected.people[affected.people["section"].isin(_SECTIONS)]
    return {"people": listed[list(_COLUMNS)].to_dict("records")}


def find_list_changes(
    snapshot: Mapping[str, Any], seen_at: datetime, affected: Affected, locations: Locations, now: datetime
) -> pd.DataFrame:
    """Return who arrived, left, is new, or is canceled since `seen_at`: person, name, locator, place, change; by name.

    arrived and left: on the list both times, and the time at the place begins or ends in between. left is also a person
    who is no longer listed and whose trip still exists. canceled is a person who is no longer listed and whose trip is
    gone.
    """
    before = pd.DataFrame(snapshot.get("people", []), columns=list(_COLUMNS), dtype=object)
    listed = affected.people[affected.people["section"].isin(_SECTIONS)]
    stayed = listed[listed["person"].isin(before["person"])]
    gone = before[~before["person"].isin(listed["person"])]
    trips = pd.MultiIndex.from_frame(locations.rows[["person", "locator"]].astype(object).drop_duplicates())
    has_trip = pd.MultiIndex.from_frame(gone[["person", "locator"]]).isin(trips)
    has_ended = stayed["until"].gt(seen_at) & stayed["until"].le(now)
    has_begun = stayed["from"].gt(seen_at) & stayed["from"].le(now)
    parts = [
        listed[~listed["person"].isin(before["person"])].assign(change="new"),
        stayed[has_ended].assign(change="left"),
        stayed[has_begun & ~has_ended].assign(change="arrived"),
        gone[has_trip].assign(change="left"),
        gone[~has_trip].assign(change="canceled"),
    ]
    table = pd.concat([part[[*_COLUMNS, "change"]].astype(object) for part in parts], ignore_index=True)
    return table.sort_values(["name", "person"], kind="stable").reset_index(drop=True)
