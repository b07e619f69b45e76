"""Send trips in batches, and find the status of those whose response was lost.

Before a batch is sent the service is asked which of its record locators stand already: what did not stand then and is
there after a lost answer came about by that call. So a trip is never sent twice for want of an answer.
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
from journal import Fate, ImportedTrip, Item, RosterEntry

if TYPE_CHECKING:
    from client import ServiceClient
    from client.models.results import BatchFailure
    from domain.file_import.row_sending import JournalContext
    from domain.trips.lookup import SearchField

PLAIN: Final = "plain"
"""The lot of trips that need no contact to be created."""
CONTACTS: Final = "contacts"
"""The lot of trips whose travellers may need contacts."""
REMOVED: Final = "removed"
"""The lot of trips that are sent as canceled: what the service has of them is removed."""
WIDTH: Final = 4
NEW: Final = "new"
"""What is noted of a trip under way under whose record locator nothing stood before."""

NOT_THERE: Final = "Its answer was lost, and the service has no such trip: it can be sent again."
NOT_SO: Final = (
    "Its answer was lost. The service has a trip under this record locator that may have stood there before, and does "
    "not expect people as this one says: sending it again puts it in that one's place."
)
STILL_THERE: Final = "Its answer was lost, and the service still has the trip: it can be sent again."
FOUND_SO: Final = "The service has it exactly so; whether this import made it is not proven."
TOOK_ITS_PLACE: Final = "A trip that stood under this record locator before gave way to it."

NO_ZONE: Final = "The time zone of this place isn't known. Add a code, a city with its country, or a time zone."

NO_MATCH: Final = "travel matching error"
"""What the service says of a trip none of whose travellers is a contact, in small letters."""

_ABOUT: Final = {"Field pnr": "pnr", "Field segments.type": "type", "Field segments.fromAddress": "fromPlace"}
"""How the service begins what it says of a field, and the column that is about."""
_SEARCHED_AT_ONCE: Final = 50
_MOST_SEARCHES: Final = 64
_MOST_PIECES: Final = 64
"""So many calls at most are made to find out which of a batch the service refuses it for."""


def trips_sent(items: Callable[[Rows], Iterable[Outgoing]]) -> Sending:
    """How trips are sent: each item's payload is an itinerary as it stands on the wire, its label the record locator.

    Its lot is `PLAIN`, `CONTACTS` or `REMOVED`.
    """
    return Sending(
        verb="Import",
        done="added",
        other_verbs={REMOVED: ("Cancel", "canceled")},
        items=items,
        send=send,
        reconcile=look,
        size=lambda lot: BATCH_ADD_WITH_CONTACTS if lot == CONTACTS else BATCH_ADD,
        width=WIDTH,
        invalidate=lambda: server().reads.invalidate(LOOKUP_CACHE),
        follow_up=follow_in_roster,
    )


def follow_in_roster(desk: JournalContext, done: Sequence[tuple[Item, Fate]]) -> None:
    """Add trips that were sent to the organization's roster of imports, and remove those that the file canceled.

    The names of travelers become known. Raises JournalError.
    """
    added, people, canceled = [], [], []
    for item, fate in done:
        if _removes(item):
            canceled.append(item.label)
            continue
        itinerary_id = None if fate.result_id is None else int(fate.result_id)
        travelers = identified_travelers(Itinerary.model_validate(item.payload))
        added.append(ImportedTrip(RosterEntry(item.label, travelers), itinerary_id, _kept_until(item.payload)))
        people += travelers
    if canceled:
        desk.journal.rosters.remove_imported(desk.actor, [], canceled)
    if added:
        desk.journal.rosters.add_imported(desk.actor, added)
        desk.journal.travellers.learn(desk.actor.service, desk.actor.organization_id, people)


def _kept_until(payload: Mapping[str, Any]) -> datetime:
    """Return until when the roster of imports has a trip: some time after the last day that a segment names."""
    times = [str(time) for each in payload["segments"] for name, time in each.items() if "DateTime" in name]
    last = datetime.fromisoformat(max(times)[:10]).replace(tzinfo=UTC) if times else datetime.now(UTC)
    return last + KEEP_IMPORTED_FOR


def send(client: ServiceClient, batch: Batch) -> list[Fate]:
    """Send a batch of one lot. Raises ServiceError where nothing of it was done."""
    try:
        before = _standing(client, {item.label for item in batch if not _removes(item)})
        # Of an earlier try, which came through after somebody had looked for it.
        late = [item for item in batch if item.fate.reasons.get("") == NOT_THERE and item.label in before]
        found = _found(client, late, {item.label for item in late})
        fates = {place: fate for place, fate in found.items() if fate.state == "done"}
    except (TimedOut, UndecodableAnswer):  # of reads: nothing was sent so far
        return [Fate("waiting")] * len(batch)
    rest = [item for item in batch if item.position not in fates]
    batch.note(NEW, [item for item in rest if item.label not in before])
    fates |= _sent(client, rest, before)
    lost = [item for item in rest if fates[item.position].state == "unknown"]
    try:
        found = _found(client, lost, {item.label for item in lost} - before)
        fates |= {place: fate for place, fate in found.items() if fate.state == "done"}
    except ServiceError:
        pass  # whoever looks later finds out
    for item in rest:
        fate = fates[item.position]
        if fate.state == "done" and not fate.reasons and item.label in before and not _removes(item):
            fates[item.position] = replace(fate, reasons={"": TOOK_ITS_PLACE})
    return [fates[item.position] for item in batch]


def look(client: ServiceClient, items: Sequence[Item]) -> dict[int, Fate]:
    """What became of trips whose answer was lost, by record locator and external id; reads only.

    Raises ServiceError.
    """
    return _found(client, items, {item.label for item in items if item.note == NEW})


def is_canceled(payload: Mapping[str, Any]) -> bool:
    """Whether sending this removes a trip."""
    return str(payload.get("itineraryStatus", "")).strip().casefold() == CANCELED


def is_proven(item: Item) -> bool:
    """Whether the service has a trip that surely was made by sending this item."""
    fate = item.fate
    is_named = fate.state == "done" and fate.result_id is not None
    return is_named and fate.reasons.get("") != FOUND_SO and not _removes(item)


def _removes(item: Item) -> bool:
    # Few are, and the others need not be read for it.
    return CANCELED in item.payload_text.casefold() and is_canceled(item.payload)


def _sent(client: ServiceClient, items: Sequence[Item], before: Collection[str]) -> dict[int, Fate]:
    """Send in one call; where the service refuses it whole without saying for which of them, in halves.

    Trips that were thought to need no contact and match none after all are sent again as those that need some.
    """
    fates: dict[int, Fate] = {}
    pieces = deque([(list(items), items[0].lot == CONTACTS)] if items else [])
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
                of_all = f" Said of {len(piece):,} trips at once." if len(piece) > 1 else ""
                reasons = {"": f"{error.service_message or error.message}{of_all}"}
                fates |= {item.position: Fate("failed", reasons=reasons) for item in piece}
            elif _something_came(client, piece, before):
                fates |= {item.position: Fate("unknown") for item in piece}
            else:
                half = len(piece) // 2
                pieces.extendleft([(piece[half:], creates), (piece[:half], creates)])
        except ServiceError:
            if not fates:
                raise
            left = [piece, *(some for some, _ in pieces)]
            fates |= {item.position: Fate("waiting") for some in left for item in some}
            break
        else:
            told = build_statuses(outcome, len(piece), partial(_reasons, piece))
            fates |= {item.position: fate for item, fate in zip(piece, told, strict=True)}
            strangers = [] if creates else [item for item in piece if _matches_nobody(fates[item.position])]
            pieces += [(list(some), True) for some in chunks(strangers, BATCH_ADD_WITH_CONTACTS)]
    return fates


def _reasons(sent: Sequence[Item], failure: BatchFailure) -> dict[str, str]:
    """Why one of the trips that were sent was refused, by the column that it is about, as far as that can be told."""
    trip, message = sent[failure.row].payload, failure.message
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


def _matches_nobody(fate: Fate) -> bool:
    return any(NO_MATCH in words.casefold() for words in fate.reasons.values())


def _something_came(client: ServiceClient, items: Sequence[Item], before: Collection[str]) -> bool:
    """Whether a service that refused a batch has made trips of it all the same, or cannot be asked."""
    try:
        return bool(_standing(client, {item.label for item in items if not _removes(item)} - set(before)))
    except ServiceError:
        return True


def _standing(client: ServiceClient, locators: Collection[str]) -> set[str]:
    """Those of the record locators under which a trip may stand: surely all that do, and seldom one more.

    The answer to several does not say which of them it found: they are halved, until that would take too long.
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


def _ids_by(client: ServiceClient, field: SearchField, values: Collection[str]) -> dict[str, list[int]]:
    """The ids of the trips that each value finds, the lowest first; values that find none are left out."""

    def search(sought: Sequence[str]) -> list[int]:
        return sorted({found.id for found in client.itineraries.search(field_name=field, values=sought)})

    found: dict[str, list[int]] = {}
    pieces = fan_out(search, chunks(sorted(values), _SEARCHED_AT_ONCE), width=WIDTH)
    some = [value for piece in pieces if piece.result() for value in piece.item]
    for outcome in fan_out(lambda value: search([value]), some, width=WIDTH):
        if outcome.result():
            found[outcome.item] = outcome.result()
    return found


def _found(client: ServiceClient, items: Sequence[Item], new: Collection[str]) -> dict[int, Fate]:
    """What became of items, of which `new` are the record locators that nothing stood under before."""
    by_locator = _ids_by(client, "pnr", {item.label for item in items})
    external = {item.position: item.payload.get("externalItineraryId") for item in items}
    doubtful = [item for item in items if len(by_locator.get(item.label, [])) > 1 and external[item.position]]
    by_external = _ids_by(client, "externalItineraryId", {str(external[item.position]) for item in doubtful})
    fates: dict[int, Fate] = {}
    for item in items:
        ids = by_locator.get(item.label, [])
        ids = [each for each in ids if each in by_external.get(str(external[item.position]), ids)]
        fates[item.position] = _fate(client, item, ids, is_new=item.label in new)
    return fates


def _fate(client: ServiceClient, item: Item, ids: Sequence[int], *, is_new: bool) -> Fate:
    if _removes(item):
        return Fate("failed", reasons={"": STILL_THERE}) if ids else Fate("done")
    if not ids:
        return Fate("failed", reasons={"": NOT_THERE})
    if is_new:
        return Fate("done", str(ids[-1]))
    predicted = predict(Itinerary.model_validate(item.payload))
    for itinerary_id in ids:
        try:
            locations = list(client.itineraries.list_expected_locations(itinerary_id))
        except NotFound:
            continue
        if are_as_predicted(predicted, locations):
            return Fate("done", str(itinerary_id), {"": FOUND_SO})
    return Fate("failed", reasons={"": NOT_SO})
