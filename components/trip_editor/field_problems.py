"""What is wrong with a trip, at the fields it is typed in: our own checks, the interface's rules, refusals."""

from __future__ import annotations

import re
from typing import Final

from client import FieldError, Invalid, ServiceError
from client.models.itinerary_rules import itinerary_problems
from components.forms.form import Problems
from components.geography.local_time import parse_clock
from components.geography.time_zones import available_timezones_cached
from components.rosters.roster_file import locator_problem
from components.trip_editor.form_state import TRIP_FORM, applies, coordinate, emails_in, moment_of, to_itinerary
from components.trip_editor.trip_draft import SegmentDraft, Side, TravellerDraft, TripDraft
from components.widgets.ids import NOT_AN_ID, id_in

NOBODY_MATCHED: Final = (
    "No traveller matches a contact at the service, and no contact could be made. Check the employee ids, give "
    "every traveller a name, or switch on “Make contacts for travellers who have none”."
)


def problems_of(draft: TripDraft) -> Problems:
    """Everything that keeps the draft from being sent, and what the service refused it for last."""
    found = Problems()
    # A trip that no roster can hold would never be on the map. One that was made so elsewhere can still be changed.
    locator = draft.record_locator.strip()
    problem = locator_problem(locator) if locator and not draft.is_change else None
    if problem:
        found.add(draft.uid, "record_locator", problem)
    if draft.contact_record_type.strip() and id_in(draft.contact_record_type) is None:
        found.add(draft.uid, "contact_record_type", NOT_AN_ID)
    for segment in draft.segments:
        _check_segment(segment, found)
    for traveller in (*draft.travellers, *([draft.arranger] if draft.arranger else [])):
        _check_traveller(traveller, found)
    TRIP_FORM.placed(draft, itinerary_problems(to_itinerary(draft)), found)
    return TRIP_FORM.placed(draft, [FieldError(field=field, message=words) for field, words in draft.refused], found)


def worth_showing(draft: TripDraft, found: Problems) -> Problems:
    """The problems to point out now: all once the person asked to review, until then only those of what is typed."""
    return found if draft.checked else TRIP_FORM.begun(draft, found)


def refusals(error: ServiceError) -> list[tuple[str, str]]:
    """What a refusal says, as (field of the interface, words), to be kept with the draft until it changes."""
    said = (error.service_message or error.message or "").casefold()
    if "no contact matching" in said:
        return [("passengers", NOBODY_MATCHED)]
    named = [(each.field, each.message) for each in error.field_errors] if isinstance(error, Invalid) else []
    if not named and "segment" in said:
        return [("segments", error.message)]
    return named


def _check_segment(segment: SegmentDraft, found: Problems) -> None:
    _check_end(segment, "start", found)
    _check_end(segment, "finish", found)
    begins, ends = moment_of(segment, "start").utc, moment_of(segment, "finish").utc
    if begins and ends and ends < begins:
        earlier = "check-in" if segment.kind == "Hotel" else "the start"
        found.add(segment.uid, "finish.clock", f"This is before {earlier}, in true time.")


def _check_end(segment: SegmentDraft, side: Side, found: Problems) -> None:
    end = segment.end(side)
    typed = end.clock.strip()
    if typed and parse_clock(typed) is None:
        found.add(segment.uid, f"{side}.clock", f"“{typed}” is not a time of day. Write it like 14:05.")
    elif not (typed and end.day):
        # ASSUMPTION A72: a segment is sent with both of its times; without them nobody is expected anywhere.
        missing = "The day is" if typed else "The time is" if end.day else "Day and time are"
        found.add(segment.uid, f"{side}.clock", f"{missing} missing.")
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
    if bool(end.address.latitude.strip()) != bool(end.address.longitude.strip()):
        lacking = "longitude" if end.address.latitude.strip() else "latitude"
        found.add(segment.uid, f"{side}.address.{lacking}", "Both coordinates or none.")


def _check_traveller(traveller: TravellerDraft, found: Problems) -> None:
    if traveller.contact_id.strip() and id_in(traveller.contact_id) is None:
        found.add(traveller.uid, "contact_id", NOT_AN_ID)
    for address in emails_in(traveller.emails):
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
            found.add(traveller.uid, "emails", f"“{address}” is not an e-mail address.")
