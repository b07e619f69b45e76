"""What a public alert may name: event groups and the regions of the organization (interface: Public-alert lookups)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .base import AnswerModel, Id, LenientText


def _none_as_empty(value: Any) -> Any:
    return [] if value is None else value if isinstance(value, list) else [value]


class EventGroup(AnswerModel):
    """A group of subscribers that an alert can be sent to."""

    id: Id
    group_name: LenientText = None


class Region(AnswerModel):
    """A city, a zip code or a county."""

    id: Id
    name: LenientText = None
    state: LenientText = None


class Regions(AnswerModel):
    """The regions of the organization, by kind."""

    cities: Annotated[list[Region], BeforeValidator(_none_as_empty)] = Field(default_factory=list)
    zipcodes: Annotated[list[Region], BeforeValidator(_none_as_empty)] = Field(default_factory=list)
    counties: Annotated[list[Region], BeforeValidator(_none_as_empty)] = Field(default_factory=list)

    @property
    def ids(self) -> frozenset[int]:
        """The ids of all of them."""
        return frozenset(region.id for region in (*self.cities, *self.zipcodes, *self.counties))
