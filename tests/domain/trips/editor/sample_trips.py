"""Shared trips for tests of the editor."""

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from domain.runtime.workspace import Workspace
from domain.trips.editor.form_state import TripDraft
from domain.trips.editor.trip_change import IDS_BEFORE, TRIP_EDIT
from tests.sent_drafts import send_draft

ANA = Passenger(employee_id="E100", first_name="Ana", last_name="Silva", email_addresses=["ana@example.org"])
BEN = Passenger(employee_id="E200", first_name="Ben", last_name="Okoro")
SHERATON = Address(location_name="Sheraton", city="Kuwait City", country="KW", latitude=29.3759, longitude=47.9774)

OUT = Segment(
    type="Air",
    supplier_code="EY",
    air_rail_number="EY301",
    from_iata_code="AUH",
    to_iata_code="KWI",
    from_date_time_local="2026-11-20T14:05:00",
    to_date_time_local="2026-11-20T14:45:00",
)
STAY = Segment(
    type="Hotel",
    supplier_name="Sheraton",
    from_address=SHERATON,
    from_date_time_local="2026-11-20T15:00:00",
    to_date_time_local="2026-11-23T11:00:00",
)
BACK = Segment(
    type="Air",
    supplier_code="EY",
    air_rail_number="EY302",
    from_iata_code="KWI",
    to_iata_code="AUH",
    from_date_time_local="2026-11-23T16:00:00",
    to_date_time_local="2026-11-23T18:40:00",
)


def trip(*segments: Segment, travelers: tuple[Passenger, ...] = (ANA,), locator: str = "WSVM7K") -> Itinerary:
    """An active trip of these segments."""
    return Itinerary(pnr=locator, segments=list(segments), passengers=list(travelers))


def send_trip(workspace: Workspace, draft: TripDraft, ids_before: list[int] | None = None) -> int | None:
    """Send a draft once. Return the ID of the trip, or None if the draft was sent before."""
    note = {IDS_BEFORE: None if ids_before is None else [str(each) for each in ids_before]}
    return send_draft(workspace, TRIP_EDIT, draft, note)
