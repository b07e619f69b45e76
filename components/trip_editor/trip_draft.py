"""A trip as it is being typed: fields are texts or choices, half-typed ones included, kept as JSON between visits."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, field_validator

from client.vocabulary.itineraries import ACTIVE
from components.change.declaration import Draft
from components.forms.form import Part

SOURCE: Final = "Muster"
Side = Literal["start", "finish"]


class AddressDraft(BaseModel):
    """An address as typed; coordinates are texts in decimal degrees."""

    location_name: str = ""
    country: str = ""
    state: str = ""
    city: str = ""
    street_address: str = ""
    postal_code: str = ""
    latitude: str = ""
    longitude: str = ""

    @property
    def is_empty(self) -> bool:
        """True where nothing is typed."""
        return not any(value.strip() for value in self.model_dump().values())


class EndDraft(BaseModel):
    """One end of a segment: where, its local day (`YYYY-MM-DD`) and time (`hh:mm`); an empty zone is the place's."""

    iata: str = ""
    zone: str = ""
    day: str = ""
    clock: str = ""
    address: AddressDraft = Field(default_factory=AddressDraft)


class SegmentDraft(Part):
    """One segment; `extra` names the fields beyond those of its kind that it came with, and that stay."""

    kind: str = "Air"
    supplier_code: str = ""
    supplier_name: str = ""
    number: str = ""
    start: EndDraft = Field(default_factory=EndDraft)
    finish: EndDraft = Field(default_factory=EndDraft)
    extra: list[str] = Field(default_factory=list)

    def end(self, side: Side) -> EndDraft:
        """The end on that side."""
        return self.start if side == "start" else self.finish


class PhoneDraft(BaseModel):
    """A phone number and the two-letter code of its country."""

    number: str = ""
    country: str = ""


class TravellerDraft(Part):
    """A traveller, or the arranger; e-mail addresses as one text, separated by commas. The first phone has a field."""

    employee_id: str = ""
    first_name: str = ""
    last_name: str = ""
    middle_name: str = ""
    emails: str = ""
    phones: list[PhoneDraft] = Field(default_factory=lambda: [PhoneDraft()])
    contact_id: str = ""

    @field_validator("phones")
    @classmethod
    def _one_to_type_in(cls, phones: list[PhoneDraft]) -> list[PhoneDraft]:
        return phones or [PhoneDraft()]

    @property
    def is_empty(self) -> bool:
        """True where nothing is typed."""
        texts = (self.employee_id, self.first_name, self.last_name, self.middle_name, self.emails, self.contact_id)
        return not any(text.strip() for text in texts) and not any(phone.number.strip() for phone in self.phones)


class TripDraft(Draft):
    """A whole trip being added (no `itinerary_id`) or changed.

    `base` is the itinerary last sent from this desk as it was on opening, in the wire's form, `base_at` when it
    was sent.
    """

    itinerary_id: int | None = None
    record_locator: str = ""
    external_id: str = ""
    source: str = SOURCE
    status: str = ACTIVE
    created: str = ""
    segments: list[SegmentDraft] = Field(default_factory=list)
    travellers: list[TravellerDraft] = Field(default_factory=list)
    arranger: TravellerDraft | None = None
    auto_create_contact: bool = True
    contact_record_type: str = ""
    email_case_sensitive: bool = True
    roster: str = ""
    base: dict[str, Any] | None = None
    base_at: datetime | None = None

    @property
    def subject_id(self) -> int | None:
        """The id of the trip that is changed."""
        return self.itinerary_id

    @property
    def title(self) -> str:
        """What a person calls it: its record locator, or that it has none yet."""
        return self.record_locator.strip() or "a trip without a record locator"

    @property
    def is_untouched(self) -> bool:
        """True for a new trip in which nothing is typed yet."""
        typed = (self.record_locator, self.external_id, self.contact_record_type)
        return (
            not self.is_change
            and not any(text.strip() for text in typed)
            and self.arranger is None
            and all(traveller.is_empty for traveller in self.travellers)
            and all(_untouched(segment) for segment in self.segments)
        )


def new_trip() -> TripDraft:
    """A new trip to begin with: active, one flight, one traveller."""
    return TripDraft(segments=[SegmentDraft()], travellers=[TravellerDraft()])


def _untouched(segment: SegmentDraft) -> bool:
    texts = (segment.supplier_code, segment.supplier_name, segment.number)
    ends = (segment.start, segment.finish)
    return not any(texts) and all(
        end.address.is_empty and not (end.iata or end.zone or end.day or end.clock) for end in ends
    )
