"""Responses: their models, the page envelope, and the links in them."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, alias_generators, model_validator
from sqlalchemy import Row

Item = TypeVar("Item")

OK: Literal["OK"] = "OK"


class ResponseModel(BaseModel):
    """The base of responses: read from rows and stored documents, written in camel case, without empty fields."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, validate_by_alias=True, validate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _of_row(cls, value: Any) -> Any:
        # Read as attributes, each field would first be looked up by its alias, which costs an exception per field.
        return value._asdict() if isinstance(value, Row) else value


class Refusal(ResponseModel):
    """The envelope of errors."""

    status: int
    message: str


class Unauthorized(ResponseModel):
    """The envelope of requests without valid credentials or without permission."""

    code: Literal[401]
    message: str


class Done(ResponseModel):
    """A response that only confirms."""

    message: Literal["OK"] = OK


class Result(Done, Generic[Item]):
    """One record, wrapped."""

    result: Item


class ModificationResult(Done):
    """RestfulModificationResult (interface: Modification result)."""

    id: int
    base_uri: str
    instance_uri: str


class Counts(ResponseModel):
    """The position of a page in the whole list."""

    total_count: int
    total_page_count: int
    current_page_no: int


class Page(Counts, Generic[Item]):
    """A page of records with its counts."""

    page_size: int
    start: int
    data: list[Item]


class PageResponse(Done, Generic[Item]):
    """A page with optional links. The last page has no link to a next one."""

    first_page_uri: str | None = None
    next_page_uri: str | None = None
    last_page_uri: str | None = None
    page: Page[Item]


def collection_uri(request: Request, *segments: object) -> str:
    """Return the URI of a collection at the caller's address, with the additional `/rest/`, without a trailing
    slash.
    """
    path = "/".join(str(segment) for segment in segments)
    return f"{request.url.scheme}://{request.headers.get('host', 'localhost')}/rest/{path}"


def modification_result(request: Request, area: str, organization_id: int, record_id: int) -> ModificationResult:
    """Return the result of a change to a record of an area."""
    base_uri = collection_uri(request, area, organization_id) + "/"
    return ModificationResult(id=record_id, base_uri=base_uri, instance_uri=f"{base_uri}{record_id}")


NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": Refusal, "description": "There is no such record."}}
NAME_TAKEN: dict[int | str, dict[str, Any]] = {409: {"model": Refusal, "description": "Another record has this name."}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "A rule is broken; the message names the field."},
    401: {"model": Unauthorized | Refusal, "description": "Wrong credentials, no access, or no permission."},
    413: {"model": Refusal, "description": "The request body is too large."},
    503: {"model": Refusal, "description": "The database is busy; nothing was changed."},
}
"""The responses that every endpoint may return besides its own."""
