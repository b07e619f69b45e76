"""Responses: their models, the one page envelope, and the links in them."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, alias_generators, model_validator
from sqlalchemy import Row

Item = TypeVar("Item")

OK: Literal["OK"] = "OK"


class ResponseModel(BaseModel):
    """What a response holds: read off rows and stored documents, written in camel case, without fields of no value."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, validate_by_alias=True, validate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _of_row(cls, value: Any) -> Any:
        # As attributes, each field would be looked for by its alias first, at the price of an exception a field.
        return value._asdict() if isinstance(value, Row) else value


class Refusal(ResponseModel):
    """The envelope of errors."""

    status: int
    message: str


class Unauthorized(ResponseModel):
    """The envelope of requests without valid credentials, or without permission."""

    code: Literal[401]
    message: str


class Done(ResponseModel):
    """A response that says no more than that it was done."""

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
    """Where a page stands in the whole list."""

    total_count: int
    total_page_count: int
    current_page_no: int


class Page(Counts, Generic[Item]):
    """A page of records with its counts."""

    page_size: int
    start: int
    data: list[Item]


class PageResponse(Done, Generic[Item]):
    """A page; where it has links, there is none to the next page on the last one."""

    first_page_uri: str | None = None
    next_page_uri: str | None = None
    last_page_uri: str | None = None
    page: Page[Item]


def collection_uri(request: Request, *segments: object) -> str:
    """The URI of a collection at the address the caller used, with the extra `/rest/`, without a closing slash."""
    path = "/".join(str(segment) for segment in segments)
    return f"{request.url.scheme}://{request.headers.get('host', 'localhost')}/rest/{path}"


def modification_result(request: Request, area: str, organization_id: int, record_id: int) -> ModificationResult:
    """The result of a change to a record of an area."""
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
"""What every endpoint may respond with beside what it is asked for."""
