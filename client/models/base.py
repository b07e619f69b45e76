"""What all wire models share: strict requests, lenient answers, ids that are never floats, and tolerant moments."""

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
    """Refuse what could have lost digits on the way: an id as a float, or as anything but digits."""
    if type(value) is int:
        return value
    if isinstance(value, bool | float):
        raise ValueError("an id must be a whole number")  # noqa: TRY004 - pydantic wants a ValueError
    if isinstance(value, str):
        text = value.strip()
        if not (text.isascii() and text.removeprefix("-").isdigit()):
            raise ValueError("an id must be a whole number")
        return int(text)
    return value


def _whole_number_or_none(value: Any) -> Any:
    """As an id; blank and 0, which services send for "none", are None."""
    if value is None or value == "":
        return None
    return _whole_number(value) or None


def _number_or_text_id(value: Any) -> Any:
    """An id that may be a number or a text, and stays what it was; never a float."""
    if isinstance(value, bool | float):
        raise ValueError("an id must be a whole number or a text")  # noqa: TRY004 - pydantic wants a ValueError
    return value


def _text_id(value: Any) -> Any:
    """An id that is a text; a number in its place becomes one, but never by way of a float."""
    return str(value) if type(value) is int else _number_or_text_id(value)


class OrElse:
    """Takes what cannot be read as None, or as what `make` makes, since one odd field must not lose a whole page."""

    def __init__(self, make: Callable[[], Any] = lambda: None) -> None:
        self._make = make

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Done by the core, without a call back: these are nearly all fields of records that come by the thousand.
        return core_schema.with_default_schema(handler(source), default_factory=self._make, on_error="default")


def _entries(value: Any) -> Any:
    """A list without its nulls, whatever came: nothing is an empty one, and one entry stands for its list."""
    if value is None or value == "":
        return []
    return [entry for entry in value if entry is not None] if isinstance(value, list) else [value]


class _OrLeftOut:
    """Leaves out of a list what cannot be read."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), on_error="omit")


def _readable(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    entries = _entries(value)
    found = handler(entries)
    if len(found) < len(entries):
        log.warning(
            "%d of %d entries of an answer could not be read and are left out", len(entries) - len(found), len(entries)
        )
    return found


# The ends of the calendar stand for no moment at all, and on clocks east or west of Greenwich they can't be told.
_EDGE: Final = timedelta(days=2)
_FIRST: Final = datetime.min.replace(tzinfo=UTC) + _EDGE
_LAST: Final = datetime.max.replace(tzinfo=UTC) - _EDGE


def _lenient_moment(value: Any, handler: ValidatorFunctionWrapHandler) -> datetime | None:
    """Read ISO 8601 with or without milliseconds and zone, or an epoch; without a zone it is UTC."""
    # ASSUMPTION A42
    if value is None or value in ("", 0, "0"):
        return None
    try:
        moment: datetime = handler(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return moment if _FIRST < moment < _LAST else None
    except (ValidationError, OverflowError):
        log.debug("a moment in an answer could not be read and is taken as absent")
        return None


T = TypeVar("T")

Lenient = Annotated[T | None, OrElse()]
"""What may be absent, and is so where it cannot be read."""
LenientList = Annotated[list[T], BeforeValidator(_entries)]
ReadableList = Annotated[list[Annotated[T, _OrLeftOut()]], WrapValidator(_readable)]
"""As `LenientList`, without the entries that cannot be read."""

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


class RequestModel(BaseModel):
    """What is sent: unknown fields are refused; names are accepted in both spellings."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        str_strip_whitespace=True,
        coerce_numbers_to_str=True,
    )

    def to_wire(self) -> dict[str, Any]:
        """This model as the JSON object that is sent: the interface's names, without what is absent or blank."""
        filled: dict[str, Any] = _without_blanks(self.model_dump(by_alias=True, exclude_none=True))
        return filled


class AnswerModel(BaseModel):
    """What is received: unknown fields are kept, numbers may stand where texts are expected."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="allow", coerce_numbers_to_str=True
    )

    @classmethod
    def from_wire(cls, data: Any) -> Self:
        """Read an object that has already been parsed."""
        return cls.model_validate(data)


class RecordModel(AnswerModel):
    """What areas tell alike of every record: who made and changed it, when, and whose it is."""

    created_id: LenientId = None
    created_name: LenientText = None
    created_date: Moment = None
    last_modified_id: LenientId = None
    last_modified_name: LenientText = None
    last_modified_date: Moment = None
    organization_id: LenientId = None
    status: LenientText = None


def _without_blanks(value: Any) -> Any:
    """Drop blank texts, and the objects they leave empty; lists stay, even empty ones."""
    # Every field of every row of a batch comes by here, and nearly all are texts.
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
