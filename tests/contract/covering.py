"""Mark the rows of the document that a test covers. `test_document_rows` checks that none is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", bound=Callable[..., object])


def covers(*rows: str) -> Callable[[T], T]:
    """Name rows as `Endpoints: GET /path`, `Errors: <area> 400 <message>`, or `Limits: <name>`.

    The rows are read from the syntax tree, so write them as plain strings.
    """
    assert rows

    def return_test(test: T) -> T:
        return test

    return return_test
