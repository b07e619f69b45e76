"""Send trips in batches, and find the status of those whose response was lost.

Before each batch, a search finds which of its record locators exist. A record locator that did not exist before, and
exists after a lost response, was created by that call. A lost response therefore never leads to a second trip.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from client import Invalid, NotFound, ServiceError, TimedOut, UndecodableAnswer
from client.batches import chunks
from client.fan_out import fan_out
from client.models.itineraries import Itinerary
from client.vocabulary.itineraries import CANCELED
from client.vocabulary.limits import BATCH_ADD, BATCH_ADD_WITH_CONTACTS
from domain.file_import.job import build_statuses
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Batch, Outgoing, Sending
from domain.runtime.server import server
from domain.trips.editor.trip_change import identified_travelers
from domain.trips.location_comparison import are_as_predicted
from domain.trips.lookup import LOOKUP_CACHE
from domain.trips.prediction import predict
from domain.trips.rosters.roster_file import KEEP_IMPORTED_FOR
from journal import ImportedTrip, Item, ItemStatus, RosterEntry

if TYPE_CHECKING:
    from client import ServiceClient
    from client.models.results import BatchFailure
    from domain.file_import.row_sending import JournalContext
    from domain.trips.lookup import SearchField

PLAIN: Final = "plain"
"""The batch group of trips that create no contacts."""
CONTACTS: Final = "contacts"
"""The batch group of trips that may create contacts."""
REMOVED: Final = "removed"
"""The batch group of canceled trips. The service deletes them."""
WIDTH: Final = 4
NEW: Final = "new"
"""The note of an item whose record locator did not exist before its batch."""

NOT_THERE: Final = "The response was lost, and the service does not have the trip. You can send it again."
DIFFERENT_TRIP: Final = (
    "The response was lost. The service has a trip with this record locator and different expected locations, which "
    "may be an earlier one. Sending again replaces it."
)
STILL_THERE: Final = "The response was lost, and the service still has the trip. You can send it again."
MATCH_NOT_PROVEN: Final = "The service has an identical trip. It may not come from this import."
REPLACED_TRIP: Final = "This trip replaced an earlier trip with the same record locator."

NO_ZONE: Final = "The time zone of this place isn’t known. Add a code, a city with its country, or a time zone."

NO_MATCH: Final = "travel matching error"
"""The service's message, in lower case, about a trip whose travelers match no contact."""

_ABOUT: Final = {"Field pnr": "pnr", "Field segments.type": "type", "Field segments.fromAddress": "fromPlace"}
"""How messages of the service about a field begin, and the column of the field."""
_SEARCHED_AT_ONCE: Final = 50
_MOST_SEARCHES: Final = 64
_MOST_PIECES: Final = 64
"""The maximum number of calls to find the items for which the service rejects a batch."""


def declare_sending(items: Callable[[Rows], Iterable[Outgoing]]) -> Sending:
    """Return how trips are sent. The payload of an item is an itinerary, and its label is the record locator.

    Its batch group is `PLAIN`, `CONTACTS`, or `REMOVED`.
    """
    return Sending(
        verb="Import",
        done_verb="added",
        other_verbs={REMOVED: ("Cancel", "canceled")},
        build_items=items,
        send=send,
        reconcile=reconcile,
        max_batch_size=lambda group: BATCH_ADD_WITH_CONTACTS if group == CONTACTS else BATCH_ADD,
        width=WIDTH,
        invalidate=lambda: server().reads.invalidate(LOOKUP_CACHE),
        follow_up=update_roster,
    )


def update_roster(context: JournalContext, done: Sequence[tuple[Item, ItemStatus]]) -> None:
    """Add sent trips to the organization's roster of imports, and remove canceled ones.

    Also store the names of the travelers. Raises JournalError.
    """
    added, people, canceled = [], [], []
    for item, status in done:
        if _removes(item):
            canceled.append(item.label)
            continue
        itinerary_id = None if status.result_id is None else int(status.result_id)
        travelers = identified_travelers(Itinerary.model_validate(item.payload))
        added.append(ImportedTrip(RosterEntry(item.label, travelers), itinerary_id, _kept_until(item.payload)))
        people += travelers
    if canceled:
        context.journal.rosters.remove_imported(context.actor, [], canceled)
    if added:
        context.journal.rosters.add_imported(context.actor, added)
        context.journal.travelers.learn(context.actor.service, context.actor.organization_id, people)


def _kept_until(payload: Mapping[str, Any]) -> datetime:
    """Return until when the roster of imports keeps a trip, counted from the last day of its segments."""
    times = [str(time) for each in payload["segments"] for name, time in each.items() if "DateTime" in name]
    last = datetime.fromisoformat(max(times)[:10]).replace(tzinfo=UTC) if times else datetime.now(UTC)
    return last + KEEP_IMPORTED_FOR


def send(client: ServiceClient, batch: Batch) -> list[ItemStatus]:
    """Send a batch of one group. Raises ServiceError if nothing of it was done."""
    try:
        existing = _find_existing(client, {item.label for item in batch if not _removes(item)})
        # These come from an earlier attempt that reached the service after its status was checked.
        late = [item for item in batch if item.status.reasons.get("") == NOT_THERE and item.label in existing]
        found = _find_statuses(client, late, {item.label for item in late})
        statuses = {place: status for place, status in found.items() if status.state == "done"}
    except (TimedOut, UndecodableAnswer):  # The searches failed, and nothing was sent.
        return [ItemStatus("waiting")] * len(batch)
    rest = [item for item in batch if item.position not in statuses]
    batch.note(NEW, [item for item in rest if item.label not in existing])
    statuses |= _send_pieces(client, rest, existing)
    lost = [item for item in rest if statuses[item.position].state == "unknown"]
    try:
        if lost:
            batch.report("Muster is checking which trips of the last batch the service has.")
        found = _find_statuses(client, lost, {item.label for item in lost} - existing)
        statuses |= {place: status for place, status in found.items() if status.state == "done"}
    except ServiceError:
        pass  # The status is found later.
    for item in rest:
        status = statuses[item.position]
        if status.state == "done" and not status.reasons and item.label in existing and not _removes(item):
            statuses[item.position] = replace(status, reasons={"": REPLACED_TRIP})
    return [statuses[item.position] for item in batch]


def reconcile(client: ServiceClient, items: Sequence[Item]) -> dict[int, ItemStatus]:
    """Find trips whose response was lost, by record locator and external ID. Reads only; raises ServiceError."""
    return _find_statuses(client, items, {item.label for item in items if item.note == NEW})


def is_canceled(payload: Mapping[str, Any]) -> bool:
    """Return whether the payload cancels a trip."""
    return str(payload.get("itineraryStatus", "")).strip().casefold() == CANCELED


def is_proven(item: Item) -> bool:
    """Return whether the service has a trip that was certainly made by this item."""
    status = item.status
    is_named = status.state == "done" and status.result_id is not None
    return is_named and status.reasons.get("") != MATCH_NOT_PROVEN and not _removes(item)


def _removes(item: Item) -> bool:
    # Most payloads do not contain the word and need not be parsed.
    return CANCELED in item.payload_text.casefold() and is_canceled(item.payload)


def _send_pieces(client: ServiceClient, items: Sequence[Item], existing: Collection[str]) -> dict[int, ItemStatus]:
    """Send items in one call, or in halves if the service rejects the batch without naming the items.

    Trips that match no contact are sent again in the mode that creates contacts.
    """
    statuses: dict[int, ItemStatus] = {}
    pieces = deque([(list(items), items[0].batch_group == CONTACTS)] if items else [])
    calls = 0
    while pieces:
        piece, creates = pieces.popleft()
        calls += 1
        try:
            outcome = client.itineraries.create_batch(
                [item.payload_text for item in piece], auto_create_contact=creates
            )
        except Invalid as error:
            if len(piece) == 1 or calls + len(pieces) + 2 > _MOST_PIECES:
                message = error.service_message or error.message
                if len(piece) > 1:
                    message += f" The service rejected {len(piece):,} trips together."
                reasons = {"": message}
                statuses |= {item.position: ItemStatus("failed", reasons=reasons) for item in piece}
            elif _was_partly_made(client, piece, existing):
                statuses |= {item.position: ItemStatus("unknown") for item in piece}
            else:
                half = len(piece) // 2
                pieces.extendleft([(piece[half:], creates), (piece[:half], creates)])
        except ServiceError:
            if not statuses:
                raise
            left = [piece, *(some for some, _ in pieces)]
            statuses |= {item.position: ItemStatus("waiting") for some in left for item in some}
            break
        else:
            piece_statuses = build_statuses(outcome, len(piece), partial(_reasons, piece))
            statuses |= {item.position: status for item, status in zip(piece, piece_statuses, strict=True)}
            unmatched = [] if creates else [item for item in piece if _matches_no_contact(statuses[item.position])]
            pieces += [(list(some), True) for some in chunks(unmatched, BATCH_ADD_WITH_CONTACTS)]
    return statuses


def _reasons(items: Sequence[Item], failure: BatchFailure) -> dict[str, str]:
    """Return why the service rejected an item, by column if the message names one."""
    trip, message = items[failure.row].payload, failure.message
    named = next((column for field, column in _ABOUT.items() if message.startswith(f"{field} ")), None)
    if named is not None:
        return {named: message}
    if "segments" in message:
        for segment in trip["segments"]:
            for side in ("from", "to"):
                if f"{side}DateTimeLocal" in segment and f"{side}DateTime" not in segment:
                    column = "hotelCountry" if segment["type"] == "Hotel" else f"{side}Place"
                    return {column: f"{message.removesuffix('.')}. {NO_ZONE}"}
    return {"": message}


def _matches_no_contact(status: ItemStatus) -> bool:
    return any(NO_MATCH in message.casefold() for message in status.reasons.values())


def _was_partly_made(client: ServiceClient, items: Sequence[Item], existing: Collection[str]) -> bool:
    """Return whether the service created trips of a batch that it rejected. If it can't be asked, assume that it
    did.
    """
    try:
        return bool(_find_existing(client, {item.label for item in items if not _removes(item)} - set(existing)))
    except ServiceError:
        return True


def _find_existing(client: ServiceClient, locators: Collection[str]) -> set[str]:
    """Return the record locators that exist at the service. Rarely, one more is returned.

    A search for several values does not tell which it found. The values are halved until that takes too many searches.
    """
    standing: set[str] = set()
    pieces = deque([sorted(locators)] if locators else [])
    searches = 0
    while pieces:
        piece = pieces.popleft()
        searches += 1
        try:
            number = len({found.id for found in client.itineraries.search(field_name="pnr", values=piece)})
        except Invalid:
            number = len(piece)  # ASSUMPTION A410
        if number >= len(piece) or (number and searches + len(pieces) >= _MOST_SEARCHES):
            standing.update(piece)
        elif number:
            pieces += [piece[: len(piece) // 2], piece[len(piece) // 2 :]]
    return standing


def _ids_by(
    client: ServiceClient, field: SearchField, values: Collection[str], *, are_alike: bool = False
) -> dict[str, list[int]]:
    """Return the IDs of the trips that each value finds, the lowest first. Values without trips are left out.

    A search for several values does not tell which one it found, so those are searched again one by one. If trips of
    one call `are_alike`, all exist or none: the first value of several tells which search is enough for the others.
    """

    def search(sought: Sequence[str]) -> list[int]:
        return sorted({found.id for found in client.itineraries.search(field_name=field, values=sought)})

    found: dict[str, list[int]] = {}
    pieces = chunks(sorted(values), _SEARCHED_AT_ONCE)
    some: list[str] = []
    if are_alike:
        firsts = {piece[0]: piece[1:] for piece in pieces}
        found = {first.item: first.result() for first in fan_out(lambda each: search([each]), firsts, width=WIDTH)}
        some = [value for first, others in firsts.items() if found[first] for value in others]
        pieces = [others for first, others in firsts.items() if others and not found[first]]
        found = {value: ids for value, ids in found.items() if ids}
    for group in fan_out(search, pieces, width=WIDTH):
        some += group.item if group.result() else ()
    for outcome in fan_out(lambda value: search([value]), some, width=WIDTH):
        if outcome.result():
            found[outcome.item] = outcome.result()
    return found


def _find_statuses(client: ServiceClient, items: Sequence[Item], new: Collection[str]) -> dict[int, ItemStatus]:
    """Return the status of items. `new` are the record locators that did not exist before."""
    by_locator = _ids_by(client, "pnr", {item.label for item in items}, are_alike=True)
    external = {item.position: item.payload.get("externalItineraryId") for item in items}
    doubtful = [item for item in items if len(by_locator.get(item.label, [])) > 1 and external[item.position]]
    by_external = _ids_by(client, "externalItineraryId", {str(external[item.position]) for item in doubtful})
    statuses: dict[int, ItemStatus] = {}
    for item in items:
        ids = by_locator.get(item.label, [])
        ids = [each for each in ids if each in by_external.get(str(external[item.position]), ids)]
        statuses[item.position] = _find_status(client, item, ids, is_new=item.label in new)
    return statuses


def _find_status(client: ServiceClient, item: Item, ids: Sequence[int], *, is_new: bool) -> ItemStatus:
    if _removes(item):
        return ItemStatus("failed", reasons={"": STILL_THERE}) if ids else ItemStatus("done")
    if not ids:
        return ItemStatus("failed", reasons={"": NOT_THERE})
    if is_new:
        return ItemStatus("done", str(ids[-1]))
    predicted = predict(Itinerary.model_validate(item.payload))
    for itinerary_id in ids:
        try:
            locations = list(client.itineraries.list_expected_locations(itinerary_id))
        except NotFound:
            continue
        if are_as_predicted(predicted, locations):
            return ItemStatus("done", str(itinerary_id), {"": MATCH_NOT_PROVEN})
    return ItemStatus("failed", reasons={"": DIFFERENT_TRIP})
