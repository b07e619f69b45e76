"""Itineraries as they are sent, and as the service returns them: references and expected locations."""

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import AliasChoices, BeforeValidator, Field

from ..vocabulary.itineraries import ACTIVE, CANCELED, SEGMENT_TYPES
from .base import (
    AnswerModel,
    Id,
    Lenient,
    LenientBool,
    LenientFloat,
    LenientId,
    LenientText,
    LocalTimeText,
    Moment,
    OrElse,
    RecordModel,
    RequestModel,
    TimeText,
)

__all__ = [
    "Address",
    "ExpectedAddress",
    "ExpectedLocation",
    "GisLocation",
    "Itinerary",
    "ItineraryReference",
    "Passenger",
    "PhoneNumber",
    "Segment",
    "SegmentKind",
]

SegmentKind = Literal["Air", "Hotel", "Rail", "Car"]


def _none_as_blank(value: Any) -> Any:
    return "" if value is None else value


def _none_as_empty(value: Any) -> Any:
    return [] if value is None else value


if TYPE_CHECKING:
    Text = str
else:
    Text = Annotated[str, BeforeValidator(_none_as_blank)]


class Address(RequestModel):
    """A place. `country` is a two-letter code. Latitude and longitude are decimal degrees."""

    location_name: str | None = None
    country: str | None = None
    state: str | None = None
    city: str | None = None
    street_address: str | None = None
    postal_code: str | None = None
    latitude: float | None = None
    longitude: float | None = None


class PhoneNumber(RequestModel):
    """A telephone number and the two-letter code of its country."""

    phone_number: str | None = None
    country_name: str | None = None


class Passenger(RequestModel):
    """A traveler, or the person who arranged the trip. `employee_id` matches the traveler to a contact."""

    contact_id: Id | None = None
    employee_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    middle_name: str | None = None
    email_addresses: Annotated[list[str], BeforeValidator(_none_as_empty)] = Field(default_factory=list)
    phone_numbers: Annotated[list[PhoneNumber], BeforeValidator(_none_as_empty)] = Field(default_factory=list)


class Segment(RequestModel):
    """One flight, hotel, train, or car. Times are texts as in the payload: local times without a zone, and UTC times
    with a final `Z`. A `datetime` or a `Timestamp` of pandas becomes such a text.
    """

    type: Text = ""
    supplier_code: str | None = None
    supplier_name: str | None = None
    air_rail_number: str | None = None
    from_date_time_local: LocalTimeText = None
    to_date_time_local: LocalTimeText = None
    from_date_time: TimeText = None
    to_date_time: TimeText = None
    from_time_zone: str | None = None
    to_time_zone: str | None = None
    from_iata_code: str | None = None
    to_iata_code: str | None = None
    from_address: Address | None = None
    to_address: Address | None = None


class Itinerary(RequestModel):
    """A trip (interface: Itinerary).

    Invalid trips can be constructed, as drafts are. `itinerary_problems` says what keeps a trip from being sent.
    """

    pnr: Text = ""
    external_itinerary_id: str | None = None
    itinerary_status: str | None = ACTIVE
    itinerary_source: str | None = None
    created_date: TimeText = None
    last_modified_date: TimeText = None
    segments: Annotated[list[Segment], BeforeValidator(_none_as_empty)] = Field(default_factory=list)
    passengers: Annotated[list[Passenger], BeforeValidator(_none_as_empty)] = Field(default_factory=list)
    travel_arranger: Passenger | None = None

    @property
    def is_canceled(self) -> bool:
        """Whether sending this trip cancels it."""
        return (self.itinerary_status or "").strip().casefold() == CANCELED


class ItineraryReference(AnswerModel):
    """A search result: the ID of a trip and nothing else."""

    id: Id


class GisLocation(AnswerModel):
    """A position in decimal degrees, as services send it."""

    lat: LenientFloat = None
    lon: LenientFloat = Field(default=None, validation_alias=AliasChoices("lon", "lng"))


class ExpectedAddress(AnswerModel):
    """Where a person is expected, with the start and end of the stay (aware, UTC)."""

    arrive_date: Moment = None
    expire_date: Moment = None
    location_name: LenientText = None
    street_address: LenientText = None
    suite: LenientText = None
    city: LenientText = None
    state: LenientText = None
    postal_code: LenientText = None
    country: LenientText = None
    iata: LenientText = None
    gis_location: Lenient[GisLocation] = Field(
        default=None, validation_alias=AliasChoices("gisLocation", "gislocation", "gis_location")
    )
    location: Any = None
    location_id: LenientText = None
    location_source: LenientText = None
    location_source_id: LenientText = None
    source: LenientText = None


class ExpectedLocation(RecordModel):
    """One place where one traveler of a trip is expected."""

    id: LenientId = None
    contact_id: LenientId = None
    contact_external_id: LenientText = None
    travel_category: LenientText = None
    travel_type: LenientText = None
    is_international_travel: LenientBool = None
    is_local_travel: LenientBool = None
    address: Annotated[ExpectedAddress, OrElse(ExpectedAddress)] = Field(default_factory=ExpectedAddress)

    @property
    def kind(self) -> SegmentKind | None:
        """The type of the segment, from the category or else the type, in any case."""
        for text in (self.travel_category, self.travel_type):
            for word in re.findall(r"[a-z]+", (text or "").casefold()):
                if word in _KINDS:
                    return _KINDS[word]
        return None

    @property
    def position(self) -> tuple[float, float] | None:
        """Latitude and longitude in degrees; None if absent, out of range, or both 0."""
        return _position(self.address)

    @property
    def is_impossible(self) -> bool:
        """Whether the service sent a position that cannot exist, such as 95 degrees north."""
        stated = _stated(self.address)
        return stated is not None and not _can_be(*stated)

    @property
    def latitude(self) -> float | None:
        """Degrees north; None without a position."""
        found = _position(self.address)
        return found[0] if found else None

    @property
    def longitude(self) -> float | None:
        """Degrees east; None without a position."""
        found = _position(self.address)
        return found[1] if found else None


_KINDS = cast(dict[str, SegmentKind], {kind.casefold(): kind for kind in SEGMENT_TYPES})


def valid_position(latitude: float | None, longitude: float | None) -> tuple[float, float] | None:
    """Return latitude and longitude in degrees; None if one is absent or out of range, or both are 0.

    0, 0 often stands for missing coordinates. No airport, hotel, or station is there.
    """
    if latitude is None or longitude is None or (latitude, longitude) == (0, 0) or not _can_be(latitude, longitude):
        return None
    return latitude, longitude


def _position(address: ExpectedAddress) -> tuple[float, float] | None:
    stated = _stated(address)
    return None if stated is None else valid_position(*stated)


def _can_be(latitude: float, longitude: float) -> bool:
    return -90 <= latitude <= 90 and -180 <= longitude <= 180


def _stated(address: ExpectedAddress) -> tuple[float, float] | None:
    latitude: float | None = None
    longitude: float | None = None
    if address.gis_location is not None:
        latitude, longitude = address.gis_location.lat, address.gis_location.lon
    if (latitude is None or longitude is None) and isinstance(address.location, list | tuple):
        # An older form: a pair, longitude first.
        try:
            longitude, latitude = (float(number) for number in address.location)
        except (TypeError, ValueError):
            return None
    return None if latitude is None or longitude is None else (latitude, longitude)
