"""Inject faults for tests and drills: latency, error statuses, dropped connections, and damaged responses.

A faults file (TOML or JSON) has a list `fault`. Each entry has a `kind`, and the requests that it applies to:

    [[fault]]
    kind = "latency"              # wait before the work is done
    milliseconds = 20
    path = "/itineraries/expectedLocations/*"   # a pattern over the path without /rest; default "*"
    methods = ["GET"]             # default: all
    rate = 0.5                    # the share of matching requests; default 1
    times = 3                     # only the first 3 of them; default: always
    skip = 1                      # leave the first one alone; default 0

    [[fault]]
    kind = "status"               # respond without doing the work
    status = 429
    retry_after = 2               # optional, seconds
    message = "Slow down"         # optional

    [[fault]]
    kind = "drop"                 # close the connection without a response
    when = "after"                # after the work (default), or "before" it

    [[fault]]
    kind = "truncate"             # do the work, send the first bytes of the response
    bytes = 20
    close = true                  # then close the connection (default); false: a short but complete response

    [[fault]]
    kind = "html"                 # respond with a gateway's error page
    status = 502                  # 200 to 599; default 502
    when = "before"               # instead of the work (default), or "after" it
    retry_after = 2               # optional, seconds
"""

from __future__ import annotations

import asyncio
import functools
import json
import random
import tomllib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from fnmatch import fnmatchcase
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.responses import JSONResponse, Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# The key under which the server provides the function that closes a request's connection (service/serving.py).
CLOSE_CONNECTION = "service.close_connection"

_PHRASES = {int(status): status.phrase for status in HTTPStatus}


class FaultsFileError(Exception):
    """The faults file cannot be read, or describes an impossible fault."""


class _Fault(BaseModel):
    """The base of all faults: which requests a fault applies to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str = "*"
    methods: tuple[str, ...] = ()
    rate: float = Field(1.0, ge=0, le=1)
    times: int | None = Field(None, ge=1)
    skip: int = Field(0, ge=0)

    def applies_to(self, method: str, path: str) -> bool:
        """Return whether the fault applies to requests with this method and path."""
        return (not self.methods or method in self.methods) and fnmatchcase(path, self.path)

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request with the fault."""
        raise NotImplementedError


class Latency(_Fault):
    """Waits before the work is done."""

    kind: Literal["latency"]
    milliseconds: float = Field(ge=0)

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(self.milliseconds / 1000)
        await application(scope, receive, send)


class Status(_Fault):
    """Responds without doing the work."""

    kind: Literal["status"]
    status: int = Field(ge=400, le=599)
    retry_after: float | None = Field(None, ge=0)
    message: str = "A fault was requested"

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await _read_all(receive)
        response = JSONResponse({"status": self.status, "message": self.message}, self.status, _after(self.retry_after))
        await response(scope, receive, send)


class Drop(_Fault):
    """Closes the connection without a response."""

    kind: Literal["drop"]
    when: Literal["before", "after"] = "after"

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        if self.when == "after":
            await application(scope, receive, _swallow)
        else:
            await _read_all(receive)
        await _close(scope, receive)


class Truncate(_Fault):
    """Sends the beginning of the response, and then closes the connection unless `close` is false."""

    kind: Literal["truncate"]
    bytes: int = Field(ge=0)
    close: bool = True

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.close:
            await self._strike_whole(application, scope, receive, send)
            return
        left = self.bytes

        async def send_beginning(message: Message) -> None:
            nonlocal left
            if message["type"] != "http.response.body":
                await send(message)
                return
            beginning = message.get("body", b"")[:left]
            left -= len(beginning)
            await send({"type": "http.response.body", "body": beginning, "more_body": True})

        await application(scope, receive, send_beginning)
        await _close(scope, receive)

    async def _strike_whole(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await application(scope, receive, keep)
        body = b"".join(message.get("body", b"") for message in messages)[: self.bytes]
        for message in messages:
            if message["type"] == "http.response.start":
                headers = [pair for pair in message.get("headers", []) if pair[0].lower() != b"content-length"]
                await send({**message, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})


class Html(_Fault):
    """Responds with an error page, as a gateway does."""

    kind: Literal["html"]
    status: int = Field(502, ge=200, le=599)
    when: Literal["before", "after"] = "before"
    retry_after: float | None = Field(None, ge=0)

    async def strike(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        if self.when == "after":
            await application(scope, receive, _swallow)
        else:
            await _read_all(receive)
        phrase = _PHRASES.get(self.status, "Error")
        page = (
            f"<html>\r\n<head><title>{self.status} {phrase}</title></head>\r\n"
            f"<body>\r\n<center><h1>{self.status} {phrase}</h1></center>\r\n</body>\r\n</html>\r\n"
        )
        headers = {"Content-Type": "text/html"} | _after(self.retry_after)
        await Response(page, self.status, headers)(scope, receive, send)


Fault = Annotated[Latency | Status | Drop | Truncate | Html, Field(discriminator="kind")]
_FAULTS: TypeAdapter[list[Fault]] = TypeAdapter(list[Fault])


class FaultInjection:
    """ASGI middleware that applies the faults of each request. The first in the list is the outermost."""

    def __init__(self, application: Application, faults: list[Fault]) -> None:
        self._application = application
        self._faults = faults
        self._met = [0] * len(faults)
        self._struck = [0] * len(faults)
        # Seeded, so that every run applies the same faults to the same requests.
        self._dice = random.Random(20)  # noqa: S311

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        application = self._application
        for fault in reversed([fault for index, fault in enumerate(self._faults) if self._strikes(index, scope)]):
            application = functools.partial(fault.strike, application)
        await application(scope, receive, send)

    def _strikes(self, index: int, scope: Scope) -> bool:
        fault = self._faults[index]
        if not fault.applies_to(scope["method"], scope["path"]):
            return False
        self._met[index] += 1
        if self._met[index] <= fault.skip or (fault.times is not None and self._struck[index] >= fault.times):
            return False
        if fault.rate < 1 and self._dice.random() >= fault.rate:
            return False
        self._struck[index] += 1
        return True


def read_faults(value: Mapping[str, Any]) -> list[Fault]:
    """Parse the content of a faults file. Raises `FaultsFileError`."""
    unknown = set(value) - {"fault"}
    if unknown:
        raise FaultsFileError(f"A faults file has only a list named fault, not {', '.join(sorted(unknown))}.")
    try:
        return _FAULTS.validate_python(value.get("fault", []))
    except ValidationError as error:
        raise FaultsFileError(str(error)) from error


def read_faults_file(path: Path) -> list[Fault]:
    """Read a TOML or JSON file, by its ending. Raises `FaultsFileError`."""
    try:
        text = path.read_text(encoding="utf-8")
        value = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise FaultsFileError(f"The faults file {path} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise FaultsFileError(f"The faults file {path} is not an object.")
    return read_faults(value)


def _after(seconds: float | None) -> dict[str, str]:
    return {} if seconds is None else {"Retry-After": f"{seconds:g}"}


async def _swallow(_message: Message) -> None:
    return None


async def _read_all(receive: Receive) -> None:
    while (await receive()).get("more_body", False):
        pass


async def _close(scope: Scope, receive: Receive) -> None:
    scope["extensions"][CLOSE_CONNECTION]()
    # Until the server notices the closed connection, it would answer a request without a response itself.
    while (await receive())["type"] != "http.disconnect":
        pass
