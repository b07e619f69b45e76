"""The columns of files of trips, and how their cells are read: codes, zones, countries, names, addresses, phones."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import phonenumbers
from babel.core import get_global

from client.vocabulary.itineraries import ACTIVE, CANCELED
from domain.file_import import traveller_cells
from domain.file_import.column_matching import Column, Group
from domain.file_import.column_types import Choice, Clock, Decimal, Moment, Parsed, Text, WallClock, squash
from domain.file_import.traveller_cells import names_in, strip_decimal_zero
from domain.geography.countries import country_code
from domain.geography.place_text import read_place
from domain.geography.time_zones import available_timezones_cached, zone_named
from domain.text.email_address import is_email_address
from domain.trips.rosters.roster_file import LOCATOR_HEADINGS, read_locator
from journal import normalize_locator

_ROUTE: Final = re.compile(r"([A-Za-z]{3,4})\s*(?:[-–/>→]|\bto\b)+\s*([A-Za-z]{3,4})")
_NO_PART_OF_PHONE: Final = re.compile(r"[\s()./-]+")
_LOCAL: Final = re.compile(r"[\d(][\d\s()./-]*", re.ASCII)
_NO_DIGIT: Final = re.compile(r"\D")
LOCAL_DIGITS: Final = (5, 15)
_LEAD: Final = 8
"""So many characters of a phone number tell which digits before it are left out abroad."""
_DURATION: Final = re.compile(
    r"(?:PT)?(?=\d)(?:(?P<hours>\d{1,2})\s*(?:[h:]|hrs?\.?|hours?|std\.?)\s*)?(?:(?P<minutes>\d{1,3})\s*(?:m|mins?\.?|minutes?)?)?"
    r"(?::\d\d)?",
    re.ASCII | re.IGNORECASE,
)
_YES_OR_NO: Final = {
    **dict.fromkeys(("true", "yes", "y", "1", "x", "ja", "oui", "si", "canceled", "cancelled"), True),
    **dict.fromkeys(("false", "no", "n", "0", "nein", "non", ""), False),
}
_SHORTENED: Final = re.compile(r"[\d.,]+E\+\d+", re.ASCII | re.IGNORECASE)
SHORTENED: Final = "The spreadsheet shortened this number: format the column as text."
_PLACES_APART: Final = re.compile(r"\s*[,;|]\s*|\s+")


def _code(text: str) -> str:
    code = read_place(text).code
    if not code:
        raise ValueError("This is not the code of an airport or a city. Write its three letters, such as LHR.")
    return code


def _route(text: str) -> tuple[str, str]:
    found = _ROUTE.fullmatch(text)
    codes = [read_place(code.upper()).code for code in found.groups()] if found else []
    if not all(codes) or not codes:
        raise ValueError("Write the two codes with a hyphen between them, such as LHR-JFK.")
    return codes[0], codes[1]


def _zone(text: str) -> str:
    named = str(get_global("windows_zone_mapping").get(text, text.replace(" ", "_")))
    for name in (named, named.title()):
        if name in available_timezones_cached() and zone_named(name) is not None:
            return name
    raise ValueError("There is no time zone of this name. Write one such as Asia/Dubai.")


def _country(text: str) -> str:
    code = country_code(text)
    if code is None:
        raise ValueError("This is no country. Write its English name or its code.")
    return code


def _state(text: str) -> str:
    if len(text) > 2 and squash(text) in _STATUS_WORDS:
        raise ValueError("This is the status of a booking, and no state.")
    return text


def _emails(text: str) -> list[str]:
    found = [part.strip("<>") for part in _PLACES_APART.split(text) if part]
    wrong = next((address for address in found if not is_email_address(address)), None)
    if wrong is not None:
        raise ValueError(f"“{wrong}” is not an email address.")
    return found


def is_phone(number: str, country: str) -> bool:
    """Whether it can be made international: that is told by its beginning and its length."""
    plain = _NO_PART_OF_PHONE.sub("", number)
    return _has_length(plain[:_LEAD] + "5" * (len(plain) - _LEAD), country)


@lru_cache(maxsize=50_000)
def _has_length(number: str, country: str) -> bool:
    return international(number, country) is not None


@lru_cache(maxsize=50_000)
def international(number: str, country: str) -> tuple[str, str] | None:
    """A phone number as +971501234567 with the code of its country; None where it is none, or its country is open.

    `country` is the code of two letters for numbers that do not begin with + or 00; "" where nobody says.
    """
    plain = re.sub(r"^00", "+", number.strip())
    try:
        read = phonenumbers.parse(plain, country or None)
    except phonenumbers.NumberParseException:
        return None
    # Of a number that is whole within its town only, nobody abroad knows the town.
    if phonenumbers.is_possible_number_with_reason(read) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    region = phonenumbers.region_code_for_number(read) or country
    return phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.E164), region


def is_local(number: str) -> bool:
    """Whether it reads like a number that is called within a country or a town, without that country's code."""
    return _LOCAL.fullmatch(number) is not None and LOCAL_DIGITS[0] <= len(_NO_DIGIT.sub("", number)) <= LOCAL_DIGITS[1]


def phones_in(text: str) -> list[str]:
    """The phone numbers of a cell, which bars, semicolons and commas part."""
    return [strip_decimal_zero(part) for part in text.replace(";", "|").replace(",", "|").split("|") if part.strip()]


def is_shortened(text: str) -> bool:
    """Whether only the first digits of a number are left: "1.02E+11"."""
    return _SHORTENED.fullmatch(text) is not None


def _id(text: str) -> str:
    if is_shortened(text):
        raise ValueError(SHORTENED)
    return text


def _is_yes(text: str) -> bool:
    answer = _YES_OR_NO.get(squash(text))
    if answer is None:
        raise ValueError("Write yes or no.")
    return answer


def _duration(text: str) -> int | None:
    """A duration in milliseconds: "1:15", "01:15:00", "1 h 15 min", "PT1H15M"; None for what cannot be one."""
    is_bare = text.isdigit() and int(text) <= 24  # hours, days, or minutes
    found = None if is_bare else _DURATION.fullmatch(text)
    hours, minutes = (int(found[name] or 0) for name in ("hours", "minutes")) if found else (0, 0)
    return (hours * 60 + minutes) * 60_000 or None


# As programs write identifiers that they took for numbers.
_IDENTIFIER: Final = Parsed(_id, spelling=strip_decimal_zero)


KINDS: Final = Choice(
    {
        **dict.fromkeys(("Air", "A", "flight", "plane", "airline", "air segment", "flug", "vol", "vuelo"), "Air"),
        **dict.fromkeys(("Hotel", "H", "HTL", "HHL", "stay", "lodging", "accommodation", "room"), "Hotel"),
        **dict.fromkeys(("Rail", "R", "train", "railway", "bahn", "zug", "tren"), "Rail"),
        **dict.fromkeys(("Car", "C", "CCR", "car rental", "rental", "rental car", "car hire", "vehicle"), "Car"),
    }
)
STATUSES: Final = Choice(
    {
        **dict.fromkeys(
            (ACTIVE, "confirmed", "ticketed", "booked", "new", "open", "ok", "HK", "issued", "invoiced", "modified"),
            ACTIVE,
        ),
        **dict.fromkeys(("bestätigt", "gebucht", "confirmé", "confirmado", "confirmada"), ACTIVE),
        **dict.fromkeys((CANCELED, "cancelled", "cancellation", "void", "voided", "XX", "HX", "XL"), CANCELED),
        **dict.fromkeys(("refunded", "storniert", "annulé", "annulée", "cancelado", "cancelada", "anulado"), CANCELED),
    }
)
_STATUS_WORDS: Final = frozenset(map(squash, STATUSES.options))

TRIP: Final = (
    Column(
        "pnr",
        "Record locator",
        Parsed(read_locator, spelling=strip_decimal_zero),
        aliases=LOCATOR_HEADINGS,
        similar_names=(
            *("conf", "conf no", "confirmation", "confirmation no", "confirmation number", "folio", "folio no"),
            *("reservation no", "reservation number", "booking no", "booking number"),
        ),
        required=True,
        by_content=r"(?=.*[A-Z])[A-Z0-9]{6}",
        forward_fill=True,
        key=normalize_locator,
    ),
    Column(
        "externalItineraryId",
        "External trip id",
        _IDENTIFIER,
        aliases=("external itinerary id", "trip id", "itinerary id", "booking id", "reservation id", "trip number"),
    ),
    Column(
        "itineraryStatus",
        "Status",
        STATUSES,
        aliases=("itinerary status", "booking status", "trip status"),
        by_content=True,
    ),
    Column("itinerarySource", "Source", aliases=("itinerary source", "agency", "agency name", "gds", "booking source")),
    Column("createdDate", "Created", Moment(), aliases=("created date", "booked on", "booking date", "date booked")),
    Column("lastModifiedDate", "Last changed", Moment(), aliases=("last modified date", "modified", "changed on")),
    Column("arrangerName", "Arranger", Parsed(names_in), aliases=("travel arranger", "booked by", "arranged by")),
    Column("arrangerEmployeeId", "Arranger: employee id", _IDENTIFIER, aliases=("travel arranger employee id",)),
    Column("arrangerEmail", "Arranger: email", Parsed(_emails), aliases=("travel arranger email", "booker email")),
)
TRAVELLER: Final = Group(
    "traveller",
    "Traveller",
    (
        Column("employeeId", "Employee id", _IDENTIFIER, aliases=traveller_cells.EMPLOYEE_ID),
        Column(
            "travellerName",
            "Traveller",
            Parsed(names_in),
            aliases=traveller_cells.WHOLE_NAME,
            by_content=r"[^\W\d_][^\d/]*/[^\d/]+",
        ),
        Column("firstName", "First name", aliases=traveller_cells.FIRST_NAME),
        Column("middleName", "Middle name", aliases=("middle", "middle initial", "second name")),
        Column("lastName", "Last name", aliases=traveller_cells.LAST_NAME),
        Column("email", "E-mail", Parsed(_emails), aliases=traveller_cells.EMAIL, allows_many=True, by_content=True),
        Column("phone", "Phone", aliases=traveller_cells.PHONE, allows_many=True),
        Column(
            "phoneCountry",
            "Phone: country",
            Parsed(_country),
            aliases=("phone country", "phone country code", "country of phone", "traveller country", "home country"),
        ),
        Column(
            "contactId",
            "Contact id",
            Text(pattern=r"[1-9][0-9]{0,18}", words="The ID of a contact is a whole number above 0."),
        ),
    ),
    aliases=traveller_cells.WHO,
)


def _end(
    name: str,
    label: str,
    *,
    code: tuple[str, ...],
    shared: tuple[str, ...],
    word: tuple[str, ...],
    dates: tuple[str, ...],
    clocks: tuple[str, ...],
    actual: tuple[str, ...],
) -> tuple[Column, ...]:
    """The columns of one end of a segment; `word` are what headings call it, `code` what they call its place.

    Those that are `shared` name its place or its time, as the cells tell. `actual` are other times than the scheduled
    ones, read where a file has no others.
    """
    is_end = name == "to"

    def said(*whats: str) -> tuple[str, ...]:
        return tuple(f"{each} {what}" for each in word for what in whats)

    return (
        Column(
            f"{name}IataCode",
            f"{label}: code",
            Parsed(_code),
            aliases=said("iata", "iata code", "airport code", "code", "station code"),
        ),
        Column(
            f"{name}Date",
            f"{label}: date",
            WallClock(),
            aliases=(
                *shared,
                *dates,
                *said("date", "day", "date time", "datetime", "date local", "local date", "date time local", "at"),
                *(("arrives", "ends", "end", "end date", "return date", "drop off date") if is_end else ()),
                *(
                    ()
                    if is_end
                    else ("departs", "starts", "start", "start date", "travel date", "date", "pick up date")
                ),
            ),
            similar_names=actual,
            by_content=True,
            help="The day at the place, with or without the time.",
        ),
        Column(
            f"{name}Clock",
            f"{label}: time",
            Clock(),
            aliases=(
                *shared,
                *clocks,
                *said("time", "hour", "local time", "time local", "clock"),
                *(("end time", "drop off time") if is_end else ("start time", "pick up time", "time")),
            ),
            date_column=f"{name}Date",
            help="On the clocks of the place: 14:05, 2:05 PM, 1405; +1 is the day after. With or without the day.",
        ),
        Column(
            f"{name}DateTime",
            f"{label}: UTC",
            Moment(is_end=is_end),
            aliases=(
                *shared,
                *clocks,
                *said("time"),
                *said("utc", "date time utc", "datetime utc", "time utc", "gmt", "utc time"),
            ),
        ),
        Column(
            f"{name}TimeZone",
            f"{label}: time zone",
            Parsed(_zone),
            aliases=said("zone", "timezone", "tz"),
            help="Left empty, it is the zone of the coordinates, the airport, the country or the city.",
        ),
        Column(
            f"{name}Place",
            label,
            Parsed(read_place),
            aliases=(*code, *shared, *said("place", "airport", "station", "location")),
            by_content=r"[A-Z]{3}",
            help="An airport's or a city's code, such as LHR, EGLL or LON, or the name of the place.",
        ),
        Column(
            f"{name}LocationName", f"{label}: name of the place", aliases=said("location name", "place name", "name")
        ),
        Column(f"{name}Street", f"{label}: street", aliases=said("street", "street address", "address")),
        Column(f"{name}City", f"{label}: city", aliases=said("city", "town")),
        Column(f"{name}State", f"{label}: state", aliases=said("state", "province", "region")),
        Column(
            f"{name}PostalCode", f"{label}: postal code", aliases=said("postal code", "zip", "zip code", "postcode")
        ),
        Column(f"{name}Country", f"{label}: country", Parsed(_country), aliases=said("country", "country code")),
        Column(f"{name}Latitude", f"{label}: latitude", Decimal(-90, 90), aliases=said("latitude", "lat")),
        Column(f"{name}Longitude", f"{label}: longitude", Decimal(-180, 180), aliases=said("longitude", "lon", "lng")),
    )


_JOURNEY: Final = ("route", *(f"{side}{what}" for side in ("from", "to") for what in ("Place", "IataCode", "City")))
"""What a list of stays has none of: there, who arrives checks in."""
SEGMENT: Final = Group(
    "segment",
    "Segment",
    (
        Column(
            "type",
            "Kind",
            KINDS,
            aliases=(
                "segment type",
                "kind of segment",
                "service",
                "service type",
                "product",
                "travel type",
                "category",
            ),
            by_content=True,
        ),
        Column("supplierCode", "Supplier code", aliases=("carrier code", "airline code", "vendor code", "carrier")),
        Column(
            "supplierName",
            "Supplier",
            aliases=("supplier name", "airline", "airline name", "vendor", "vendor name", "operator", "rental company"),
        ),
        Column(
            "airRailNumber",
            "Flight or train number",
            Parsed(str, spelling=strip_decimal_zero),
            aliases=(
                *("flight", "flight number", "flight no", "train", "train number", "train no", "number"),
                *("air rail number", "flugnummer", "vol", "vuelo", "flt", "flt no"),
            ),
            by_content=r"[A-Z][A-Z0-9] ?[0-9]{1,4}",
        ),
        Column(
            "route",
            "Route",
            Parsed(_route),
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
            help="Yes for a segment that doesn't take place. Muster doesn't send it.",
        ),
        *_end(
            "from",
            "From",
            code=("origin", "pick up location", "von", "orig", "board point"),
            shared=("departure", "dep", "pick up", "départ", "salida", "abflug", "outbound"),
            word=("from", "origin", "departure", "dep", "depart", "start", "pick up"),
            dates=("abflugdatum", "abflugtag", "date de départ", "fecha de salida", "fecha salida"),
            clocks=(
                *("abflugzeit", "heure de départ", "heure départ", "hora de salida", "hora salida"),
                *("scheduled departure", "departure scheduled", "gate departure scheduled", "gate departure"),
                *("scheduled departure time", "std", "etd", "off block"),
            ),
            actual=("take off scheduled", "take off", "gate departure actual", "actual departure", "take off actual"),
        ),
        *_end(
            "to",
            "To",
            code=("destination", "dest", "drop off location", "nach", "off point"),
            shared=("arrival", "arr", "drop off", "arrivée", "llegada", "ankunft"),
            word=("to", "destination", "dest", "arrival", "arr", "arrive", "end", "drop off"),
            dates=("ankunftsdatum", "ankunftstag", "date d'arrivée", "fecha de llegada", "fecha llegada"),
            clocks=(
                *("ankunftszeit", "heure d'arrivée", "heure arrivée", "hora de llegada", "hora llegada"),
                *("scheduled arrival", "arrival scheduled", "gate arrival scheduled", "gate arrival"),
                *("scheduled arrival time", "sta", "eta", "on block"),
            ),
            actual=("landing scheduled", "landing", "gate arrival actual", "actual arrival", "landing actual"),
        ),
        Column(
            "divertedTo",
            "Diverted to",
            Parsed(read_place),
            aliases=("diversion", "diverted", "diversion airport", "diverted airport"),
            help="Where a segment ended instead.",
        ),
        Column(
            "duration",
            "Duration",
            Parsed(_duration),
            aliases=(
                *("flight duration", "flight time", "flying time", "travel time", "journey time", "elapsed time"),
                *("elapsed", "block time", "dauer", "flugdauer", "durée", "duración"),
            ),
            help="1:15. It completes an arrival that the file leaves open.",
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
COLUMNS: Final = (*TRIP, *TRAVELLER.of(1), *SEGMENT.of(1))
