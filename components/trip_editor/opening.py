"""Which draft is on the screen: the one of this address, kept from before, or a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from components.journal.fate import Fate
from components.trip_editor import draft_store
from components.trip_editor.draft import TripDraft, new_trip
from components.trip_editor.draft_store import Kept
from components.trip_editor.form_state import changed_elsewhere, from_itinerary
from components.trips.known_trip import CANCEL, REMOVES, SENDS, Change, changes_of
from components.trips.reconstructed import reconstructed

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


@dataclass(frozen=True)
class Opened:
    """A draft as it was opened, and what the person should know about where it comes from."""

    draft: TripDraft
    note: str = ""


def open_new(workspace: Workspace, uid: str) -> Opened:
    """Open the draft of this name, or begin a new trip where there is none (any more)."""
    kept = draft_store.load(workspace, uid) if uid else None
    if kept is not None:
        return Opened(kept.draft)
    return Opened(new_trip(), "That draft is no longer here: this is a new trip." if uid else "")


def open_change(workspace: Workspace, itinerary_id: int, record_locator: str, uid: str = "") -> Opened:
    """Open a change of a trip: the person's own unsent one, else the last version sent here, else an empty one."""
    kept = draft_store.load(workspace, uid) if uid else None
    if kept is not None and kept.draft.itinerary_id == itinerary_id:
        return Opened(kept.draft)
    begun = draft_store.unfinished_change(workspace, itinerary_id)
    if begun is not None:
        return Opened(begun.draft, "This is the change you began and did not send.")
    return fresh_change(workspace, itinerary_id, record_locator)


def fresh_change(workspace: Workspace, itinerary_id: int, record_locator: str) -> Opened:
    """Open a change of a trip from the last version that was sent from this desk and accepted."""
    last = last_sent(workspace, itinerary_id, record_locator)
    if last is None or last.itinerary is None:
        return Opened(changed_elsewhere(itinerary_id, record_locator))
    return Opened(from_itinerary(last.itinerary, itinerary_id=itinerary_id, base_entry=last.entry_id))


def from_expected_locations(workspace: Workspace, draft: TripDraft) -> Opened:
    """Fill the change of a trip made elsewhere with what its expected locations tell: places, times, travellers.

    Carriers, numbers and whatever else they do not carry stay empty. Raises `ServiceError`.
    """
    if draft.itinerary_id is None:
        return Opened(draft)
    locations = list(workspace.client.itineraries.list_expected_locations(draft.itinerary_id))
    names = workspace.journal.travellers.names(workspace.actor.service, workspace.actor.organization_id)
    told = reconstructed(locations, names, locator=draft.record_locator.strip())
    if told is None:
        return Opened(draft, "Its expected locations tell too little to fill in the form.")
    filled = from_itinerary(told, itinerary_id=draft.itinerary_id).model_copy(update={"base": None})
    return Opened(filled, "Filled in from its expected locations. They carry no carriers and no numbers.")


def last_sent(workspace: Workspace, itinerary_id: int, record_locator: str) -> Change | None:
    """The last version of the trip that this desk sent and the service accepted, with who sent it when."""
    return next(
        (
            change
            for change in _changes(workspace, itinerary_id, record_locator)
            if change.succeeded and change.action in SENDS and change.itinerary is not None
        ),
        None,
    )


def changed_since(workspace: Workspace, draft: TripDraft) -> Change | None:
    """What somebody at this desk did to the trip after the draft was opened; None where nobody did."""
    if draft.itinerary_id is None:
        return None
    for change in _changes(workspace, draft.itinerary_id, draft.record_locator.strip()):
        if draft.base_entry is not None and change.entry_id <= draft.base_entry:
            return None
        if change.succeeded and change.action in SENDS | REMOVES and change.subject_id == str(draft.itinerary_id):
            return change if draft.base_entry is not None or draft.base is None else None
    return None


def removal_words(change: Change) -> str:
    """What somebody did to the trip, in a word."""
    if change.action in REMOVES:
        return "canceled" if change.action == CANCEL else "deleted"
    return "changed"


def others(workspace: Workspace, draft: TripDraft) -> list[Kept]:
    """The person's other drafts that were begun and not sent, the latest first."""
    return [kept for kept in draft_store.unfinished(workspace) if kept.draft.uid != draft.uid]


def fate_of(workspace: Workspace, draft: TripDraft) -> Kept | None:
    """What is kept of the draft and what became of it once its sending began; None for one that is being typed."""
    kept = draft_store.load(workspace, draft.uid)
    return None if kept is None or kept.fate is Fate.UNSENT else kept


def _changes(workspace: Workspace, itinerary_id: int, record_locator: str) -> tuple[Change, ...]:
    entries = workspace.journal.audit.history(
        workspace.actor.service,
        workspace.actor.organization_id,
        subject_kind="itinerary",
        subject_id=str(itinerary_id),
        subject_name=record_locator or None,
    )
    return changes_of(entries, itinerary_id=itinerary_id, locator=record_locator or None)
