"""Request bodies held against a model, and refused in the interface's envelope with the field's path in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, alias_generators

from service.errors import RefusalError, invalid
from service.parameters import MAX_LONG

Model = TypeVar("Model", bound=BaseModel)


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a text cannot hold a NUL character")
    return text


def _present(text: str | None) -> str | None:
    return text or None


def _stripped(text: str | None) -> str | None:
    return (text or "").strip() or None


def _as_listed(value: Any) -> Any:
    return None if value == [] else value


def _whole(value: Any) -> Any:
    # 7.0 is a whole number to JSON. Beyond 2**53 such a number is no longer exactly the one that was meant.
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value


PlainText = Annotated[str, AfterValidator(_storable)]
"""A text as it stands."""
Word = Annotated[PlainText | None, AfterValidator(_present)]
"""A text that is compared to the letter; an empty one is absent."""
Name = Annotated[PlainText | None, AfterValidator(_stripped)]
"""A text for people; spaces around it do not count, and a blank one is absent."""
Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number."""
LongId = Annotated[Whole, Field(ge=1, le=MAX_LONG)]
"""The id of a record: a 64-bit integer above 0."""
LongIds = Annotated[list[LongId] | None, BeforeValidator(_as_listed)]
"""A list of ids; an empty one is absent."""


class RequestModel(BaseModel):
    """A request body, or a part of one: typed to the letter, unknown fields dropped."""

    model_config = ConfigDict(alias_generator=alias_generators.to_camel, extra="ignore", frozen=True, strict=True)


def read_body(model: type[Model], value: Any) -> Model:
    """The body as a model; 400 names the first field that is not of its type."""
    if not isinstance(value, dict):
        raise invalid("The request body is a JSON object.")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise invalid_field(wire_path(first["loc"]), first["msg"]) from error


def wire_path(location: Sequence[str | int]) -> str:
    """`contactFilterRules[1].columnValue` of a location in a body."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part and not part.startswith(("list[", "function-", "constrained-", "nullable")):
            path += f".{part}" if path else part
    return path


def empty_field(path: str) -> RefusalError:
    """A required field without a value."""
    return invalid(f"Field {path} is empty.")


def name_taken(what: str, name: str) -> RefusalError:
    """A name that another record of the organization has: 409."""
    return RefusalError(409, f"A {what} with this name already exists: {name}")


def invalid_field(path: str, why: str) -> RefusalError:
    """A field whose value is not allowed; `why` is a sentence without its period."""
    return invalid(f"Field {path} is invalid: {why.rstrip('.')}.")
