"""The itinerary endpoints in the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from client.vocabulary.itineraries import SEARCH_FIELDS
from client.vocabulary.limits import BATCH_ADD, BATCH_DELETE
from service.itineraries.models import TripItinerary
from service.openapi import (
    LONG,
    ORGANIZATION,
    PAGE_NUMBER,
    AnswerModel,
    LinkedPageAnswer,
    ModificationResult,
    Refusal,
    described,
    path_parameter,
    query_parameter,
    schema_of,
)


class BatchAnswer(AnswerModel):
    """The result of a batch; after a batch delete that succeeded as a whole, without `data`."""

    message: Literal["OK"]
    code: Literal[100, 200, 300]
    data: list[str] = Field(default_factory=list)


class FoundItinerary(AnswerModel):
    """An item of a query."""

    id: int


class QueryPage(AnswerModel):
    """The inner part of a query's page."""

    page_size: int
    data: list[FoundItinerary]


class QueryAnswer(AnswerModel):
    """A page of a query: the counts stand beside it."""

    message: Literal["OK"]
    first_page_uri: str
    next_page_uri: str = ""
    last_page_uri: str
    start: int
    total_count: int
    total_page_count: int
    current_page_no: int
    page: QueryPage


class GisLocation(AnswerModel):
    """Decimal degrees."""

    lat: float
    lon: float


class ExpectedAddress(AnswerModel):
    """Where and when."""

    arrive_date: str
    expire_date: str
    location_name: str = ""
    street_address: str = ""
    city: str = ""
    state: str = ""
    postal_code: str = ""
    country: str = ""
    iata: str = ""
    gis_location: GisLocation | None = None
    location_source: str
    location_source_id: str
    source: str


class ExpectedLocation(AnswerModel):
    """An expected location."""

    id: int
    contact_id: int
    contact_external_id: str
    organization_id: int
    created_date: str
    created_id: int
    created_name: str
    last_modified_date: str
    last_modified_id: int
    last_modified_name: str
    travel_category: str
    travel_type: str
    is_international_travel: bool
    is_local_travel: bool
    address: ExpectedAddress


_ITINERARY = path_parameter("itinerary_id", "The itinerary.")
_FLAG: dict[str, Any] = {"type": "boolean", "default": True}
_MATCHING = [
    query_parameter("autoCreateContact", "Create contacts for travellers that match none.", _FLAG),
    query_parameter("contactRecordTypeId", "The record type of created contacts.", LONG),
]
_EMAIL = query_parameter("emailCaseSensitiveInExternalId", "Whether the case of e-mail addresses matters.", _FLAG)
_BODY = schema_of(TripItinerary)
_CRITERIA: dict[str, Any] = {
    "type": "object",
    "required": ["fieldName", "fieldValues"],
    "properties": {
        "fieldName": {"type": "string", "enum": list(SEARCH_FIELDS)},
        "fieldValues": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    },
}

QUERY = described(answer=QueryAnswer, body=_CRITERIA, parameters=[ORGANIZATION, PAGE_NUMBER])
EXPECTED_LOCATIONS = described(
    answer=LinkedPageAnswer[ExpectedLocation], parameters=[ORGANIZATION, _ITINERARY, PAGE_NUMBER], not_found=True
)
CREATE_BATCH = described(
    answer=BatchAnswer,
    body={"type": "array", "minItems": 1, "maxItems": BATCH_ADD, "items": _BODY},
    parameters=[ORGANIZATION, *_MATCHING, _EMAIL],
)
DELETE_BATCH = described(
    answer=BatchAnswer,
    body={
        "type": "array",
        "minItems": 1,
        "maxItems": BATCH_DELETE,
        "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    },
)
CREATE = described(answer=ModificationResult, body=_BODY, parameters=[ORGANIZATION, *_MATCHING, _EMAIL])
UPDATE = described(
    answer=ModificationResult,
    body=_BODY,
    parameters=[ORGANIZATION, _ITINERARY, *_MATCHING],
    others={404: Refusal},
)
DELETE = described(answer=ModificationResult, parameters=[ORGANIZATION, _ITINERARY], others={404: Refusal})
