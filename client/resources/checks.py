"""Checks that all resources make before sending: IDs, page numbers, and names in a path."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import quote

from ..classify import field_label
from ..errors import FieldError, Invalid

T = TypeVar("T")

BATCH_READ_TIMEOUT = 300.0
"""The seconds to wait for the answer to a call over many records or a file."""


def flag(value: bool) -> str:
    """Return a boolean as a query parameter."""
    return "true" if value else "false"


def page_problems(page_number: int, *, field_name: str = "pageNumber") -> list[FieldError]:
    """Return the problems of a page number. Pages are counted from 1."""
    return [] if page_number >= 1 else [FieldError(field_name, "Pages are counted from 1.")]


def id_problems(field_name: str, value: object) -> list[FieldError]:
    """Return the problems of an ID to send: a whole number above 0, never a float.

    There is no upper bound: services have sent IDs beyond a long, and those must be usable.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return []
    return [FieldError(field_name, f"“{value}” is not a valid ID. IDs are whole numbers above 0.")]


def text_problems(field_name: str, value: object, words: str) -> list[FieldError]:
    """Return the problems of a text that must not be blank and must not change the path."""
    if isinstance(value, str) and value.strip() and value.strip() not in (".", ".."):
        return []
    return [FieldError(field_name, words)]


def path_part(value: object) -> str:
    """Return a value as one part of a path, with any characters."""
    return quote(str(value), safe="")


def first_rows(values: Sequence[T]) -> dict[T, int]:
    """Return the first row of each value: repeated values are sent once."""
    found: dict[T, int] = {}
    for row, value in enumerate(values):
        found.setdefault(value, row)
    return found


def refuse(problems: Sequence[FieldError], message: str) -> None:
    """Raise `Invalid` with all problems before anything is sent; do nothing if there are none."""
    if problems:
        raise Invalid(f"{message} {join_messages(problems)}", field_errors=list(problems), sent=False)


def join_messages(problems: Sequence[FieldError]) -> str:
    """Return problems as one line for people."""
    return " ".join(f"{_capitalized(field_label(problem.field))}: {problem.message}" for problem in problems)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
