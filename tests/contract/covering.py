"""How a test names the rows of the document that it covers; `test_document_rows` counts that none is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", bound=Callable[..., object])


def covers(*rows: str) -> Callable[[T], T]:
    """Name rows as `Endpoints: GET /path`, `Errors: <area> 400 <message>` or `Limits: <name>`.

    Read off the syntax tree, so the rows are written as plain texts.
    """
    assert rows

    def unchanged(test: T) -> T:
        return test

    return unchanged
