"""Create a canceled or deleted trip again, from the journal entry of its removal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from client.models.itineraries import Itinerary
from client.vocabulary.itineraries import ACTIVE
from domain.trips.editor.form_state import TripDraft, copy_as_new, from_itinerary
from domain.trips.known_trip import CANCEL, DELETE, TripChange, summarize_changes
from domain.trips.trip_removal import LAST_SENT

if TYPE_CHECKING:
    from journal import Entry

_CONTENTS: Final = {DELETE: LAST_SENT, CANCEL: "itinerary"}
"""Where the request of a removal has the trip."""


def can_create_again(entry: Entry) -> bool:
    """Return whether an entry removed a trip whose contents it has: not one that was created outside Muster."""
    contents = (entry.request or {}).get(_CONTENTS.get(entry.action, ""))
    return isinstance(contents, dict) and bool(contents.get("segments"))


def draft_of_removed(entry: Entry) -> TripDraft | None:
    """Return a new draft with the trip that this entry canceled or deleted; None for other entries.

    The uid of the draft is made from the entry, so that opening the entry again finds the draft.
    """
    if not can_create_again(entry):
        return None
    itinerary = Itinerary.model_validate((entry.request or {})[_CONTENTS[entry.action]])
    return _new_draft(itinerary, uid=f"entry-{entry.id}")


def draft_of_changes(itinerary_id: int, changes: Sequence[TripChange]) -> TripDraft | None:
    """Return a new draft with the version of a trip that was sent last, from its changes, newest first; None if none
    was sent.
    """
    last_sent = summarize_changes(changes)[0]
    if last_sent is None or last_sent.itinerary is None:
        return None
    return _new_draft(last_sent.itinerary, uid=f"again-{itinerary_id}")


def _new_draft(itinerary: Itinerary, *, uid: str) -> TripDraft:
    """Return a draft with the contents of a removed trip. The same `uid` finds the draft again."""
    return copy_as_new(from_itinerary(itinerary)).model_copy(update={"uid": uid, "status": ACTIVE})
