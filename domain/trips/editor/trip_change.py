"""Send the change of a trip: its problems, its payload, the roster afterwards, and finding it after a lost response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from client import FieldError, NotFound, ServiceError
from client.models.itineraries import Itinerary
from client.models.itinerary_rules import itinerary_problems
from domain.edits.edit import Edit, EditConflictError, ReconcileCandidate, Reconciliation
from domain.edits.edit_draft import StoredDraft
from domain.forms.form import Problems
from domain.geography.time_zones import available_timezones_cached, parse_clock
from domain.runtime.screens import TRIP as TRIP_SCREEN
from domain.runtime.screens import TRIP_EDITOR
from domain.runtime.server import server
from domain.text.email_address import is_email_address
from domain.text.plain_text import NOT_AN_ID, count, id_in, names
from domain.trips.editor.form_state import (
    SOURCE,
    TRIP_FORM,
    SegmentDraft,
    Side,
    TravelerDraft,
    TripDraft,
    applies,
    coordinate,
    emails_in,
    from_itinerary,
    new_trip,
    resolve_draft,
    to_itinerary,
)
from domain.trips.known_trip import ACTIONS, CANCEL, CREATE, UPDATE, TripChange, load_trip_changes, summarize_changes
from domain.trips.location_comparison import are_as_predicted, count_matches
from domain.trips.lookup import LOOKUP_CACHE
from domain.trips.prediction import predict, reconstruct_itinerary
from domain.trips.resolved_segments import End
from domain.trips.rosters.roster_file import locator_problem
from domain.trips.segment_errors import segment_errors
from domain.trips.trip_time_checks import words_for_ends
from journal import JournalError, RosterEntry, Traveler, locator_spellings

if TYPE_CHECKING:
    from client import ModificationResult
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace


NOBODY_MATCHED: Final = (
    "No traveler matches a contact in the service, and no contact could be created. Check the employee IDs, give "
    "every traveler a name, or switch on “Create contacts for travelers without one”."
)

UNKNOWN_VALUE: Final = "Expected locations do not contain this value. Enter it from the booking."
LEFT_OUT: Final = "Expected locations without a segment type are not in this form:"
_UNKNOWN_OF_SEGMENT: Final[Mapping[str, Sequence[str]]] = {
    "Air": ("supplier_code", "number"),
    "Rail": ("supplier_name", "number"),
    "Car": ("supplier_name",),
}
"""The fields of a type of segment that describe the booking, and that expected locations do not contain."""
KIND: Final = "itinerary"
IDS_BEFORE: Final = "held_before"
"""The key of a claim's note about the IDs that the service had under the record locator; None if they were not read."""


def problems_of(draft: TripDraft) -> Problems:
    """Return the errors that prevent sending, including the service's last refusal."""
    found, itinerary = Problems(), to_itinerary(draft)
    if not itinerary.is_canceled:
        _check_stored(draft, found)
        _add_gaps(draft, found)
    TRIP_FORM.place_errors(draft, itinerary_problems(itinerary), found)
    return TRIP_FORM.place_errors(
        draft, [FieldError(field=field, message=words) for field, words in draft.refused], found
    )


def visible_problems(draft: TripDraft, problems: Problems) -> Problems:
    """Return the errors to show: all after the first attempt to review, before that only those of fields that are
    typed in.
    """
    if draft.checked:
        return problems
    started = TRIP_FORM.started_problems(draft, problems)
    _add_gaps(draft, started)
    return started


def _add_gaps(draft: TripDraft, found: Problems) -> None:
    if draft.is_sent_with_gaps:
        return
    for uid, path in find_gaps(draft):
        found.add(uid, path, UNKNOWN_VALUE)
    if draft.left_out:
        places = names([f"“{each}”" for each in draft.left_out])
        found.add(draft.uid, "", f"{LEFT_OUT} {places}. Add the segments that are missing.")


def _check_stored(draft: TripDraft, found: Problems) -> None:
    # A roster could not contain this trip, so the map would never show it. Existing trips can still be changed.
    locator = draft.record_locator.strip()
    problem = locator_problem(locator) if locator and not draft.is_change else None
    if problem:
        found.add(draft.uid, "record_locator", problem)
    if draft.contact_record_type.strip() and id_in(draft.contact_record_type) is None:
        found.add(draft.uid, "contact_record_type", NOT_AN_ID)
    for segment in draft.segments:
        _check_segment(segment, found)
    for traveler in (*draft.travelers, *([draft.arranger] if draft.arranger else [])):
        _check_traveler(traveler, found)


def _check_segment(segment: SegmentDraft, found: Problems) -> None:
    resolved = resolve_draft(segment)
    _check_end(segment, "start", resolved.start, found)
    _check_end(segment, "finish", resolved.end, found)
    for error in segment_errors(resolved):
        side = "start" if error.side == "start" else "finish"
        found.add(segment.uid, f"{side}.{'iata' if error.field == 'code' else 'clock'}", error.message)


def _check_end(segment: SegmentDraft, side: Side, resolved: End, found: Problems) -> None:
    end = segment.end(side)
    typed = end.clock.strip()
    if typed and parse_clock(typed) is None:
        found.add(segment.uid, f"{side}.clock", f"“{typed}” is not a time of day. Use a format such as 14:05.")
    elif not (typed and end.day):
        # ASSUMPTION A72: a segment needs both times. Without them, no one is expected anywhere.
        missing = "day" if typed else "time" if end.day else "day and time"
        word = words_for_ends(segment.kind)[side == "finish"]
        found.add(segment.uid, f"{side}.clock", f"Enter the {word} {missing}.")
    if end.zone and end.zone not in available_timezones_cached():
        found.add(segment.uid, f"{side}.zone", f"There is no time zone named “{end.zone}”.")
    if not applies(segment, f"{side}.address"):
        return
    for field, limit, words in (("latitude", 90, "north and south"), ("longitude", 180, "east and west")):
        given = getattr(end.address, field)
        number = coordinate(given)
        if given.strip() and (number is None or abs(number) > limit):
            words = f"Decimal degrees between −{limit} and {limit} ({words})."
            found.add(segment.uid, f"{side}.address.{field}", words)
    if resolved.conflict is not None:
        found.add(segment.uid, f"{side}.address.latitude", resolved.conflict.message)


def _check_traveler(traveler: TravelerDraft, found: Problems) -> None:
    if traveler.contact_id.strip() and id_in(traveler.contact_id) is None:
        found.add(traveler.uid, "contact_id", NOT_AN_ID)
    for address in emails_in(traveler.emails):
        if not is_email_address(address):
            found.add(traveler.uid, "emails", f"“{address}” is not an email address.")


def parameters_of(draft: TripDraft) -> dict[str, Any]:
    """Return the query parameters about contacts. The case of email addresses is an option only for new trips."""
    given: dict[str, Any] = {"autoCreateContact": draft.auto_create_contact}
    if (record_type := id_in(draft.contact_record_type)) is not None:
        given["contactRecordTypeId"] = record_type
    if not draft.is_change:
        given["emailCaseSensitiveInExternalId"] = draft.email_case_sensitive
    return given


def request_of(draft: TripDraft, *, at: datetime) -> dict[str, Any]:
    """Return what would be sent: method, parameters, and body."""
    return {
        "method": "PUT" if draft.is_change else "POST",
        "parameters": parameters_of(draft),
        "body": to_itinerary(draft, at=at).to_wire(),
    }


def find_ids_by_locator(workspace: Workspace, record_locator: str) -> list[int]:
    """Read the IDs of the trips that the service has under a record locator, lowest first."""
    found = workspace.client.itineraries.search(field_name="pnr", values=locator_spellings(record_locator))
    return sorted({reference.id for reference in found})


def add_to_roster(workspace: Workspace, roster_id: int, itinerary: Itinerary, itinerary_id: int) -> str:
    """Add the trip and its travelers to a roster. Return the roster's name."""
    rosters, entry = workspace.journal.rosters, RosterEntry(itinerary.pnr, identified_travelers(itinerary))
    return rosters.put_entry(roster_id, entry, itinerary_id=itinerary_id, actor=workspace.actor).name


def identified_travelers(itinerary: Itinerary) -> list[Traveler]:
    """Return the travelers with an employee ID, as rosters store them."""
    return [
        Traveler(person.employee_id, person.first_name or "", person.last_name or "")
        for person in itinerary.passengers
        if person.employee_id
    ]


def store_names(workspace: Workspace, itinerary: Itinerary) -> None:
    """Store the names of the travelers, because expected locations have no names."""
    named = [
        Traveler(known_as, person.first_name or "", person.last_name or "")
        for person in itinerary.passengers
        if (known_as := person.employee_id or next(iter(person.email_addresses), ""))
        and (person.first_name or person.last_name)
    ]
    workspace.journal.travelers.learn(workspace.actor.service, workspace.actor.organization_id, named)


class TripEdit(Edit[TripDraft, Itinerary]):
    """Adding, changing or canceling a trip."""

    kind = KIND
    draft_kind = "trip"
    key = "trip_editor"
    draft_model = TripDraft
    noun = "trip"
    screen = TRIP_EDITOR

    def action(self, draft: TripDraft) -> str:
        """Return the action of the journal entry."""
        if not draft.is_change:
            return CREATE
        return CANCEL if to_itinerary(draft).is_canceled else UPDATE

    def problems(self, draft: TripDraft) -> Sequence[str]:
        """Return the errors that prevent sending."""
        return TRIP_FORM.describe_problems(draft, problems_of(draft))

    def payload(self, draft: TripDraft) -> Itinerary:
        """Build the itinerary that is sent, as of now."""
        return to_itinerary(draft, at=datetime.now(UTC))

    def journal_payload(self, draft: TripDraft, payload: Itinerary) -> Mapping[str, Any]:
        """Return the itinerary and the parameters as the journal stores them."""
        return {"itinerary": payload.to_wire(), "parameters": parameters_of(draft)}

    def journal_name(self, workspace: Workspace, draft: TripDraft) -> str:
        """Return the record locator."""
        del workspace
        return draft.record_locator.strip()

    def query(self, draft: TripDraft) -> Mapping[str, Any]:
        """Return the query parameters that open the draft."""
        return {"id": draft.itinerary_id, "locator": draft.record_locator.strip() or None, "draft": draft.uid}

    def field_errors(self, error: Exception) -> list[tuple[str, str]]:
        """Return the errors of single fields; some refusals name the field only in their text."""
        message = (error.service_message or error.message) if isinstance(error, ServiceError) else ""
        if "no contact matching" in message.casefold():
            return [("passengers", NOBODY_MATCHED)]
        errors = super().field_errors(error)
        if not errors and "segment" in message.casefold():
            return [("segments", str(error))]
        return errors

    def check(self, workspace: Workspace, draft: TripDraft) -> None:
        """Raise `EditConflictError` if someone changed the trip since. Reads the journal only."""
        since = find_change_since(workspace, draft)
        if since is not None and (draft.seen_at is None or since.at > draft.seen_at):
            raise EditConflictError(since, f"This trip has changed since you opened it. {since.by} changed it.")

    def send(self, workspace: Workspace, draft: TripDraft, payload: Itinerary) -> ModificationResult:
        """Create or update the itinerary."""
        contacts: dict[str, Any] = {
            "auto_create_contact": draft.auto_create_contact,
            "contact_record_type_id": id_in(draft.contact_record_type),
        }
        trips = workspace.client.itineraries
        if draft.itinerary_id is not None:
            return trips.update(draft.itinerary_id, payload, **contacts)
        return trips.create(payload, email_case_sensitive=draft.email_case_sensitive, **contacts)

    def reconcile(self, workspace: Workspace, stored: StoredDraft[TripDraft]) -> Reconciliation:
        """Find the trips under the record locator, the best match first."""
        draft, locator = stored.draft, stored.draft.record_locator.strip()
        ids_before = _ids_before(stored)
        ids = find_ids_by_locator(workspace, locator)
        if draft.itinerary_id is not None and draft.itinerary_id not in ids:
            ids = [*ids, draft.itinerary_id]
        itinerary = to_itinerary(draft)
        predicted = predict(itinerary)
        base = None if draft.base is None else predict(Itinerary.model_validate(draft.base))
        found = []
        for itinerary_id in ids:
            is_canceling = itinerary.is_canceled and itinerary_id == draft.itinerary_id
            try:
                locations = list(workspace.client.itineraries.list_expected_locations(itinerary_id))
            except NotFound:
                if not is_canceling:
                    continue
                locations = []  # The service removes a canceled trip.
            matches = count_matches(predicted, locations)
            is_sent = len(locations) == matches == len(predicted)
            is_original = base is not None and itinerary_id == draft.itinerary_id and are_as_predicted(base, locations)
            is_match = is_sent and (is_canceling or not is_original)
            if draft.is_change:
                is_other = itinerary_id != draft.itinerary_id
                what = "another trip" if is_other else "the trip you changed"
            else:
                is_other = ids_before is not None and str(itinerary_id) in ids_before
                what = "existed before" if is_other else "new" if ids_before is not None else ""
            counted = count(len(locations), "expected location", "expected locations")
            note = f"{counted}. {matches:,} of the {len(predicted):,} in your trip match."
            if is_canceling and not locations:
                note = "No expected locations. The trip was probably canceled."
            elif is_sent and is_original:
                note = f"{counted}, identical before and after your change. Muster cannot tell the versions apart."
            elif is_sent:
                note = f"{counted}, identical to your trip. Your change was probably made."
            elif is_original:
                note = f"{counted}, identical to the trip before your change. Your change was probably not made."
            title = f"ID {itinerary_id}" + (f", {what}" if what else "")
            query = {"id": itinerary_id, "locator": locator}
            candidate = ReconcileCandidate(itinerary_id, title, note, is_match, query)
            found.append((is_other, not is_match, itinerary_id, candidate))
        return Reconciliation([candidate for *_, candidate in sorted(found, key=lambda each: each[:3])])

    def describe_original(self, stored: StoredDraft[TripDraft]) -> str:
        """Say which trips the record locator had before a new one was sent."""
        if stored.draft.is_change:
            return ""
        ids = _ids_before(stored)
        if ids is None:
            return "Muster does not know which trips had this record locator before you sent yours."
        known = ", ".join(f"ID {each}" for each in ids) or "none"
        return f"Trips with this record locator before you sent yours: {known}."

    def nothing_found(self, draft: TripDraft) -> str:
        """Say that there is no such trip."""
        return (
            f"No trip has the record locator {draft.title}. The trip was not added or changed, or the service does not "
            "list it yet."
        )

    def redirect_target(self, stored: StoredDraft[TripDraft]) -> tuple[Screen, Mapping[str, Any]]:
        """Return the page of the trip."""
        return TRIP_SCREEN, {"id": stored.sent_id, "locator": stored.draft.record_locator.strip()}

    def finish(self, workspace: Workspace, draft: TripDraft, subject_id: int | None) -> list[str]:
        """Store the names of the travelers, add the trip to its roster, and return the messages."""
        itinerary = to_itinerary(draft)
        if itinerary.is_canceled:
            return [f"Trip {draft.title} is canceled. The trip has no expected locations."]
        messages = [f"Trip {draft.title} is {'changed' if draft.is_change else 'added'}."]
        try:
            store_names(workspace, itinerary)
            if draft.roster and subject_id is not None:
                name = add_to_roster(workspace, int(draft.roster), itinerary, subject_id)
                messages.append(f"The trip is on the roster “{name}”.")
        except JournalError as error:
            messages.append(f"The trip could not be added to the roster: {error}" if draft.roster else str(error))
        return messages

    def invalidate_reads(self) -> None:
        """Discard the trips that were looked up before."""
        server().reads.invalidate(LOOKUP_CACHE)


TRIP_EDIT: Final = TripEdit()


def _ids_before(stored: StoredDraft[TripDraft]) -> list[str] | None:
    """Return the IDs of the trips that the record locator had before the sending; None where they were not read."""
    ids: list[str] | None = (stored.note or {}).get(IDS_BEFORE)
    return ids


def start_change(workspace: Workspace, itinerary_id: int, record_locator: str) -> TripDraft:
    """Start the change of a trip from the version that Muster last sent; without one, from its expected locations.

    If the service does not return them, or if they are not enough, the form is empty.
    """
    last = last_sent(workspace, itinerary_id, record_locator)
    if last is None or last.itinerary is None:
        draft = new_trip().model_copy(update={"itinerary_id": itinerary_id, "record_locator": record_locator})
        try:
            return fill_from_expected_locations(workspace, draft) or draft
        except ServiceError:
            return draft
    return from_itinerary(last.itinerary, itinerary_id=itinerary_id, base_at=last.at)


def fill_from_expected_locations(workspace: Workspace, draft: TripDraft) -> TripDraft | None:
    """Fill in the segments and travelers of a trip made outside Muster from its expected locations.

    The fields that these do not contain are noted in the draft. Return None if they are not enough. Raise
    `ServiceError`.
    """
    if draft.itinerary_id is None:
        return None
    locations = list(workspace.client.itineraries.list_expected_locations(draft.itinerary_id))
    people = workspace.journal.travelers.people(workspace.actor.service, workspace.actor.organization_id)
    itinerary = reconstruct_itinerary(locations, people, locator=draft.record_locator.strip(), with_gaps=True)
    if itinerary is None:
        return None
    filled = from_itinerary(itinerary)
    source = "" if draft.source == SOURCE else draft.source
    draft = draft.model_copy(
        update={
            "segments": filled.segments,
            "travelers": filled.travelers,
            "source": source,
            "is_sent_with_gaps": False,
        }
    )
    unread = [each.address for each in locations if each.kind is None]
    left_out = [next(filter(None, (each.location_name, each.city, each.iata)), "no name") for each in unread]
    return draft.model_copy(update={"unknown": _unknown_fields(draft), "left_out": left_out})


def _unknown_fields(draft: TripDraft) -> list[tuple[str, str]]:
    """Return the empty fields, by UID of their part and path, that expected locations do not contain."""
    candidates: list[tuple[TripDraft | SegmentDraft | TravelerDraft, Sequence[str]]] = [
        (draft, ("external_id", "source")),
        *((segment, _UNKNOWN_OF_SEGMENT.get(segment.kind, ())) for segment in draft.segments),
        *((traveler, ("first_name", "last_name")) for traveler in draft.travelers),
    ]
    return [(part.uid, path) for part, paths in candidates for path in paths if not str(getattr(part, path)).strip()]


def find_gaps(draft: TripDraft) -> list[tuple[str, str]]:
    """Return the fields, by UID of their part and path, that Muster does not know and that are still empty."""
    parts = {part.uid: part for part in (draft, *draft.segments, *draft.travelers)}
    return [
        (uid, path)
        for uid, path in draft.unknown
        if uid in parts
        and not str(getattr(parts[uid], path)).strip()
        and (not isinstance(segment := parts[uid], SegmentDraft) or applies(segment, path))
    ]


def last_sent(workspace: Workspace, itinerary_id: int, record_locator: str) -> TripChange | None:
    """Return the last version of the trip that Muster sent and the service accepted, with its sender and time."""
    return summarize_changes(load_trip_changes(workspace, itinerary_id, record_locator or None))[0]


def find_change_since(workspace: Workspace, draft: TripDraft) -> TripChange | None:
    """Return the last change that someone made in Muster after the draft was opened; None if there is none."""
    if draft.itinerary_id is None or (draft.base_at is None and draft.base is not None):
        return None
    changes = load_trip_changes(workspace, draft.itinerary_id, draft.record_locator.strip() or None)
    done = next((change for change in changes if change.succeeded and change.subject_id), None)
    return None if done is None or (draft.base_at is not None and done.at <= draft.base_at) else done


def change_verb(change: TripChange) -> str:
    """Return what a change did to the trip, as a participle: "changed", "canceled"."""
    return ACTIONS[change.action].replace("added", "changed")
