"""Types of the fields of request bodies and parameters, with the interface's leniencies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from client.vocabulary.limits import LONG_MAX

_LONG = re.compile(r"-?\d{1,19}\Z", re.ASCII)
_LONG_SCHEMA = {"type": "integer", "format": "int64", "minimum": -LONG_MAX - 1, "maximum": LONG_MAX}


def as_long(text: str) -> int | None:
    """The 64-bit integer a text stands for, or None."""
    if not _LONG.match(text):
        return None
    value = int(text)
    return value if -LONG_MAX - 1 <= value <= LONG_MAX else None


@dataclass(frozen=True)
class OneOf:
    """A value of a field that is one of several; None is left to the field's own type."""

    allowed: Sequence[Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        return (
            {"anyOf": [{"enum": [*self.allowed]}, {"type": "null"}]}
            if "anyOf" in described
            else (described | {"enum": [*self.allowed]})
        )

    def _check(self, value: Any) -> Any:
        if value is not None and value not in self.allowed:
            one_of = "one of " if len(self.allowed) > 1 else ""
            listed = ", ".join(map(str, self.allowed))
            raise PydanticCustomError("one_of", "it is {one_of}{listed}", {"one_of": one_of, "listed": listed})
        return value


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a text cannot hold a NUL character")
    return text


def _whole(value: Any) -> Any:
    # 7.0 is a whole number to JSON. Beyond 2**53 such a number is no longer exactly the one that was meant.
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value


PlainText = Annotated[str, AfterValidator(_storable)]
"""A text as it stands."""
Word = Annotated[PlainText | None, AfterValidator(lambda text: text or None)]
"""A text that is compared to the letter; an empty one is absent."""
RequiredWord = Annotated[str, StringConstraints(min_length=1), AfterValidator(_storable)]
"""A text that is compared to the letter, which must be there."""
RequiredName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_storable)]
"""A text for people, which must be there; spaces around it do not count."""
Said = Annotated[PlainText | None, AfterValidator(lambda text: text if text and text.strip() else None)]
"""A text that goes out as it stands; a blank one is absent."""
Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number."""
LongId = Annotated[Whole, Field(ge=1, le=LONG_MAX)]
"""The id of a record: a 64-bit integer above 0."""
LongIds = Annotated[list[LongId] | None, BeforeValidator(lambda value: None if value == [] else value)]
"""A list of ids; an empty one is absent."""
IdText = Annotated[str, WithJsonSchema(_LONG_SCHEMA)]
"""An id as a path or a header says it: a text that is no id is the id of nothing, and is told back as it was said."""


def blank_is(default: object) -> BeforeValidator:
    """A parameter that is sent without a value is one that is not sent."""
    return BeforeValidator(lambda value: (value.strip() or default) if isinstance(value, str) else value)
