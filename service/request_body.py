"""Request bodies: their models, and a route class that reads them after authentication, with a size limit, in a
thread.
"""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import anyio.to_thread
from fastapi import Request, Response, UploadFile
from fastapi.dependencies.utils import request_body_to_args
from fastapi.params import Form
from fastapi.routing import APIRoute, get_request_handler
from pydantic import BaseModel, ConfigDict, RootModel, ValidationError, alias_generators
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser

from service.refusals import RefusalError, invalid
from service.responses import REFUSALS

# Ten times the size of a thousand complete itineraries.
MAX_BODY_BYTES = 64 * 2**20
MAX_FILE_BYTES = 20 * 2**20
# A 400, not a 413: the interface has no other status for a file that is too large.
_TOO_LARGE = f"The file is larger than {MAX_FILE_BYTES // 2**20} MB."
# The size allowed for the other parts and the boundaries besides the file.
_AROUND_THE_FILE = 64 * 2**10
# Smaller bodies are parsed faster than a thread starts.
_SMALL_BYTES = 16 * 2**10

ErrorDetails = Mapping[str, Any]
"""An error of pydantic: `type`, `loc`, `msg`, `input`, `ctx`."""


class RequestModel(BaseModel):
    """The base of request bodies and their parts: strict types, unknown fields dropped."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, extra="ignore", frozen=True, strict=True)

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return the message for an invalid body, which names the first field that breaks a rule."""
        first = errors[0]
        path, context = wire_path(first["loc"]), first.get("ctx", {})
        if not path:
            return invalid("The request body is a JSON object.")
        if first["type"] in ("missing", "string_too_short", "too_short") or first["input"] is None:
            return empty_field(path)
        if first["type"] in ("string_too_long", "too_long") and isinstance(first["input"], str):
            length, most = len(first["input"].strip()), context["max_length"]
            return invalid_field(path, f"it has {length} characters, and {most} are allowed")
        if first["type"] == "value_error":
            return invalid_field(path, str(context["error"]))
        return invalid_field(path, first["msg"])


class Batch(RootModel[list[Any]]):
    """A body that is a list, refused as a whole if it is empty or too long."""

    what: ClassVar[str]

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return the message for an invalid list."""
        context = errors[0].get("ctx", {})
        match errors[0]["type"]:
            case "too_short":
                return invalid(f"The request contains no {cls.what}.")
            case "too_long":
                length, limit = context["actual_length"], context["max_length"]
                return invalid(f"The request contains {length} {cls.what}; the limit is {limit}.")
            case _:
                return invalid(f"The request body is an array of {cls.what}.")


def wire_path(location: Sequence[str | int]) -> str:
    """Return the path in a body, such as `contactFilterRules[1].columnValue`, of an error location."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part and not part.startswith(("list[", "function-", "constrained-", "nullable")):
            path += f".{part}" if path else part
    return path


def empty_field(path: str) -> RefusalError:
    """Return the refusal of a required field without a value."""
    return invalid(f"Field {path} is empty.")


def invalid_field(path: str, why: str) -> RefusalError:
    """Return the refusal of a field with an invalid value. `why` is a sentence without its period."""
    return invalid(f"Field {path} is invalid: {why.rstrip('.')}.")


class BodyRoute(APIRoute):
    """A route whose body is JSON of any content type, or a form. Responses omit fields without a value.

    The framework reads a body before it authenticates. This route reads it after the caller and the parameters are
    checked.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        responses = REFUSALS | (options.get("responses") or {})
        super().__init__(path, endpoint, **options | {"responses": responses, "response_model_exclude_none": True})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the route."""
        if self.body_field is None:
            return super().get_route_handler()
        fields, wants_request = self.dependant.body_params, self.dependant.request_param_name is not None
        receive = _form if isinstance(self.body_field.field_info, Form) else _json

        @functools.wraps(self.endpoint)
        async def receive_and_call(request: Request, **values: Any) -> Any:
            if wants_request:
                values["request"] = request
            async with receive(request, fields) as body:
                return await self.endpoint(**values, **body)

        return get_request_handler(
            replace(self.dependant, call=receive_and_call, body_params=[], request_param_name="request"),
            status_code=self.status_code,
            response_field=self.response_field,
            response_model_exclude_none=True,
        )


@asynccontextmanager
async def _json(request: Request, fields: Sequence[Any]) -> AsyncIterator[dict[str, Any]]:
    """Read the body as the model of the endpoint."""
    [field] = fields
    yield {field.name: await _received(request, field.field_info.annotation)}


async def _received(request: Request, model: type[RequestModel | Batch]) -> RequestModel | Batch:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_BODY_BYTES:
            raise HTTPException(413, f"The request body is larger than {MAX_BODY_BYTES // 2**20} MB.")

    def take() -> RequestModel | Batch:
        try:
            # An empty body is null.
            return model.model_validate(_parsed(bytes(content) or b"null"))
        except ValidationError as error:
            raise model.refusal(error.errors(include_url=False)) from error

    return take() if len(content) <= _SMALL_BYTES else await anyio.to_thread.run_sync(take)


@asynccontextmanager
async def _form(request: Request, fields: Sequence[Any]) -> AsyncIterator[dict[str, Any]]:
    """Read the parts of a multipart request. The file is deleted after the response."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise invalid("The request is not multipart/form-data.")
    try:
        form = await MultiPartParser(request.headers, _limited(request), max_files=1, max_fields=20).parse()
    except (MultiPartException, KeyError, ValueError) as error:
        why = getattr(error, "message", "malformed")
        raise invalid(f"The multipart request cannot be read: {why}") from error
    try:
        values, errors = await request_body_to_args([*fields], form, embed_body_fields=True)
        if errors:
            raise invalid(f"Field {errors[0]['loc'][-1]} is empty.")
        yield values
    finally:
        await form.close()


async def _limited(request: Request) -> AsyncGenerator[bytes, None]:
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
        if received > MAX_FILE_BYTES + _AROUND_THE_FILE:
            # The parser does not close its file when one of its own errors ends it.
            raise MultiPartException(_TOO_LARGE)
        yield chunk


@dataclass(frozen=True)
class UploadedFile:
    """An uploaded file, with its name without folders."""

    name: str
    content: bytes

    @classmethod
    async def read(cls, part: UploadFile) -> UploadedFile:
        """Read the file of a multipart request."""
        content = await part.read()
        if len(content) > MAX_FILE_BYTES:
            raise invalid(_TOO_LARGE)
        name = (part.filename or "").replace("\\", "/").rpartition("/")[2].replace("\0", "").strip()[:255]
        return cls(name, content)


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON text. Raises `ValueError` also for NaN and infinities, which Python would accept."""

    def refuse(constant: str) -> float:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def _parsed(content: bytes) -> Any:
    """Return the JSON of a body."""
    try:
        value = parse_json(content)
        if b"\\u" in content:
            # Half a surrogate pair, such as \ud800, is JSON to Python, but not text to a database.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise invalid("The request body is not valid JSON.") from error
    return value
