"""Whether a service responds at all, without credentials."""

from __future__ import annotations

from typing import Final

import httpx

SECONDS: Final = 3.0
_SERVER_ERROR: Final = 500


def reachability_problem(base_url: str) -> str:
    """Return why the service cannot be used, or nothing if it responds.

    Any status below 500 counts as a response: without credentials, the service rejects requests.
    """
    try:
        status = httpx.get(base_url, timeout=SECONDS).status_code
    except httpx.HTTPError:
        return "unreachable"
    return "" if status < _SERVER_ERROR else f"status {status}"
