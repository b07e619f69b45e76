"""Request bodies: their models, and the route class that receives them last, with a limit and off the event loop."""

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

# Ten times what a thousand itineraries with everything said come to.
MAX_BODY_BYTES = 64 * 2**20
MAX_FILE_BYTES = 20 * 2**20
# Told with 400, not 413: the interface knows no other status for a file that is too large than that of invalid input.
_TOO_LARGE = f"The file is larger than {MAX_FILE_BYTES // 2**20} MB."
# What the other parts and the boundaries may come to beside the file.
_AROUND_THE_FILE = 64 * 2**10
# What is smaller is read sooner than a thread takes it up.
_SMALL_BYTES = 16 * 2**10

ErrorDetails = Mapping[str, Any]
"""What pydantic says of a value: `type`, `loc`, `msg`, `input`, `ctx`."""


class RequestModel(BaseModel):
    """A request body, or a part of one: typed to the letter, unknown fields dropped."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, extra="ignore", frozen=True, strict=True)

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """The words for a body that is none of these: they name the first field that breaks a rule."""
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
    """A request body that is a list, refused as a whole when it is empty or too long."""

    what: ClassVar[str]

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """The words for a list that is none of these."""
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
    """`contactFilterRules[1].columnValue` of a location in a body."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part and not part.startswith(("list[", "function-", "constrained-", "nullable")):
            path += f".{part}" if path else part
    return path


def empty_field(path: str) -> RefusalError:
    """A required field without a value."""
    return invalid(f"Field {path} is empty.")


def invalid_field(path: str, why: str) -> RefusalError:
    """A field whose value is not allowed; `why` is a sentence without its period."""
    return invalid(f"Field {path} is invalid: {why.rstrip('.')}.")


class BodyRoute(APIRoute):
    """A route whose body is JSON, whatever its content type, or a form; its responses leave out what has no value.

    The framework receives a body before it asks who sends it. Here that is done in the endpoint's place, when the
    caller is known and the parameters are right.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        responses = REFUSALS | (options.get("responses") or {})
        super().__init__(path, endpoint, **options | {"responses": responses, "response_model_exclude_none": True})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's handler."""
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
    """The body as the one model that an endpoint takes."""
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
            # None at all is null.
            return model.model_validate(_parsed(bytes(content) or b"null"))
        except ValidationError as error:
            raise model.refusal(error.errors(include_url=False)) from error

    return take() if len(content) <= _SMALL_BYTES else await anyio.to_thread.run_sync(take)


@asynccontextmanager
async def _form(request: Request, fields: Sequence[Any]) -> AsyncIterator[dict[str, Any]]:
    """The parts of a multipart request that an endpoint takes; the file is gone when it has responded."""
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
            # The parser gives back what it holds of a file when one of its own errors ends it.
            raise MultiPartException(_TOO_LARGE)
        yield chunk


@dataclass(frozen=True)
class UploadedFile:
    """A file by its name, without the folders it was in."""

    name: str
    content: bytes

    @classmethod
    async def read(cls, part: UploadFile) -> UploadedFile:
        """The file of a multipart request."""
        content = await part.read()
        if len(content) > MAX_FILE_BYTES:
            raise invalid(_TOO_LARGE)
        name = (part.filename or "").replace("\\", "/").rpartition("/")[2].replace("\0", "").strip()[:255]
        return cls(name, content)


def parse_json(text: str | bytes) -> Any:
    """What a JSON text says; `ValueError` for one with NaN or infinities in it too, which Python would take."""

    def refuse(constant: str) -> float:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def _parsed(content: bytes) -> Any:
    """The JSON of a body."""
    try:
        value = parse_json(content)
        if b"\\u" in content:
            # Half a character, such as \ud800 alone, is JSON to Python, and text to no database.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise invalid("The request body is not valid JSON.") from error
    return value
