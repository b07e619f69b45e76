"""The columns of trip files, and how their cells are parsed: codes, time zones, countries, names, emails, and
phones.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

import phonenumbers
from babel.core import get_global

from domain.file_import import traveler_cells
from domain.file_import.column_matching import Column, Group
from domain.file_import.column_types import Clock, Decimal, Moment, Parsed, Text, WallClock, squash
from domain.file_import.traveler_cells import (
    check_first_name,
    check_one_name,
    name_parser_under,
    parse_names,
    strip_decimal_zero,
)
from domain.geography.airports import is_known_code
from domain.geography.countries import country_code
from domain.geography.place_text import read_place
from domain.geography.time_zones import available_timezones_cached, zone_named
from domain.text.email_address import is_email_address
from domain.trips.rosters.roster_file import LOCATOR_HEADINGS, read_locator
from domain.trips.trip_import.trip_words import BOARD_POINT, KINDS, OFF_POINT, STATUSES
from journal import normalize_locator

_ROUTE: Final = re.compile(r"([A-Za-z]{3,4})\s*(?:[-–/>→]|\bto\b)+\s*([A-Za-z]{3,4})")
_NO_PART_OF_PHONE: Final = re.compile(r"[\s()./-]+")
_LOCAL: Final = re.compile(r"[\d(][\d\s()./-]*", re.ASCII)
_NO_DIGIT: Final = re.compile(r"\D")
LOCAL_DIGITS: Final = (5, 15)
_LEAD: Final = 8
"""The number of leading characters of a phone number that decide about the prefix that is dropped abroad."""
_DURATION: Final = re.compile(
    r"(?:PT)?(?=\d)(?:(?P<hours>\d{1,2})\s*(?:[h:]|hrs?\.?|hours?|std\.?)\s*)?(?:(?P<minutes>\d{1,3})\s*(?:m|mins?\.?|minutes?)?)?"
    r"(?::\d\d)?",
    re.ASCII | re.IGNORECASE,
)
_YES_OR_NO: Final = {
    **dict.fromkeys(("true", "yes", "y", "1", "x", "ja", "oui", "si", "canceled", "cancelled"), True),
    **dict.fromkeys(("false", "no", "n", "0", "nein", "non", ""), False),
}
_PLACES_APART: Final = re.compile(r"\s*[,;|]\s*|\s+")


def _code(text: str) -> str:
    code = read_place(text).code
    if not code:
        raise ValueError("The code isn’t the code of an airport or a city. Enter three letters, such as LHR.")
    return code


def _known_code(text: str) -> str:
    """Return the code of a known airport. Any other code may be a currency or an abbreviation."""
    code = _code(text)
    if not is_known_code(code):
        raise ValueError("The code isn’t the code of a known airport.")
    return code


def _route(text: str) -> tuple[str, str]:
    found = _ROUTE.fullmatch(text)
    codes = [read_place(code.upper()).code for code in found.groups()] if found else []
    if not all(codes) or not codes:
        raise ValueError("Enter two codes with a hyphen between them, such as LHR-JFK.")
    return codes[0], codes[1]


def _zone(text: str) -> str:
    named = str(get_global("windows_zone_mapping").get(text, text.replace(" ", "_")))
    for name in (named, named.title()):
        if name in available_timezones_cached() and zone_named(name) is not None:
            return name
    raise ValueError("The time zone isn’t valid. Enter a name such as Asia/Dubai.")


def _country(text: str) -> str:
    code = country_code(text)
    if code is None:
        raise ValueError("The country isn’t valid. Enter its English name or its code.")
    return code


def _state(text: str) -> str:
    if len(text) > 2 and squash(text) in _STATUS_WORDS:
        raise ValueError("The value is a booking status, not a state.")
    return text


def _emails(text: str) -> list[str]:
    found = [part.strip("<>") for part in _PLACES_APART.split(text) if part]
    wrong = next((address for address in found if not is_email_address(address)), None)
    if wrong is not None:
        raise ValueError(f"“{wrong}” isn’t a valid email address.")
    return found


def is_phone(number: str, country: str) -> bool:
    """Return whether a number has an international form. Its beginning and its length decide."""
    plain = _NO_PART_OF_PHONE.sub("", number)
    return _has_length(plain[:_LEAD] + "5" * (len(plain) - _LEAD), country)


@lru_cache(maxsize=50_000)
def _has_length(number: str, country: str) -> bool:
    return international(number, country) is not None


@lru_cache(maxsize=50_000)
def international(number: str, country: str) -> tuple[str, str] | None:
    """Return a phone number such as +971501234567 and its country, or None if it is invalid or has no country.

    `country` is a two-letter code for numbers that do not begin with + or 00, or "" if it is unknown.
    """
    plain = re.sub(r"^00", "+", number.strip())
    try:
        read = phonenumbers.parse(plain, country or None)
    except phonenumbers.NumberParseException:
        return None
    # A number without an area code can't be called from abroad.
    if phonenumbers.is_possible_number_with_reason(read) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    region = phonenumbers.region_code_for_number(read) or country
    return phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.E164), region


def is_local(number: str) -> bool:
    """Return whether a text looks like a phone number without a country code."""
    return _LOCAL.fullmatch(number) is not None and LOCAL_DIGITS[0] <= len(_NO_DIGIT.sub("", number)) <= LOCAL_DIGITS[1]


def phones_in(text: str) -> list[str]:
    """Return the phone numbers of a cell, separated by bars, semicolons, or commas."""
    return [strip_decimal_zero(part) for part in text.replace(";", "|").replace(",", "|").split("|") if part.strip()]


def _is_yes(text: str) -> bool:
    answer = _YES_OR_NO.get(squash(text))
    if answer is None:
        raise ValueError("Enter yes or no.")
    return answer


def _duration(text: str) -> int | None:
    """Return a duration in milliseconds, or None if it is invalid: "1:15", "01:15:00", "1 h 15 min", "PT1H15M"."""
    is_bare = text.isdigit() and int(text) <= 24  # hours, days, or minutes
    found = None if is_bare else _DURATION.fullmatch(text)
    hours, minutes = (int(found[name] or 0) for name in ("hours", "minutes")) if found else (0, 0)
    return (hours * 60 + minutes) * 60_000 or None


# Spreadsheets write identifiers with a decimal zero.
_IDENTIFIER: Final = Text(normalizer=strip_decimal_zero)


_PAST: Final = Moment(is_past=True)
_STATUS_WORDS: Final = frozenset(map(squash, STATUSES.options))

TRIP: Final = (
    Column(
        "pnr",
        "Record locator",
        Parsed(read_locator, normalizer=strip_decimal_zero),
        aliases=LOCATOR_HEADINGS,
        similar_names=(
            *("conf", "conf no", "confirmation", "confirmation no", "confirmation number", "folio", "folio no"),
            *("reservation no", "reservation number", "booking no", "booking number"),
        ),
        required=True,
        is_code=True,
        by_content=r"(?=.*[A-Z])[A-Z0-9]{6}",
        forward_fill=True,
        key=normalize_locator,
    ),
    Column(
        "externalItineraryId",
        "External trip ID",
        _IDENTIFIER,
        is_code=True,
        aliases=("external itinerary id", "trip id", "itinerary id", "booking id", "reservation id", "trip number"),
    ),
    Column(
        "itineraryStatus",
        "Status",
        STATUSES,
        aliases=("itinerary status", "booking status", "trip status"),
        by_content=True,
    ),
    Column(
        "subject",
        "Subject",
        aliases=("subject line", "email subject", "betreff", "objet", "asunto", "oggetto", "assunto", "onderwerp"),
        from_titles=re.compile(
            r"\s*(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp)\s*:\s*(.*)", re.IGNORECASE
        ),
        help="The subject of the message with the trip. A trip whose subject says that it was canceled isn’t sent.",
    ),
    Column("itinerarySource", "Source", aliases=("itinerary source", "agency", "agency name", "gds", "booking source")),
    Column("createdDate", "Created", _PAST, aliases=("created date", "booked on", "booking date", "date booked")),
    Column("lastModifiedDate", "Last changed", _PAST, aliases=("last modified date", "modified", "changed on")),
    Column("arrangerName", "Arranger", Parsed(parse_names), aliases=("travel arranger", "booked by", "arranged by")),
    Column("arrangerEmployeeId", "Arranger: employee ID", _IDENTIFIER, ("travel arranger employee id",), is_code=True),
    Column("arrangerEmail", "Arranger: email", Parsed(_emails), aliases=("travel arranger email", "booker email")),
)
TRAVELER: Final = Group(
    "traveler",
    "Traveler",
    (
        Column("employeeId", "Employee ID", _IDENTIFIER, aliases=traveler_cells.EMPLOYEE_ID, is_code=True),
        Column(
            "travelerName",
            "Traveler",
            Parsed(parse_names, parser_under=name_parser_under),
            aliases=traveler_cells.WHOLE_NAME,
            by_content=r"[^\W\d_][^\d/]*/[^\d/]+",
            holds_several=True,
        ),
        Column("firstName", "First name", Parsed(check_first_name), aliases=traveler_cells.FIRST_NAME),
        Column("middleName", "Middle name", aliases=("middle", "middle initial", "second name")),
        Column("lastName", "Last name", Parsed(check_one_name), aliases=traveler_cells.LAST_NAME),
        Column("email", "Email", Parsed(_emails), aliases=traveler_cells.EMAIL, allows_many=True, by_content=True),
        Column("phone", "Phone", aliases=traveler_cells.PHONE, allows_many=True, is_code=True),
        Column(
            "phoneCountry",
            "Phone: country",
            Parsed(_country),
            aliases=("phone country", "phone country code", "country of phone", "traveller country", "home country"),
        ),
        Column(
            "contactId",
            "Contact ID",
            Text(pattern=r"[1-9][0-9]{0,18}", message="The contact ID must be a whole number above 0."),
        ),
    ),
    aliases=traveler_cells.TRAVELER_WORDS,
)


_AIRPORTS: Final = Parsed(_known_code)


def _end(
    name: str,
    label: str,
    *,
    code: tuple[str, ...],
    shared: tuple[str, ...],
    words: tuple[str, ...],
    dates: tuple[str, ...],
    clocks: tuple[str, ...],
    actual: tuple[str, ...],
) -> tuple[Column, ...]:
    """Return the columns of one end of a segment.

    `words` begin its headings, and `code` are headings of its place. `shared` are headings of its place or its time;
    the cells decide. `actual` are headings of actual times, used if there are no scheduled ones.
    """
    is_end = name == "to"

    def aliases_for(*whats: str) -> tuple[str, ...]:
        return tuple(f"{each} {what}" for each in words for what in whats)

    columns = (
        Column(
            f"{name}IataCode",
            f"{label}: code",
            Parsed(_code),
            is_code=True,
            aliases=aliases_for("iata", "iata code", "icao", "icao code", "airport code", "code", "station code"),
        ),
        Column(
            f"{name}Date",
            f"{label}: date",
            WallClock(),
            aliases=(
                *shared,
                *dates,
                *aliases_for(
                    "date", "dt", "day", "date time", "datetime", "date local", "local date", "date time local", "at"
                ),
                *(("arrives", "ends", "end", "end date", "return date", "drop off date") if is_end else ()),
                *(
                    ()
                    if is_end
                    else ("departs", "starts", "start", "start date", "travel date", "date", "pick up date")
                ),
            ),
            similar_names=actual,
            by_content=True,
            zone_column=f"{name}TimeZone",
            help="The local date, with or without the time.",
        ),
        Column(
            f"{name}Clock",
            f"{label}: time",
            Clock(),
            aliases=(
                *shared,
                *clocks,
                *aliases_for("time", "tm", "hour", "local time", "time local", "clock"),
                *(("end time", "drop off time") if is_end else ("start time", "pick up time", "time")),
            ),
            similar_names=actual,
            date_column=f"{name}Date",
            help="The local time, such as 14:05, 2:05 PM, or 1405. +1 means the next day. A date may come first.",
        ),
        Column(
            f"{name}DateTime",
            f"{label}: UTC",
            Moment(is_end=is_end),
            aliases=(
                *shared,
                *clocks,
                *aliases_for("time"),
                *aliases_for("utc", "date time utc", "datetime utc", "time utc", "gmt", "utc time"),
            ),
        ),
        Column(
            f"{name}TimeZone",
            f"{label}: time zone",
            Parsed(_zone),
            aliases=aliases_for("zone", "timezone", "tz"),
            help="If empty, Muster uses the time zone of the coordinates, airport, country, or city.",
        ),
        Column(
            f"{name}Place",
            label,
            Parsed(read_place),
            is_code=True,
            aliases=(*code, *shared, *aliases_for("place", "airport", "station", "location")),
            by_content=_AIRPORTS,
            help="The code of an airport or a city, such as LHR, EGLL, or LON, or the name of the place.",
        ),
        Column(
            f"{name}LocationName",
            f"{label}: name of the place",
            aliases=aliases_for("location name", "place name", "name"),
        ),
        Column(f"{name}Street", f"{label}: street", aliases=aliases_for("street", "street address", "address")),
        Column(f"{name}City", f"{label}: city", aliases=aliases_for("city", "town")),
        Column(f"{name}State", f"{label}: state", aliases=aliases_for("state", "province", "region")),
        Column(
            f"{name}PostalCode",
            f"{label}: postal code",
            aliases=aliases_for("postal code", "zip", "zip code", "postcode"),
        ),
        Column(f"{name}Country", f"{label}: country", Parsed(_country), aliases=aliases_for("country", "country code")),
        Column(f"{name}Latitude", f"{label}: latitude", Decimal(-90, 90), aliases=aliases_for("latitude", "lat")),
        Column(
            f"{name}Longitude",
            f"{label}: longitude",
            Decimal(-180, 180),
            aliases=aliases_for("longitude", "lon", "lng"),
        ),
    )
    return tuple(replace(column, side=name) for column in columns)


_JOURNEY: Final = ("route", *(f"{side}{what}" for side in ("from", "to") for what in ("Place", "IataCode", "City")))
"""Columns that a list of hotel stays does not have. In such a list, “arrival” means check-in."""
SEGMENT: Final = Group(
    "segment",
    "Segment",
    (
        Column(
            "type",
            "Segment type",
            KINDS,
            aliases=(
                "kind",
                "kind of segment",
                "service",
                "service type",
                "product",
                "travel type",
                "category",
                *("segtyp", "seg typ", "seg type", "segment"),
            ),
            by_content=True,
        ),
        Column(
            "supplierCode",
            "Supplier code",
            is_code=True,
            aliases=("carrier code", "airline code", "vendor code", "carrier", "carr", "cxr", "vnd"),
        ),
        Column(
            "supplierName",
            "Supplier",
            aliases=("supplier name", "airline", "airline name", "vendor", "vendor name", "operator", "rental company"),
        ),
        Column(
            "airRailNumber",
            "Flight or train number",
            Parsed(str, normalizer=strip_decimal_zero),
            is_code=True,
            aliases=(
                *("flight", "flight number", "flight no", "train", "train number", "train no", "number"),
                *("air rail number", "flugnummer", "vol", "vuelo", "flt", "flt no", "flt nbr"),
            ),
            by_content=r"[A-Z][A-Z0-9]{1,2} ?[0-9]{1,4}",
        ),
        Column(
            "route",
            "Route",
            Parsed(_route),
            is_code=True,
            by_content=True,
            aliases=("routing", "sector", "city pair", "from to"),
            help="LHR-JFK",
        ),
        Column(
            "isCanceled",
            "Canceled",
            Parsed(_is_yes),
            aliases=(
                "cancelled",
                "is canceled",
                "is cancelled",
                "segment canceled",
                "storniert",
                "annulé",
                "cancelado",
            ),
            help="Yes for a segment that doesn’t take place. Muster doesn’t send it.",
        ),
        *_end(
            "from",
            "From",
            code=("origin", "pick up location", "von", "orig", "org", "orgn", "brd", *BOARD_POINT),
            shared=("departure", "departing", "dep", "pick up", "départ", "salida", "abflug", "outbound"),
            words=("from", "origin", "departure", "departing", "dep", "dpt", "depart", "start", "pick up"),
            dates=("abflugdatum", "abflugtag", "date de départ", "fecha de salida", "fecha salida"),
            clocks=(
                *("abflugzeit", "heure de départ", "heure départ", "hora de salida", "hora salida"),
                *("scheduled departure", "departure scheduled", "gate departure scheduled", "gate departure"),
                *("scheduled departure time", "std", "etd", "off block", "departing at"),
            ),
            actual=("take off scheduled", "take off", "gate departure actual", "actual departure", "take off actual"),
        ),
        *_end(
            "to",
            "To",
            code=("destination", "dest", "dst", "dstn", "drop off location", "nach", *OFF_POINT),
            shared=("arrival", "arriving", "arr", "drop off", "arrivée", "llegada", "ankunft"),
            words=("to", "destination", "dest", "arrival", "arriving", "arr", "arv", "arrive", "end", "drop off"),
            dates=("ankunftsdatum", "ankunftstag", "date d'arrivée", "fecha de llegada", "fecha llegada"),
            clocks=(
                *("ankunftszeit", "heure d'arrivée", "heure arrivée", "hora de llegada", "hora llegada"),
                *("scheduled arrival", "arrival scheduled", "gate arrival scheduled", "gate arrival"),
                *("scheduled arrival time", "sta", "eta", "on block", "arriving at"),
            ),
            actual=("landing scheduled", "landing", "gate arrival actual", "actual arrival", "landing actual"),
        ),
        Column(
            "divertedTo",
            "Diverted to",
            Parsed(read_place),
            is_code=True,
            aliases=("diversion", "diverted", "diversion airport", "diverted airport"),
            help="The place where the segment ended instead.",
        ),
        Column(
            "duration",
            "Duration",
            Parsed(_duration),
            aliases=(
                *("flight duration", "flight time", "flying time", "travel time", "journey time", "elapsed time"),
                *("elapsed", "block time", "dauer", "flugdauer", "durée", "duración"),
            ),
            help="The duration, such as 1:15. Muster uses it if the arrival is incomplete.",
        ),
        Column(
            "hotelName", "Hotel", aliases=("hotel name", "property", "property name", "accommodation name", "hôtel")
        ),
        Column(
            "hotelStreet",
            "Hotel: street",
            aliases=("hotel address", "hotel street address", "property address"),
            similar_names=("address", "street", "street address", "adresse", "strasse", "rue", "dirección", "calle"),
            requires="hotelName",
        ),
        Column(
            "hotelCity",
            "Hotel: city",
            aliases=("property city",),
            similar_names=("city", "town", "location", "ort", "stadt", "ville", "ciudad"),
            requires="hotelName",
        ),
        Column(
            "hotelState",
            "Hotel: state",
            Parsed(_state),
            aliases=("hotel state province", "hotel province", "property state"),
            similar_names=("state", "province", "state province", "bundesland", "provincia", "estado"),
            requires="hotelName",
        ),
        Column(
            "hotelPostalCode",
            "Hotel: postal code",
            aliases=("hotel zip", "hotel zip code", "hotel postcode", "property postal code", "property zip"),
            similar_names=(
                "postal code",
                "postcode",
                "zip",
                "zip code",
                "plz",
                "postleitzahl",
                "code postal",
                "código postal",
            ),
            requires="hotelName",
        ),
        Column(
            "hotelCountry",
            "Hotel: country",
            Parsed(_country),
            aliases=("hotel country code", "property country"),
            similar_names=("country", "country code", "land", "pays", "país"),
            requires="hotelName",
        ),
        Column(
            "hotelLatitude",
            "Hotel: latitude",
            Decimal(-90, 90),
            aliases=("hotel lat", "property latitude"),
            similar_names=("latitude", "lat", "breite", "breitengrad", "latitud"),
            requires="hotelName",
        ),
        Column(
            "hotelLongitude",
            "Hotel: longitude",
            Decimal(-180, 180),
            aliases=("hotel lon", "hotel lng", "property longitude"),
            similar_names=("longitude", "lon", "lng", "long", "länge", "längengrad", "longitud"),
            requires="hotelName",
        ),
        Column(
            "checkIn",
            "Check-in",
            WallClock(),
            zone_column="fromTimeZone",
            aliases=("check in date", "checkin date", "hotel from", "hotel start", "hotel arrival", "anreise"),
            similar_names=(
                *("arrival", "arrival date", "arrive", "arrives", "arr", "arr date", "from", "ankunft", "arrivée"),
                *("date d'arrivée", "llegada", "fecha de llegada", "entrada", "fecha de entrada"),
            ),
            requires="hotelName",
            unless_present=_JOURNEY,
        ),
        Column(
            "checkInClock",
            "Check-in: time",
            Clock(),
            date_column="checkIn",
            aliases=("check in time", "checkin time"),
            similar_names=("arrival time", "arr time"),
            requires="hotelName",
            unless_present=_JOURNEY,
        ),
        Column(
            "checkOut",
            "Check-out",
            WallClock(),
            zone_column="toTimeZone",
            aliases=("check out date", "checkout date", "hotel to", "hotel end", "hotel departure", "abreise"),
            similar_names=(
                *("departure", "departure date", "depart", "departs", "dep", "dep date", "to", "abfahrt", "départ"),
                *("date de départ", "salida", "fecha de salida"),
            ),
            requires="hotelName",
            unless_present=_JOURNEY,
        ),
        Column(
            "checkOutClock",
            "Check-out: time",
            Clock(),
            date_column="checkOut",
            aliases=("check out time", "checkout time"),
            similar_names=("departure time", "dep time"),
            requires="hotelName",
            unless_present=_JOURNEY,
        ),
    ),
    aliases=("seg", "leg", "flight", "sector", "journey"),
)
COLUMNS: Final = (*TRIP, *TRAVELER.of(1), *SEGMENT.of(1))
