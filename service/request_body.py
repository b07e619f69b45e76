"""Request bodies: their models, and the route class that reads them with a limit and off the event loop."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import anyio.to_thread
from fastapi import Depends, Request, Response, UploadFile
from fastapi.params import Form
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, RootModel, alias_generators
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as UploadedPart
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser

from service.errors import RefusalError, invalid

# Ten times what a thousand itineraries with everything said come to.
MAX_BODY_BYTES = 64 * 2**20
MAX_FILE_BYTES = 20 * 2**20
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
    """A route whose JSON body is taken whatever its content type, and whose responses leave out what has no value.

    A body that cannot be taken is refused only after the caller is known: until then its refusal is kept in the state
    of the request (see service/exception_handlers.py).
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options | {"response_model_exclude_none": True})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's handler, with its requests read as JSON where it has such a body."""
        handle, field = super().get_route_handler(), self.body_field
        if field is None:
            return handle
        is_form = isinstance(field.field_info, Form)
        model: type[RequestModel | Batch] = field.field_info.annotation  # type: ignore[assignment]

        def take(content: bytes) -> Any:
            value = _parsed(content)
            if isinstance(value, RefusalError):
                return value
            taken, errors = field.validate(value)
            return model.refusal(errors) if errors else taken

        async def handle_body(request: Request) -> Response:
            # Shared by both requests: the handlers of exceptions are given this one.
            request.scope.setdefault("state", {})
            return await handle(_FormRequest(request) if is_form else _JsonRequest(request, take))

        return handle_body


class _JsonRequest(Request):
    """A request with a JSON body, which `take` makes a model of."""

    def __init__(self, request: Request, take: Callable[[bytes], Any]) -> None:
        headers = [pair for pair in request.scope["headers"] if pair[0] != b"content-type"]
        scope = {**request.scope, "headers": [*headers, (b"content-type", b"application/json")]}
        super().__init__(scope, request.receive)
        self._take = take

    async def body(self) -> bytes:
        """The whole body; 413 when it is too large."""
        body = bytearray()
        async for chunk in self.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise HTTPException(413, f"The request body is larger than {MAX_BODY_BYTES // 2**20} MB.")
        # None at all is null.
        self._body = bytes(body) or b"null"
        return self._body

    async def json(self) -> Any:
        """The model; None, with the refusal left in the state, where the body is none."""
        if len(self._body) <= _SMALL_BYTES:
            taken = self._take(self._body)
        else:
            taken = await anyio.to_thread.run_sync(self._take, self._body)
        if isinstance(taken, RefusalError):
            self.state.refused_body = taken
            return None
        return taken


class _TooLargeError(MultiPartException):
    """A file that is larger than allowed; the parser gives back what it holds of it."""

    def __init__(self) -> None:
        super().__init__("too large")


def _too_large() -> RefusalError:
    # Not 413: the interface knows no other status for a file that is too large than that of invalid input.
    return invalid(f"The file is larger than {MAX_FILE_BYTES // 2**20} MB.")


class _FormRequest(Request):
    """A request with a file; one that is none, or is too large, has no parts, and its refusal is in the state."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.scope, request.receive)

    async def form(self, **_options: Any) -> FormData:  # type: ignore[override]
        """The parts of the request."""
        try:
            if not self.headers.get("content-type", "").lower().startswith("multipart/form-data"):
                raise invalid("The request is not multipart/form-data.")
            form = await MultiPartParser(self.headers, self.stream(), max_files=1, max_fields=20).parse()
        except RefusalError as refusal:
            self.state.refused_body = refusal
        except _TooLargeError:
            self.state.refused_body = _too_large()
        except (MultiPartException, KeyError, ValueError) as error:
            why = getattr(error, "message", "malformed")
            self.state.refused_body = invalid(f"The multipart request cannot be read: {why}")
        else:
            if not any(isinstance(part, UploadedPart) and (part.size or 0) > MAX_FILE_BYTES for part in form.values()):
                return form
            await form.close()
            self.state.refused_body = _too_large()
        return FormData()

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The bytes of the request, never more than allowed."""
        received = 0
        async for chunk in super().stream():
            received += len(chunk)
            if received > MAX_FILE_BYTES + _AROUND_THE_FILE:
                raise _TooLargeError
            yield chunk


@dataclass(frozen=True)
class UploadedFile:
    """A file by its name, without the folders it was in."""

    name: str
    content: bytes


async def _uploaded_file(file: UploadFile) -> UploadedFile:
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2].replace("\0", "").strip()[:255]
    content = await file.read()
    await file.close()
    return UploadedFile(name, content)


Upload = Annotated[UploadedFile, Depends(_uploaded_file)]
"""The part `file` of a multipart request."""


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _parsed(content: bytes) -> Any:
    """The JSON of a body; a refusal where it is none."""
    try:
        value = json.loads(content, parse_constant=_refuse_constant)
        if b"\\u" in content:
            # Half a character, such as \ud800 alone, is JSON to Python, and text to no database.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return invalid("The request body is not valid JSON.")
    return value
