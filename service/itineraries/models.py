"""The itinerary as it arrives (interface: Itinerary): unknown fields are dropped, empty texts are absent."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, alias_generators

from client.vocabulary.itineraries import CANCELED
from service.parameters import MAX_LONG
from service.schema import KEY_LENGTH


def _present(text: str) -> str | None:
    stripped = text.strip()
    if "\0" in stripped:
        raise ValueError("a text cannot hold a NUL character")
    return stripped or None


def _short(text: str | None) -> str | None:
    if text is not None and len(text) > KEY_LENGTH:
        raise ValueError(f"it has {len(text)} characters, and {KEY_LENGTH} are allowed")
    return text


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("true and false are no numbers")  # noqa: TRY004 (a TypeError would escape the model)
    return value


Text = Annotated[str, AfterValidator(_present)] | None
Key = Annotated[Text, AfterValidator(_short)]
"""A text that records are found by."""
Long = Annotated[int, BeforeValidator(_not_boolean), Field(ge=-MAX_LONG - 1, le=MAX_LONG)] | None
Latitude = Annotated[float, BeforeValidator(_not_boolean), Field(ge=-90, le=90, allow_inf_nan=False)] | None
Longitude = Annotated[float, BeforeValidator(_not_boolean), Field(ge=-180, le=180, allow_inf_nan=False)] | None


class WireModel(BaseModel):
    """What all parts of an itinerary share."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, extra="ignore", frozen=True)


class Address(WireModel):
    """An address of a segment; latitude and longitude in decimal degrees."""

    location_name: Text = None
    country: Text = None
    state: Text = None
    city: Text = None
    street_address: Text = None
    postal_code: Text = None
    latitude: Latitude = None
    longitude: Longitude = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is said."""
        return all(value is None for value in self.__dict__.values())


class Segment(WireModel):
    """One leg or stay."""

    type: Text = None
    supplier_code: Text = None
    supplier_name: Text = None
    air_rail_number: Text = None
    from_date_time_local: Text = None
    to_date_time_local: Text = None
    from_date_time: Text = None
    to_date_time: Text = None
    from_time_zone: Text = None
    to_time_zone: Text = None
    from_iata_code: Text = None
    to_iata_code: Text = None
    from_address: Address | None = None
    to_address: Address | None = None


class PhoneNumber(WireModel):
    """A phone number and the country it is of."""

    phone_number: Text = None
    country_name: Text = None


class Passenger(WireModel):
    """A traveller, or the person who arranged the trip."""

    contact_id: Long = None
    employee_id: Key = None
    first_name: Text = None
    last_name: Text = None
    middle_name: Text = None
    email_addresses: list[Text] | None = None
    phone_numbers: list[PhoneNumber] | None = None


class TripItinerary(WireModel):
    """A whole trip."""

    pnr: Key = None
    external_itinerary_id: Key = None
    itinerary_status: Text = None
    itinerary_source: Text = None
    created_date: Text = None
    last_modified_date: Text = None
    segments: list[Segment] | None = None
    passengers: list[Passenger] | None = None
    travel_arranger: Passenger | None = None

    @property
    def is_canceled(self) -> bool:
        """Whether the status says that the trip is off."""
        # ASSUMPTION A8: `canceled`, whatever its case, and nothing else.
        return (self.itinerary_status or "").casefold() == CANCELED.casefold()

    def to_document(self) -> dict[str, Any]:
        """What is kept of the itinerary."""
        return self.model_dump(by_alias=True, exclude_none=True)


class UnreadableItineraryError(Exception):
    """An itinerary some field of which is not of its type; the text names the field."""


def read_itinerary(value: Any) -> TripItinerary:
    """Read one itinerary out of a JSON body, or say which field is wrong."""
    if not isinstance(value, dict):
        raise UnreadableItineraryError("An itinerary is a JSON object.")
    try:
        return TripItinerary.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in first["loc"] if isinstance(part, str))
        raise UnreadableItineraryError(f"Field {path} is invalid: {first['msg']}.") from error
