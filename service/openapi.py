"""How routes describe themselves in the OpenAPI document: bodies, parameters, answers and refusals, all inline.

Routes read their requests by hand, so that every refusal keeps the interface's envelopes; what they take and give is
said here, from the same models they read with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, TypeAdapter, alias_generators

Item = TypeVar("Item")
Schema = dict[str, Any]

MAX_LONG = 2**63 - 1
LONG: Schema = {"type": "integer", "format": "int64", "minimum": -MAX_LONG - 1, "maximum": MAX_LONG}
BASIC = "basic"
BEARER = "bearer"


class AnswerModel(BaseModel):
    """What an answer holds; fields without a value are absent."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, extra="forbid")


class Refusal(AnswerModel):
    """The envelope of errors."""

    status: int
    message: str


class Unauthorized(AnswerModel):
    """The envelope of requests without valid credentials, or without permission."""

    code: Literal[401]
    message: str


class ModificationResult(AnswerModel):
    """RestfulModificationResult (interface: Modification result)."""

    message: Literal["OK"]
    id: int
    base_uri: str
    instance_uri: str


class Page(AnswerModel, Generic[Item]):
    """A page of records with its counts inside."""

    page_size: int
    start: int
    data: list[Item]
    total_count: int
    total_page_count: int
    current_page_no: int


class PageAnswer(AnswerModel, Generic[Item]):
    """A page without links."""

    message: Literal["OK"]
    page: Page[Item]


class LinkedPageAnswer(PageAnswer[Item], Generic[Item]):
    """A page with links; there is none to the next page on the last one."""

    first_page_uri: str
    next_page_uri: str | None = None
    last_page_uri: str


class ResultAnswer(AnswerModel, Generic[Item]):
    """One record, wrapped."""

    message: Literal["OK"]
    result: Item


class Done(AnswerModel):
    """An answer that says no more than that it was done."""

    message: Literal["OK"]


def schema_of(model: Any) -> Schema:
    """The JSON schema of a type, by the names on the wire, with nothing to look up elsewhere."""
    schema = TypeAdapter(model).json_schema(by_alias=True)
    definitions = schema.pop("$defs", {})
    inlined: Schema = _inlined(schema, definitions)
    return inlined


def nullable(schema: Mapping[str, Any]) -> Schema:
    """The schema of a field that may be null, which is as good as absent."""
    return {"anyOf": [dict(schema), {"type": "null"}]}


def path_parameter(name: str, description: str, schema: Mapping[str, Any] = LONG) -> Schema:
    """A parameter in the path, by its name in the route."""
    return {"name": name, "in": "path", "required": True, "description": description, "schema": dict(schema)}


def query_parameter(name: str, description: str, schema: Mapping[str, Any]) -> Schema:
    """An optional parameter in the query string."""
    return {"name": name, "in": "query", "required": False, "description": description, "schema": dict(schema)}


def header_parameter(name: str, description: str, schema: Mapping[str, Any]) -> Schema:
    """A required parameter in the header."""
    return {"name": name, "in": "header", "required": True, "description": description, "schema": dict(schema)}


ORGANIZATION = path_parameter("organization_id", "The organization.")
PAGE_NUMBER = query_parameter(
    "pageNumber", "The page to return.", {"type": "integer", "minimum": 1, "maximum": 1_000_000_000, "default": 1}
)


def described(
    *,
    answer: Any,
    body: Any = None,
    parameters: Sequence[Schema] = (ORGANIZATION,),
    not_found: bool = False,
    unique: bool = False,
    security: str | Sequence[str] = BASIC,
    upload: Mapping[str, Any] | None = None,
    others: Mapping[int, Any] | None = None,
) -> dict[str, Any]:
    """Arguments for a route's decorator; `answer` and `body` are types, or JSON schemas given whole.

    `upload` are the parts of a multipart body; `others` are answers of other statuses, None for one without a body.
    """
    refusal = _content(Refusal)
    responses: dict[int | str, dict[str, Any]] = {
        200: {"description": "Done.", "content": _content(answer)},
        400: {"description": "A rule is broken; the message names the field.", "content": refusal},
        401: {
            "description": "Wrong credentials, no access to the organization, or no permission.",
            "content": _content(Unauthorized | Refusal),
        },
        503: {"description": "The database is busy; nothing was changed.", "content": refusal},
    }
    if not_found:
        responses[404] = {"description": "There is no such record.", "content": refusal}
    for status, other in (others or {}).items():
        responses[status] = {"description": "As the interface describes it."}
        if other is not None:
            responses[status]["content"] = _content(other)
    schemes = [security] if isinstance(security, str) else security
    if unique:
        responses[409] = {"description": "Another record has this name.", "content": refusal}
    extra: dict[str, Any] = {"security": [{scheme: []} for scheme in schemes], "parameters": list(parameters)}
    if upload is not None:
        parts = {"type": "object", "required": ["file"], "properties": dict(upload)}
        extra["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": parts}}}
    if body is not None:
        responses[413] = {"description": "The request body is too large.", "content": refusal}
        extra["requestBody"] = {"required": True, "content": _content(body)}
    return {"responses": responses, "openapi_extra": extra}


def install_security_schemes(application: FastAPI) -> None:
    """Name the ways to authenticate in the OpenAPI document."""
    original = application.openapi

    def openapi() -> dict[str, Any]:
        document = original()
        schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
        schemes.setdefault(BASIC, {"type": "http", "scheme": "basic"})
        schemes.setdefault(BEARER, {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})
        return document

    application.openapi = openapi  # type: ignore[method-assign]


def _content(model: Any) -> dict[str, Any]:
    schema = model if isinstance(model, dict) else schema_of(model)
    return {"application/json": {"schema": schema}}


def _inlined(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str):
            return _inlined(definitions[reference.rpartition("/")[2]], definitions)
        return {key: _inlined(value, definitions) for key, value in node.items()}
    if isinstance(node, list):
        return [_inlined(value, definitions) for value in node]
    return node
