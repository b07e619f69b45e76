"""Types of fields in request bodies and parameters, as lenient as the interface."""

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
    """Return the 64-bit integer of a text, or None."""
    if not _LONG.match(text):
        return None
    value = int(text)
    return value if -LONG_MAX - 1 <= value <= LONG_MAX else None


@dataclass(frozen=True)
class OneOf:
    """Matches a value of a closed set. None is left to the field's own type."""

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
        raise ValueError("text cannot hold a NUL character")
    return text


def _whole(value: Any) -> Any:
    # JSON treats 7.0 as a whole number. Beyond 2**53, a float no longer identifies one number.
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value


PlainText = Annotated[str, AfterValidator(_storable)]
"""A text, unchanged."""
Word = Annotated[PlainText | None, AfterValidator(lambda text: text or None)]
"""A text that is compared exactly. An empty one is absent."""
RequiredWord = Annotated[str, StringConstraints(min_length=1), AfterValidator(_storable)]
"""A required text that is compared exactly."""
RequiredName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_storable)]
"""A required text for people, without surrounding spaces."""
Said = Annotated[PlainText | None, AfterValidator(lambda text: text if text and text.strip() else None)]
"""A text that is sent unchanged. A blank one is absent."""
Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number."""
LongId = Annotated[Whole, Field(ge=1, le=LONG_MAX)]
"""The ID of a record: a 64-bit integer above 0."""
LongIds = Annotated[list[LongId] | None, BeforeValidator(lambda value: None if value == [] else value)]
"""A list of IDs. An empty one is absent."""
IdText = Annotated[str, WithJsonSchema(_LONG_SCHEMA)]
"""An ID in a path or header. A text that is not an ID matches no record, and is quoted in the response."""


def blank_is(default: object) -> BeforeValidator:
    """Return a validator that treats a parameter without a value as absent."""
    return BeforeValidator(lambda value: (value.strip() or default) if isinstance(value, str) else value)
