"""What the change of a trip starts from, and what others at this desk did to the trip since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from components.trip_editor.form_state import changed_elsewhere, from_itinerary
from components.trip_editor.trip_draft import TripDraft
from components.trips.desk_notes import ACTIONS
from components.trips.known_trip import Change, desk_changes, settled
from components.trips.reconstructed import reconstructed

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def fresh_change(workspace: Workspace, itinerary_id: int, record_locator: str) -> TripDraft:
    """A change of a trip from the last version that was sent from this desk and accepted; else an empty one."""
    last = last_sent(workspace, itinerary_id, record_locator)
    if last is None or last.itinerary is None:
        return changed_elsewhere(itinerary_id, record_locator)
    return from_itinerary(last.itinerary, itinerary_id=itinerary_id, base_at=last.at)


def from_expected_locations(workspace: Workspace, draft: TripDraft) -> TripDraft | None:
    """The change of a trip made elsewhere, filled with what its expected locations tell: places, times, travellers.

    Carriers, numbers and whatever else they do not carry stay empty. None where they tell too little. Raises
    `ServiceError`.
    """
    if draft.itinerary_id is None:
        return None
    locations = list(workspace.client.itineraries.list_expected_locations(draft.itinerary_id))
    names = workspace.journal.travellers.names(workspace.actor.service, workspace.actor.organization_id)
    told = reconstructed(locations, names, locator=draft.record_locator.strip())
    if told is None:
        return None
    return from_itinerary(told, itinerary_id=draft.itinerary_id).model_copy(update={"base": None})


def last_sent(workspace: Workspace, itinerary_id: int, record_locator: str) -> Change | None:
    """The last version of the trip that this desk sent and the service accepted, with who sent it when."""
    return settled(desk_changes(workspace, itinerary_id, record_locator or None))[0]


def changed_since(workspace: Workspace, draft: TripDraft) -> Change | None:
    """What somebody at this desk did to the trip after the draft was opened; None where nobody did."""
    if draft.itinerary_id is None or (draft.base_at is None and draft.base is not None):
        return None
    changes = desk_changes(workspace, draft.itinerary_id, draft.record_locator.strip() or None)
    done = next((change for change in changes if change.succeeded and change.subject_id), None)
    return None if done is None or (draft.base_at is not None and done.at <= draft.base_at) else done


def removal_words(change: Change) -> str:
    """What somebody did to the trip, in a word."""
    return ACTIONS[change.action].replace("added", "changed")
