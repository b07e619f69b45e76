"""The event groups and regions that a public alert may name (interface: Public-alert lookups)."""

from pydantic import Field

from .base import AnswerModel, Id, LenientText, ReadableList


class EventGroup(AnswerModel):
    """A group of subscribers that an alert can be sent to."""

    id: Id
    group_name: LenientText = None


class Region(AnswerModel):
    """A city, a ZIP code, or a county."""

    id: Id
    name: LenientText = None
    state: LenientText = None


class Regions(AnswerModel):
    """The regions of the organization, by type."""

    cities: ReadableList[Region] = Field(default_factory=list)
    zipcodes: ReadableList[Region] = Field(default_factory=list)
    counties: ReadableList[Region] = Field(default_factory=list)

    @property
    def ids(self) -> frozenset[int]:
        """The IDs of all regions."""
        return frozenset(region.id for region in (*self.cities, *self.zipcodes, *self.counties))
