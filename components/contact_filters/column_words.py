"""What the columns of a contact filter are called for people: group, label, help and how a sentence names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PERSON: Final = "Person"
DATES: Final = "Dates"
GROUPS_AND_TOPICS: Final = "Groups and topics"
PATHS: Final = "Delivery paths"
ADDRESSES: Final = "Addresses"
LAST_KNOWN: Final = "Last known location"
SCHEDULE: Final = "Schedule"
EXPECTED: Final = "Expected location"
CUSTOM: Final = "Custom attributes"


@dataclass(frozen=True, slots=True)
class ColumnWords:
    """How people meet a column: `lead` and `noun` begin its part of a sentence ("whose" + "first name" + "is …").

    `search` holds further words it is found by. `single` tells that a person has one such value at most, so that two
    rules over it can rule each other out.
    """

    key: str
    group: str
    label: str
    help: str
    lead: str
    noun: str
    search: str = ""
    single: bool = False
    whole: bool = False


def _own(key: str, label: str, noun: str, help_words: str, search: str = "", *, whole: bool = False) -> ColumnWords:
    return ColumnWords(f"{key}|SYSTEM|", PERSON, label, help_words, "whose", noun, search, single=True, whole=whole)


def _account(key: str, label: str, noun: str, help_words: str, search: str = "") -> ColumnWords:
    return ColumnWords(f"{key}|SYSTEM|", PERSON, label, help_words, "who have", noun, search, single=True, whole=True)


def _date(key: str, label: str, lead: str, help_words: str, search: str = "") -> ColumnWords:
    return ColumnWords(f"{key}|SYSTEM|", DATES, label, help_words, lead, "", search, single=True)


def _path(key: str, label: str, noun: str, help_words: str, search: str = "") -> ColumnWords:
    lead = "with a delivery path whose"
    return ColumnWords(f"{key}|SYSTEM_OBJECT|paths", PATHS, f"{label} · delivery path", help_words, lead, noun, search)


def _address(key: str, label: str, noun: str, help_words: str, search: str = "") -> ColumnWords:
    lead = "with an address whose"
    return ColumnWords(f"{key}|SYSTEM_OBJECT|address", ADDRESSES, f"{label} · address", help_words, lead, noun, search)


def _expected(key: str, label: str, noun: str, help_words: str, search: str = "") -> ColumnWords:
    return ColumnWords(
        f"{key}|SYSTEM_EXPECTED_OBJECT|address",
        EXPECTED,
        f"{label} · expected location",
        help_words,
        "with an expected location whose",
        noun,
        f"travel itinerary trip {search}",
    )


WORDS: Final[tuple[ColumnWords, ...]] = (
    _own("firstName", "First name", "first name", "The person's given name.", "given forename"),
    _own("lastName", "Last name", "last name", "The person's family name.", "surname family"),
    _own("middleInitial", "Middle initial", "middle initial", "The initial between first and last name.", "name"),
    _own("suffix", "Suffix", "suffix", "What follows the name, such as Jr. or PhD.", "name title"),
    _own(
        "externalId",
        "External id",
        "external id",
        "The id your own systems know the person by, such as an employee number.",
        "employee staff number personnel",
    ),
    _own(
        "country",
        "Country · person",
        "country of the person",
        "The country on the person's own record, not that of an address or of a trip.",
        "nation home",
    ),
    _own(
        "recordTypeId",
        "Record type",
        "record type",
        "The id of the kind of record, such as employees or contractors.",
        "kind contractor employee",
        whole=True,
    ),
    _own(
        "registedEmail", "Registered e-mail", "registered e-mail", "The e-mail address registered with.", "mail email"
    ),
    _own(
        "ssoIdentity", "Single sign-on identity", "single sign-on identity", "What the person signs in as.", "sso login"
    ),
    _account("userId", "User id", "a user id", "Whether the person has a user account.", "account login"),
    _account(
        "individualAccountId",
        "Individual account",
        "an individual account",
        "Whether the person has an individual account.",
    ),
    _account("smUserId", "SM user id", "an SM user id", "Whether the person has an SM user id.", "account"),
    _date("createdDate", "Created", "whose record was created", "When the person's record was made.", "date added new"),
    _date("registedDate", "Registered", "who registered", "When the person registered.", "date sign up joined"),
    _date(
        "lastModifiedDate",
        "Last changed",
        "whose record was last changed",
        "When the person's record was changed last.",
        "date modified updated",
    ),
    ColumnWords(
        "lastModifiedName|SYSTEM|",
        DATES,
        "Last changed by",
        "The name of who changed the person's record last.",
        "whose record was",
        "last changed by somebody whose name",
        "modified updated editor",
        single=True,
    ),
    ColumnWords(
        "groups|SYSTEM_ARRAY|",
        GROUPS_AND_TOPICS,
        "Groups",
        "Ids of the groups that the person belongs to.",
        "who belong to",
        "group",
        "member membership team",
        whole=True,
    ),
    ColumnWords(
        "topics|SYSTEM|",
        GROUPS_AND_TOPICS,
        "Topics",
        "Ids of the topics that the person follows.",
        "who follow",
        "topic",
        "subscription interest",
        whole=True,
    ),
    ColumnWords(
        "pathId|SYSTEM_OBJECT|paths",
        PATHS,
        "Kind · delivery path",
        "Ids of the kinds of delivery path the person can be reached by, such as the one for mobile phones.",
        "with",
        "delivery path",
        "path id phone mobile sms e-mail email reach",
        whole=True,
    ),
    _path("value", "Value", "value", "The phone number or address itself.", "phone mobile number sms e-mail email"),
    _path(
        "systemRequirement",
        "System requirement",
        "system requirement",
        "What the service asks of the path, as it is set up.",
        "required",
    ),
    _address("locationName", "Location name", "location name", "What the place is called.", "site office building"),
    _address("streetAddress", "Street", "street", "Street and number.", "road"),
    _address("suite", "Suite", "suite", "Suite, flat or unit.", "apartment flat unit"),
    _address("city", "City", "city", "Town or city.", "town"),
    _address("state", "State", "state", "State, province or region.", "province region"),
    _address("postalCode", "Postal code", "postal code", "Postal or zip code.", "zip postcode"),
    _address("country", "Country", "country", "The country of an address on file.", "nation"),
    _address("floorNo", "Floor", "floor", "The floor at an address on file.", "storey level"),
    _address("gisLocation.lat", "Latitude", "latitude", "Decimal degrees; north is positive.", "coordinates map gps"),
    _address("gislocation.lon", "Longitude", "longitude", "Decimal degrees; east is positive.", "coordinates map gps"),
    _address(
        "addressGeoCodingSource",
        "Source of coordinates",
        "source of coordinates",
        "Where the coordinates of the address came from, in the service's own words.",
        "geocoding map placed",
    ),
    ColumnWords(
        "locationId|SYSTEM_OBJECT|",
        ADDRESSES,
        "Location id · on file",
        "The id of a location on file for the person.",
        "with a location on file whose",
        "location id",
        "site office building",
        whole=True,
    ),
    ColumnWords(
        "address.streetAddress|SYSTEM|",
        ADDRESSES,
        "Street address on file",
        "Whether any street address is known.",
        "who have",
        "a street address on file",
        "missing",
        single=True,
    ),
    ColumnWords(
        "address.gisLocation.lon|SYSTEM|",
        ADDRESSES,
        "Coordinates on file",
        "Whether any address is placed on the map.",
        "who have",
        "coordinates on file",
        "map gps latitude longitude missing",
        single=True,
    ),
    ColumnWords(
        "floorNo|SYSTEM_OBJECT|lastKnownLocation",
        LAST_KNOWN,
        "Floor · last known location",
        "The floor where the person was last.",
        "with a last known location whose",
        "floor",
        "storey level",
        single=True,
    ),
    ColumnWords(
        "calendar|SYSTEM_SCHEDULING|",
        SCHEDULE,
        "Calendar",
        "The id of a calendar the person is scheduled in.",
        "who are scheduled in",
        "calendar",
        "rota duty",
        whole=True,
    ),
    ColumnWords(
        "shift|SYSTEM_SCHEDULING|",
        SCHEDULE,
        "Shift",
        "The id of a shift the person works.",
        "who work in",
        "shift",
        "rota duty",
        whole=True,
    ),
    ColumnWords(
        "shiftDate|SYSTEM_SCHEDULING|",
        SCHEDULE,
        "Shift date",
        "When the person is on shift: now, or between two moments.",
        "who are on shift",
        "",
        "rota duty time working",
    ),
    ColumnWords(
        "expectedDate|SYSTEM_EXPECTED_OBJECT|",
        EXPECTED,
        "Expected date",
        "When the person is expected somewhere: now, or between two moments.",
        "who are expected somewhere",
        "",
        "travel itinerary trip time when",
    ),
    _expected("country", "Country", "country", "The country that the person is expected in.", "nation"),
    _expected("city", "City", "city", "The city that the person is expected in.", "town"),
    _expected("state", "State", "state", "The state or province that the person is expected in.", "province region"),
    _expected("iata", "Airport", "airport", "The airport that the person is expected at.", "iata code flight air"),
    _expected("locationName", "Location name", "location name", "What the place is called.", "hotel station site"),
    _expected("locationId", "Location id", "location id", "The id of the place.", "site"),
    ColumnWords(
        "custom",
        CUSTOM,
        "Custom attribute",
        "A field that your organization has added to its contacts.",
        "whose",
        "custom attribute",
        "own field additional information",
        single=True,
    ),
    ColumnWords(
        "custom_array",
        CUSTOM,
        "Custom attribute with several values",
        "An added field that can hold more than one value for a person.",
        "whose",
        "custom attribute",
        "own field additional information list multiple",
    ),
)
