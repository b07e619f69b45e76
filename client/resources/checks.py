"""What every resource looks at before it sends: ids, page numbers, names in a path, and how a refusal is worded."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import quote

from ..classify import field_label
from ..errors import FieldError, Invalid

T = TypeVar("T")

BATCH_READ_TIMEOUT = 300.0
"""Seconds to wait for the answer to a call that works on many records, or on a file."""


def flag(value: bool) -> str:
    """A yes or no as it stands in a query."""
    return "true" if value else "false"


def page_problems(page_number: int, *, field_name: str = "pageNumber") -> list[FieldError]:
    """Pages are counted from 1."""
    return [] if page_number >= 1 else [FieldError(field_name, "Pages are counted from 1.")]


def id_problems(field_name: str, value: object) -> list[FieldError]:
    """An id that is sent is above 0 and a whole number from the start: never one that was a float.

    It has no upper bound: services have been seen to give ids beyond a long, and those must be usable.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return []
    return [FieldError(field_name, f"“{value}” cannot be an id: ids are whole numbers above 0.")]


def text_problems(field_name: str, value: object, words: str) -> list[FieldError]:
    """A text that must not be blank, nor be one that would name another place in a path."""
    if isinstance(value, str) and value.strip() and value.strip() not in (".", ".."):
        return []
    return [FieldError(field_name, words)]


def path_part(value: object) -> str:
    """A value as one part of a path, whatever characters it holds."""
    return quote(str(value), safe="")


def first_rows(values: Sequence[T]) -> dict[T, int]:
    """For each value the row it first stands in: what is given twice is sent once."""
    found: dict[T, int] = {}
    for row, value in enumerate(values):
        found.setdefault(value, row)
    return found


def refuse(problems: Sequence[FieldError], message: str) -> None:
    """Raise `Invalid` with all problems, before anything is sent; nothing where there are none."""
    if problems:
        raise Invalid(f"{message} {in_words(problems)}", field_errors=list(problems), sent=False)


def in_words(problems: Sequence[FieldError]) -> str:
    """Problems as one line for a person."""
    return " ".join(f"{_capitalized(field_label(problem.field))}: {problem.message}" for problem in problems)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
