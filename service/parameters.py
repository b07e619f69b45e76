"""Query parameters and JSON bodies, read with the interface's defaults and refused in its envelope."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi import Request

from service.errors import RefusalError, invalid
from service.pages import PAGE_SIZE, PageRequest

MAX_LONG = 2**63 - 1
# Ten times what a thousand itineraries with everything said come to.
MAX_BODY_BYTES = 64 * 2**20
_LONG = re.compile(r"-?\d{1,19}\Z", re.ASCII)
_TRUE = {"true", "yes", "y", "1"}
_FALSE = {"false", "no", "n", "0"}


def as_long(text: str) -> int | None:
    """The 64-bit integer a text stands for, or None."""
    if not _LONG.match(text):
        return None
    value = int(text)
    return value if -MAX_LONG - 1 <= value <= MAX_LONG else None


def boolean_parameter(request: Request, name: str, *, default: bool) -> bool:
    """A boolean query parameter; `Yes` and `No` are taken too, as the interface shows a default as `Yes`."""
    # ASSUMPTION A3: these parameters travel in the query string.
    text = request.query_params.get(name)
    if text is None or text == "":
        return default
    folded = text.strip().lower()
    if folded in _TRUE or folded in _FALSE:
        return folded in _TRUE
    raise invalid(f"Parameter {name} is not a boolean: {text[:50]}")


def long_parameter(request: Request, name: str) -> int | None:
    """A 64-bit integer query parameter, None when absent."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    value = as_long(text.strip())
    if value is None:
        raise invalid(f"Parameter {name} is not a whole number: {text[:50]}")
    return value


def number_parameter(request: Request, name: str, *, default: int, low: int, high: int) -> int:
    """A whole number from `low` to `high` in the query; `default` when absent."""
    value = long_parameter(request, name)
    if value is None:
        return default
    if not low <= value <= high:
        raise invalid(f"Parameter {name} is not between {low} and {high}: {value}")
    return value


def page_parameter(request: Request, *, name: str = "pageNumber", size: int = PAGE_SIZE) -> PageRequest:
    """`pageNumber`, from 1 (the default), of a list that is cut into pages of `size`."""
    # ASSUMPTION A4: a page number below 1 is refused; one beyond the end is an empty page.
    number = long_parameter(request, name)
    if number is not None and not 1 <= number <= 1_000_000_000:
        raise invalid(f"Parameter {name} is out of range: {number}")
    return PageRequest(number if number is not None else 1, size)


async def json_body(request: Request) -> Any:
    """The body as JSON, whatever its content type; 400 when it is none, 413 when it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise RefusalError(413, f"The request body is larger than {MAX_BODY_BYTES // 2**20} MB.")
    if not body.strip():
        raise invalid("The request body is empty.")
    try:
        value = json.loads(bytes(body), parse_constant=_refuse_constant)
        if b"\\u" in body:
            # Half a character, such as \ud800 alone, is JSON to Python, and text to no database.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise invalid("The request body is not valid JSON.") from error
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
