"""The itinerary as it arrives (interface: Itinerary), and as it is returned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from client.vocabulary.itineraries import CANCELED, SEARCH_FIELDS
from client.vocabulary.limits import BATCH_ADD, BATCH_DELETE, LONG_MAX
from service.epoch import to_iso
from service.refusals import RefusalError, invalid
from service.request_body import Batch, ErrorDetails, RequestModel, empty_field, invalid_field
from service.responses import Counts, Done, ResponseModel
from service.schema import KEY_LENGTH


def _present(text: str) -> str | None:
    stripped = text.strip()
    if "\0" in stripped:
        raise ValueError("text cannot hold a NUL character")
    return stripped or None


def _short(text: str | None) -> str | None:
    if text is not None and len(text) > KEY_LENGTH:
        raise ValueError(f"it has {len(text)} characters, and {KEY_LENGTH} are allowed")
    return text


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("true and false are not numbers")  # noqa: TRY004 (a TypeError would escape the model)
    return value


Text = Annotated[str, AfterValidator(_present)] | None
Key = Annotated[Text, AfterValidator(_short)]
"""A text that records are found by."""
Long = Annotated[int, BeforeValidator(_not_boolean), Field(ge=-LONG_MAX - 1, le=LONG_MAX)] | None
Latitude = Annotated[float, BeforeValidator(_not_boolean), Field(ge=-90, le=90, allow_inf_nan=False)] | None
Longitude = Annotated[float, BeforeValidator(_not_boolean), Field(ge=-180, le=180, allow_inf_nan=False)] | None


class _Part(RequestModel):
    """The base of all parts of an itinerary: numbers may be texts, and an empty text is absent."""

    model_config = ConfigDict(strict=False)


class Address(_Part):
    """The address of a segment. Latitude and longitude are decimal degrees."""

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
        """Return whether the address has no value."""
        return all(value is None for value in self.__dict__.values())


class Segment(_Part):
    """One flight, hotel, train, or car."""

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


class PhoneNumber(_Part):
    """A phone number and its country."""

    phone_number: Text = None
    country_name: Text = None


class Passenger(_Part):
    """A traveler, or the person who arranged the trip."""

    contact_id: Long = None
    employee_id: Key = None
    first_name: Text = None
    last_name: Text = None
    middle_name: Text = None
    email_addresses: list[Text] | None = None
    phone_numbers: list[PhoneNumber] | None = None


class TripItinerary(_Part):
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
        """Return whether the status cancels the trip."""
        # ASSUMPTION A8: `canceled` in any case, and nothing else.
        return (self.itinerary_status or "").casefold() == CANCELED.casefold()

    def to_document(self) -> dict[str, Any]:
        """Return the stored document of the itinerary."""
        return self.model_dump(by_alias=True, exclude_none=True)

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return the message for an invalid itinerary, which names the first field with a wrong type."""
        path = ".".join(part for part in errors[0]["loc"] if isinstance(part, str))
        return invalid_field(path, errors[0]["msg"]) if path else invalid("An itinerary is a JSON object.")

    @classmethod
    def read(cls, value: Any) -> TripItinerary:
        """Read an itinerary of a batch. Raises its refusal if it is invalid."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise cls.refusal(error.errors(include_url=False)) from error


class ItineraryBatch(Batch):
    """Itineraries to add. Invalid rows are kept as they came, because each succeeds or fails by itself."""

    # ASSUMPTION A21: an empty batch, or one over the limit, is refused as a whole.
    what = "itineraries"
    root: Annotated[
        list[Annotated[TripItinerary | Any, Field(union_mode="left_to_right")]],
        Field(min_length=1, max_length=BATCH_ADD),
    ]


class IdBatch(Batch):
    """IDs of itineraries to delete, as numbers or texts."""

    what = "ids"
    root: Annotated[list[StrictInt | StrictStr], Field(min_length=1, max_length=BATCH_DELETE)]


class SearchCriteria(RequestModel):
    """ItinerarySearchCriteria."""

    field_name: Literal["pnr", "externalItineraryId"]
    field_values: Annotated[list[str], Field(min_length=1)]

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return the message for invalid search criteria."""
        location, rejected_value = errors[0]["loc"], errors[0]["input"]
        if not location:
            return invalid("The search criteria are a JSON object.")
        if errors[0]["type"] == "missing" or rejected_value in (None, "", []):
            return empty_field(location[0])
        if location[0] == "fieldName":
            return invalid_field("fieldName", f"only {' and '.join(SEARCH_FIELDS)} can be searched")
        return invalid_field("fieldValues", "an array of strings is needed")


class BatchResult(Done):
    """The result of a batch; without `data` after a batch delete that succeeded completely."""

    code: Literal[100, 200, 300]
    data: list[str] | None = None


class FoundItinerary(ResponseModel):
    """An item of a search."""

    id: int


class FoundItineraries(ResponseModel):
    """The inner part of a page of search results."""

    page_size: int
    data: list[FoundItinerary]


class QueryPage(Done, Counts):
    """A page of search results with its counts next to it."""

    first_page_uri: str
    next_page_uri: str | None = None
    last_page_uri: str
    start: int
    page: FoundItineraries


IsoMoment = Annotated[str, BeforeValidator(to_iso)]
"""Stored as epoch milliseconds."""


class GisLocation(ResponseModel):
    """A position in decimal degrees."""

    lat: float
    lon: float


class ExpectedAddress(ResponseModel):
    """A place with start and end."""

    arrive_date: IsoMoment = Field(validation_alias="arrive_at")
    expire_date: IsoMoment = Field(validation_alias="expire_at")
    location_name: str | None = None
    street_address: str | None = None
    city: str | None = None
    state: str | None = None
    postal_code: str | None = None
    country: str | None = None
    iata: str | None = None
    gis_location: GisLocation | None = None
    location_source: str = "ITINERARY"
    location_source_id: Annotated[str, BeforeValidator(str)] = Field(validation_alias="itinerary_id")
    source: str = "AUTO"


class ExpectedLocation(ResponseModel):
    """An expected location."""

    id: int
    contact_id: int
    contact_external_id: str
    organization_id: int
    created_date: IsoMoment = Field(validation_alias="created_at")
    created_id: int = Field(validation_alias="created_by")
    created_name: str
    last_modified_date: IsoMoment = Field(validation_alias="modified_at")
    last_modified_id: int = Field(validation_alias="modified_by")
    last_modified_name: str = Field(validation_alias="modified_name")
    travel_category: str
    travel_type: str
    is_international_travel: bool
    is_local_travel: bool
    address: ExpectedAddress
