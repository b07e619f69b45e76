"""The rules that an itinerary must follow, as messages for people."""

import math
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from ..errors import FieldError
from ..vocabulary.itineraries import CANCELED, SEGMENT_TYPES
from ..vocabulary.limits import LONG_MAX

if TYPE_CHECKING:
    from .itineraries import Address, Itinerary, Passenger, Segment

_LOCAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z")
_IATA = re.compile(r"[A-Za-z]{3}")
_COUNTRY = re.compile(r"[A-Za-z]{2}")
_SEGMENT_TYPES: Final = ", ".join(SEGMENT_TYPES[:-1]) + ", or " + SEGMENT_TYPES[-1]
HALF_POSITION = "Enter both latitude and longitude, or neither."
_MISSING_START: Final = {
    "Air": "Enter the airport code or address of departure.",
    "Hotel": "Enter the address of the hotel.",
}


def itinerary_problems(itinerary: "Itinerary") -> list[FieldError]:
    """Return what keeps this trip from being sent; empty if nothing does.

    Fields are paths in the interface's names, such as `segments[1].fromAddress`. A canceled trip needs only a record
    locator (interface: Itinerary, Segment, Address, Passenger, Itinerary errors).
    """
    return list(_problems(itinerary))


def _problems(itinerary: "Itinerary") -> Iterator[FieldError]:
    if not itinerary.pnr.strip():
        yield FieldError("pnr", "Enter a record locator.")
    if (itinerary.itinerary_status or "").strip().casefold() == "cancelled":
        # ASSUMPTION A43
        yield FieldError("itineraryStatus", f"Write the status that cancels a trip as “{CANCELED}”.")
    if itinerary.is_canceled:
        return
    yield from _utc_problem("createdDate", itinerary.created_date)
    yield from _utc_problem("lastModifiedDate", itinerary.last_modified_date)
    if not itinerary.segments:
        yield FieldError("segments", "Add at least one segment. A trip that is not canceled needs one.")
    for index, segment in enumerate(itinerary.segments):
        yield from segment_problems(f"segments[{index}]", segment)
    for index, passenger in enumerate(itinerary.passengers):
        yield from _passenger_problems(f"passengers[{index}]", passenger)
    if itinerary.travel_arranger is not None:
        yield from _passenger_problems("travelArranger", itinerary.travel_arranger, may_be_blank=True)


def segment_problems(path: str, segment: "Segment") -> Iterator[FieldError]:
    """What keeps a segment from being sent; fields are paths below `path`."""
    if not segment.type.strip():
        yield FieldError(f"{path}.type", f"Select the type of the segment: {_SEGMENT_TYPES}.")
    elif segment.type not in SEGMENT_TYPES:
        # ASSUMPTION A40
        yield FieldError(f"{path}.type", f"“{segment.type}” is not a segment type. Select {_SEGMENT_TYPES}.")
    has_address = segment.from_address is not None and segment.from_address.to_wire()
    if not has_address and not (segment.from_iata_code or "").strip():
        # ASSUMPTION A41
        yield FieldError(
            f"{path}.fromAddress", _MISSING_START.get(segment.type, "Enter the code or address of departure.")
        )
    start_times = segment.from_date_time_local, segment.from_date_time, segment.from_time_zone
    end_times = segment.to_date_time_local, segment.to_date_time, segment.to_time_zone
    for side, name, (local, utc, zone), code, address in (
        ("from", "start", start_times, segment.from_iata_code, segment.from_address),
        ("to", "end", end_times, segment.to_iata_code, segment.to_address),
    ):
        if local and local.strip() and not _is_moment(local, _LOCAL):
            yield FieldError(
                f"{path}.{side}DateTimeLocal",
                f"Write the local time of the {name} as YYYY-MM-DDThh:mm:ss, without a zone.",
            )
        if utc:
            yield from _utc_problem(f"{path}.{side}DateTime", utc)
        if zone and zone.strip() and not _is_zone(zone):
            yield FieldError(f"{path}.{side}TimeZone", f"“{zone}” is not a time zone name such as Asia/Dubai.")
        if code and code.strip() and not _IATA.fullmatch(code):
            yield FieldError(f"{path}.{side}IataCode", f"“{code}” is not a code of 3 letters.")
        if address is not None:
            yield from _address_problems(f"{path}.{side}Address", address)


def _address_problems(path: str, address: "Address") -> Iterator[FieldError]:
    if (address.country or "").strip() and not _COUNTRY.fullmatch(address.country or ""):
        yield FieldError(f"{path}.country", "Enter the country as a code of 2 letters.")
    for name, value, bound in (("latitude", address.latitude, 90), ("longitude", address.longitude, 180)):
        if value is not None and not (math.isfinite(value) and -bound <= value <= bound):
            yield FieldError(f"{path}.{name}", f"The {name} must be between -{bound} and {bound} degrees.")
    if (address.latitude is None) != (address.longitude is None):
        missing = "latitude" if address.latitude is None else "longitude"
        yield FieldError(f"{path}.{missing}", HALF_POSITION)


def _passenger_problems(path: str, passenger: "Passenger", *, may_be_blank: bool = False) -> Iterator[FieldError]:
    given = {key: value for key, value in passenger.to_wire().items() if value != []}
    if not given and not may_be_blank:
        yield FieldError(path, "Enter an employee ID or a name, or remove the row.")
    if passenger.contact_id is not None and not 0 < passenger.contact_id <= LONG_MAX:
        yield FieldError(f"{path}.contactId", "The contact ID must be a whole number above 0.")
    for index, phone in enumerate(passenger.phone_numbers):
        if (phone.country_name or "").strip() and not _COUNTRY.fullmatch(phone.country_name or ""):
            yield FieldError(f"{path}.phoneNumbers[{index}].countryName", "Enter the country as a code of 2 letters.")


def _utc_problem(path: str, text: str | None) -> Iterator[FieldError]:
    if (text or "").strip() and not _is_moment(text or "", _UTC):
        yield FieldError(path, "Write the time in UTC as YYYY-MM-DDThh:mm:ssZ.")


def _is_moment(text: str, form: re.Pattern[str]) -> bool:
    if not form.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@cache
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return False
    return True
