"""What is wrong with a draft, sorted to the fields it is typed in: our own checks, the interface's rules, refusals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from client import FieldError, Invalid, ServiceError
from client.models.itinerary_rules import itinerary_problems
from components.geography.time_zones import available_timezones_cached
from components.rosters.roster_file import locator_problem
from components.trip_editor.draft import EndDraft, SegmentDraft, Side, TravellerDraft, TripDraft
from components.trip_editor.form_state import (
    applies,
    coordinate,
    emails_in,
    moment_of,
    to_itinerary,
)
from components.trip_editor.local_time import parse_clock
from components.widgets.ids import NOT_AN_ID, id_in

SEGMENTS: Final = "segments"
TRAVELLERS: Final = "travellers"
TRIP: Final = "trip"

NOBODY_MATCHED: Final = (
    "No traveller matches a contact at the service, and no contact could be made. Check the employee ids, give "
    "every traveller a name, or switch on “Make contacts for travellers who have none”."
)
_INDEXED: Final = re.compile(r"^(?P<list>segments|passengers)(?:\[(?P<index>\d+)\])?(?:\.(?P<rest>.+))?$")
_TRIP_FIELDS: Final = {
    "pnr": "record_locator",
    "externalItineraryId": "external_id",
    "itinerarySource": "source",
    "itineraryStatus": "status",
    "contactRecordTypeId": "contact_record_type",
}
_SEGMENT_FIELDS: Final = {
    "type": "kind",
    "supplierCode": "supplier_code",
    "supplierName": "supplier_name",
    "airRailNumber": "number",
    "fromDateTimeLocal": "start.time",
    "fromDateTime": "start.time",
    "toDateTimeLocal": "finish.time",
    "toDateTime": "finish.time",
    "fromTimeZone": "start.zone",
    "toTimeZone": "finish.zone",
    "fromIataCode": "start.iata",
    "toIataCode": "finish.iata",
}
_TRAVELLER_FIELDS: Final = {
    "employeeId": "employee_id",
    "firstName": "first_name",
    "lastName": "last_name",
    "middleName": "middle_name",
    "emailAddresses": "emails",
    "phoneNumbers": "phones",
    "contactId": "contact_id",
}
_ADDRESS_FIELDS: Final = {
    "locationName": "location_name",
    "country": "country",
    "state": "state",
    "city": "city",
    "streetAddress": "street_address",
    "postalCode": "postal_code",
    "latitude": "latitude",
    "longitude": "longitude",
}


class FieldProblems:
    """Problems by where they stand: a part of the draft (its uid, or a section's name) and a field of it."""

    def __init__(self) -> None:
        self._by_field: defaultdict[tuple[str, str], list[str]] = defaultdict(list)

    def add(self, owner: str, field: str, words: str) -> None:
        """Put a problem at a field, once."""
        if words not in self._by_field[owner, field]:
            self._by_field[owner, field].append(words)

    def at(self, owner: str, *fields: str) -> list[str]:
        """The problems at these fields of a part."""
        return [words for field in fields for words in self._by_field.get((owner, field), [])]

    def of(self, owner: str) -> list[tuple[str, str]]:
        """Every problem of a part, as (field, words)."""
        return [(field, words) for (whose, field), said in self._by_field.items() if whose == owner for words in said]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(len(said) for said in self._by_field.values())

    def __bool__(self) -> bool:
        return self.count > 0


def problems_of(draft: TripDraft) -> FieldProblems:
    """Everything that keeps the draft from being sent, and what the service refused it for last."""
    found = FieldProblems()
    _check_typed(draft, found)
    place(draft, itinerary_problems(to_itinerary(draft)), found)
    place(draft, [FieldError(field=field, message=words) for field, words in draft.refused], found)
    return found


def refusals(error: ServiceError) -> list[tuple[str, str]]:
    """What a refusal says, as (field of the interface, words), to be kept with the draft until it changes."""
    said = (error.service_message or error.message or "").casefold()
    if "no contact matching" in said:
        return [("passengers", NOBODY_MATCHED)]
    named = [(each.field, each.message) for each in error.field_errors] if isinstance(error, Invalid) else []
    if not named and "segment" in said:
        return [("segments", error.message)]
    return named


def place(draft: TripDraft, errors: Iterable[FieldError], found: FieldProblems) -> None:
    """Put errors that carry the interface's paths at the fields of the draft."""
    for error in errors:
        path = _INDEXED.match(error.field)
        if path is None:
            field = _TRIP_FIELDS.get(error.field)
            if error.field.startswith("travelArranger") and draft.arranger is not None:
                found.add(draft.arranger.uid, _traveller_field(error.field.partition(".")[2]), error.message)
            else:
                found.add(TRIP, field or "", error.message)
        elif path["list"] == "segments":
            _place_at_segments(draft, path["index"], path["rest"] or "", error.message, found)
        else:
            _place_at_travellers(draft, path["index"], path["rest"] or "", error.message, found)


def _place_at_segments(draft: TripDraft, index: str | None, rest: str, words: str, found: FieldProblems) -> None:
    if not rest and index is None:
        found.add(SEGMENTS, "", words)
        return
    field = _segment_field(rest)
    if index is not None and int(index) < len(draft.segments):
        found.add(draft.segments[int(index)].uid, field, words)
        return
    # The service names the field, not the segment: it stands at those that lack it, or at all.
    lacking = [segment for segment in draft.segments if _lacks(segment, field)]
    for segment in lacking or draft.segments:
        found.add(segment.uid, field, words)


def _place_at_travellers(draft: TripDraft, index: str | None, rest: str, words: str, found: FieldProblems) -> None:
    sent = [traveller for traveller in draft.travellers if not traveller.is_empty]
    if index is None or int(index) >= len(sent):
        found.add(TRAVELLERS, "", words)
    else:
        found.add(sent[int(index)].uid, _traveller_field(rest), words)


def _segment_field(rest: str) -> str:
    head, _, tail = rest.partition(".")
    for wire, side in (("fromAddress", "start"), ("toAddress", "finish")):
        if head == wire:
            return f"{side}.{_ADDRESS_FIELDS[tail]}" if tail in _ADDRESS_FIELDS else f"{side}.place"
    return _SEGMENT_FIELDS.get(head, "")


def _traveller_field(rest: str) -> str:
    return _TRAVELLER_FIELDS.get(re.split(r"[.\[]", rest, maxsplit=1)[0], "")


def _lacks(segment: SegmentDraft, field: str) -> bool:
    if field == "kind":
        return not segment.kind
    if field == "start.place":
        return segment.start.address.is_empty
    if field == "finish.place":
        return segment.finish.address.is_empty
    return False


def _check_typed(draft: TripDraft, found: FieldProblems) -> None:
    # A trip that no roster can hold would never be on the map. One that was made so elsewhere can still be changed.
    locator = draft.record_locator.strip()
    problem = locator_problem(locator) if locator and not draft.is_change else None
    if problem:
        found.add(TRIP, "record_locator", problem)
    if draft.contact_record_type.strip() and id_in(draft.contact_record_type) is None:
        found.add(TRIP, "contact_record_type", NOT_AN_ID)
    for segment in draft.segments:
        _check_end(segment, "start", found)
        _check_end(segment, "finish", found)
        begins, ends = moment_of(segment, "start").utc, moment_of(segment, "finish").utc
        if begins and ends and ends < begins:
            earlier = "check-in" if segment.kind == "Hotel" else "the start"
            found.add(segment.uid, "finish.time", f"This is before {earlier}, in true time.")
    travellers = [*draft.travellers, *([draft.arranger] if draft.arranger else [])]
    for traveller in travellers:
        _check_traveller(traveller, found)


def _check_end(segment: SegmentDraft, side: Side, found: FieldProblems) -> None:
    end = segment.end(side)
    _check_time(segment, side, end, found)
    if end.zone and end.zone not in available_timezones_cached():
        found.add(segment.uid, f"{side}.zone", f"There is no time zone named “{end.zone}”.")
    if not applies(segment, f"{side}.address"):
        return
    for field, limit, words in (("latitude", 90, "north and south"), ("longitude", 180, "east and west")):
        typed = getattr(end.address, field)
        number = coordinate(typed)
        if typed.strip() and (number is None or abs(number) > limit):
            found.add(segment.uid, f"{side}.{field}", f"Decimal degrees between −{limit} and {limit} ({words}).")
    if bool(end.address.latitude.strip()) != bool(end.address.longitude.strip()):
        missing = "longitude" if end.address.latitude.strip() else "latitude"
        found.add(segment.uid, f"{side}.{missing}", "Both coordinates or none.")


def _check_time(segment: SegmentDraft, side: Side, end: EndDraft, found: FieldProblems) -> None:
    field = f"{side}.time"
    if end.clock.strip() and parse_clock(end.clock) is None:
        found.add(segment.uid, field, f"“{end.clock.strip()}” is not a time of day. Write it like 14:05.")
    elif end.clock.strip() and not end.day:
        found.add(segment.uid, field, "The day is missing.")
    elif end.day and not end.clock.strip():
        found.add(segment.uid, field, "The time is missing.")
    elif not end.day:
        # ASSUMPTION A72: a segment is sent with both of its times; without them nobody is expected anywhere.
        found.add(segment.uid, field, "Day and time are missing.")


def _check_traveller(traveller: TravellerDraft, found: FieldProblems) -> None:
    if traveller.contact_id.strip() and id_in(traveller.contact_id) is None:
        found.add(traveller.uid, "contact_id", NOT_AN_ID)
    for address in emails_in(traveller.emails):
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
            found.add(traveller.uid, "emails", f"“{address}” is not an e-mail address.")


def worth_showing(draft: TripDraft, found: FieldProblems) -> FieldProblems:
    """The problems to point out now: all once the person asked to review, until then only those of what is typed."""
    if draft.checked:
        return found
    shown = FieldProblems()
    for segment in draft.segments:
        for field, words in found.of(segment.uid):
            if _segment_text(segment, field).strip():
                shown.add(segment.uid, field, words)
    for person in (*draft.travellers, *([draft.arranger] if draft.arranger else [])):
        for field, words in found.of(person.uid):
            if str(getattr(person, field, "") or "").strip():
                shown.add(person.uid, field, words)
    for field, words in found.of(TRIP):
        if str(getattr(draft, field, "") or "").strip():
            shown.add(TRIP, field, words)
    return shown


def listed(draft: TripDraft, found: FieldProblems) -> list[str]:
    """Every problem in a line that says where it stands."""
    lines = [words for _, words in found.of(TRIP)]
    lines += [words for _, words in found.of(SEGMENTS)]
    for number, segment in enumerate(draft.segments, start=1):
        lines += [f"Segment {number}: {words}" for _, words in found.of(segment.uid)]
    lines += [words for _, words in found.of(TRAVELLERS)]
    for number, traveller in enumerate(draft.travellers, start=1):
        lines += [f"Traveller {number}: {words}" for _, words in found.of(traveller.uid)]
    if draft.arranger is not None:
        lines += [f"Arranger: {words}" for _, words in found.of(draft.arranger.uid)]
    return lines


def _segment_text(segment: SegmentDraft, field: str) -> str:
    side, _, rest = field.partition(".")
    if side not in ("start", "finish"):
        return str(getattr(segment, field, "") or "")
    end = segment.start if side == "start" else segment.finish
    if rest == "time":
        return end.clock
    if rest in ("iata", "zone"):
        return str(getattr(end, rest))
    return str(getattr(end.address, rest, "") or "")
