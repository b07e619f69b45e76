"""The base of all models: strict requests, lenient answers, IDs that are never floats, and lenient times."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, core_schema

log = logging.getLogger(__name__)


def _whole_number(value: Any) -> Any:
    """Reject what could have lost digits: an ID that is a float, or anything but digits."""
    if type(value) is int:
        return value
    if isinstance(value, bool | float):
        raise ValueError("an ID must be a whole number")  # noqa: TRY004 - pydantic wants a ValueError
    if isinstance(value, str):
        text = value.strip()
        if not (text.isascii() and text.removeprefix("-").isdigit()):
            raise ValueError("an ID must be a whole number")
        return int(text)
    return value


def _whole_number_or_none(value: Any) -> Any:
    """Read an ID. Blank and 0, which services send for "none", become None."""
    if value is None or value == "":
        return None
    return _whole_number(value) or None


def _number_or_text_id(value: Any) -> Any:
    """Read an ID that may be a number or a string, and keep its type; never a float."""
    if isinstance(value, bool | float):
        raise ValueError("an ID must be a whole number or a string")  # noqa: TRY004 - pydantic wants a ValueError
    return value


def _text_id(value: Any) -> Any:
    """Read an ID that is a string. A number becomes a string, but never by way of a float."""
    return str(value) if type(value) is int else _number_or_text_id(value)


class OrElse:
    """Replace an unreadable value with None, or with what `make` returns, so that one bad field does not lose a
    whole page.
    """

    def __init__(self, make: Callable[[], Any] = lambda: None) -> None:
        self._make = make

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # pydantic's core does this without a callback, which matters: most fields of records, by the thousand, pass
        # through it.
        return core_schema.with_default_schema(handler(source), default_factory=self._make, on_error="default")


def _entries(value: Any) -> Any:
    """Return a list without nulls: nothing becomes an empty list, and a single entry becomes a list of one."""
    if value is None or value == "":
        return []
    return [entry for entry in value if entry is not None] if isinstance(value, list) else [value]


class _OrLeftOut:
    """Omit unreadable entries from a list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), on_error="omit")


def _readable(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    entries = _entries(value)
    found = handler(entries)
    if len(found) < len(entries):
        log.warning(
            "%d of %d entries of a response could not be read and were skipped",
            len(entries) - len(found),
            len(entries),
        )
    return found


# The ends of the calendar are not real times, and cannot be converted in zones east or west of Greenwich.
_EDGE: Final = timedelta(days=2)
_FIRST: Final = datetime.min.replace(tzinfo=UTC) + _EDGE
_LAST: Final = datetime.max.replace(tzinfo=UTC) - _EDGE


def _lenient_moment(value: Any, handler: ValidatorFunctionWrapHandler) -> datetime | None:
    """Read ISO 8601 with or without milliseconds and zone, or an epoch. Without a zone, the time is in UTC."""
    # ASSUMPTION A42
    if value is None or value in ("", 0, "0"):
        return None
    try:
        moment: datetime = handler(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return moment if _FIRST < moment < _LAST else None
    except (ValidationError, OverflowError):
        log.debug("a time in a response could not be read and counts as absent")
        return None


def _time_as_text(value: Any) -> Any:
    """Write a time as ISO 8601: in UTC with a final Z, or as a local time if it has no zone."""
    if not isinstance(value, datetime) or value != value:  # NaT of pandas
        return None if isinstance(value, datetime) else value
    if value.tzinfo is None:
        return value.isoformat(timespec="seconds")
    return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _local_time_as_text(value: Any) -> Any:
    """Write a local time as ISO 8601 without its zone."""
    return _time_as_text(value.replace(tzinfo=None) if isinstance(value, datetime) else value)


def _time_as_milliseconds(value: Any) -> Any:
    """Return a time as milliseconds since 1970."""
    if not isinstance(value, datetime) or value != value:
        return None if isinstance(value, datetime) else value
    if value.tzinfo is None:
        raise ValueError("the time needs a zone")
    return (value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


T = TypeVar("T")

Lenient = Annotated[T | None, OrElse()]
"""An optional value; None if it cannot be read."""
LenientList = Annotated[list[T], BeforeValidator(_entries)]
ReadableList = Annotated[list[Annotated[T, _OrLeftOut()]], WrapValidator(_readable)]
"""A `LenientList` without the entries that cannot be read."""

if TYPE_CHECKING:
    Id = int
    OptionalId = int | None
    AnyId = int | str
    TextId = str
    LenientId = int | None
    LenientFloat = float | None
    LenientBool = bool | None
    LenientCount = int | None
    LenientText = str | None
    Moment = datetime | None
    TimeText = str | None
    LocalTimeText = str | None
    Milliseconds = int | None
else:
    Id = Annotated[int, BeforeValidator(_whole_number)]
    OptionalId = Annotated[int | None, BeforeValidator(_whole_number_or_none)]
    AnyId = Annotated[int | str, BeforeValidator(_number_or_text_id)]
    TextId = Annotated[str, BeforeValidator(_text_id)]
    LenientId = Annotated[OptionalId, OrElse()]
    LenientFloat = Lenient[float]
    LenientBool = Lenient[bool]
    LenientCount = Lenient[int]
    LenientText = Lenient[Annotated[str, StringConstraints(min_length=1)]]
    Moment = Annotated[datetime | None, WrapValidator(_lenient_moment)]
    TimeText = Annotated[str | None, BeforeValidator(_time_as_text)]
    LocalTimeText = Annotated[str | None, BeforeValidator(_local_time_as_text)]
    Milliseconds = Annotated[int | None, BeforeValidator(_time_as_milliseconds)]


class RequestModel(BaseModel):
    """The base of requests. Unknown fields are rejected; names are accepted in both spellings."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        str_strip_whitespace=True,
        coerce_numbers_to_str=True,
    )

    def to_wire(self) -> dict[str, Any]:
        """Return the JSON object to send: the interface's names, without absent or blank fields."""
        filled: dict[str, Any] = _without_blanks(self.model_dump(by_alias=True, exclude_none=True))
        return filled


class AnswerModel(BaseModel):
    """The base of answers. Unknown fields are kept; numbers are accepted where strings are expected."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="allow", coerce_numbers_to_str=True
    )

    @classmethod
    def from_wire(cls, data: Any) -> Self:
        """Read an object that has been parsed from JSON."""
        return cls.model_validate(data)


class RecordModel(AnswerModel):
    """The fields that all records share: who created and changed the record, when, and for which organization."""

    created_id: LenientId = None
    created_name: LenientText = None
    created_date: Moment = None
    last_modified_id: LenientId = None
    last_modified_name: LenientText = None
    last_modified_date: Moment = None
    organization_id: LenientId = None
    status: LenientText = None


def _without_blanks(value: Any) -> Any:
    """Remove blank texts and the objects that become empty. Lists stay, even if empty."""
    # Every field of every row of a batch passes through here, and most are texts: check them first.
    if isinstance(value, dict):
        filled = {}
        for key, item in value.items():
            if type(item) is str:
                if item:
                    filled[key] = item
            elif (inner := _without_blanks(item)) != {}:
                filled[key] = inner
        return filled
    if isinstance(value, list):
        return [_without_blanks(item) for item in value if item != ""]
    return value
