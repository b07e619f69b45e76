"""The response class of every JSON answer."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from pydantic_core import to_json


class Answer(Response):
    """JSON, written by pydantic's serializer: in a page of records that is a third of the time of the standard one."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return to_json(content)
