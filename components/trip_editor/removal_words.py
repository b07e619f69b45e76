"""What will be removed when a trip is canceled or deleted, in words: counts and names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from client.models.itineraries import Itinerary
from components.trip_editor.prediction import predict, traveller_name
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.trips.known_trip import KnownTrip

Way = Literal["cancel", "delete"]
NAMES_SHOWN = 8


@dataclass(frozen=True)
class WhatGoes:
    """What a removal takes away. `locations` is None where nobody could say."""

    title: str
    travellers: tuple[str, ...]
    locations: int | None
    segments: int | None
    sent_from_here: bool


def what_goes(known: KnownTrip) -> WhatGoes:
    """Count what the service expects for the trip now; where it could not be asked, what the last sent one gives."""
    named = _names(known.itinerary)
    contacts = {location.contact_external_id or str(location.contact_id) for location in known.locations}
    travellers = named or sorted(contacts)
    locations: int | None = len(known.locations)
    if known.error is not None:
        locations = len(predict(known.itinerary)) if known.itinerary else None
    return WhatGoes(
        title=known.title,
        travellers=tuple(travellers),
        locations=locations,
        segments=len(known.itinerary.segments) if known.itinerary else None,
        sent_from_here=known.sent_from_here,
    )


def lines(goes: WhatGoes, way: Way) -> list[str]:
    """What stands in the dialog, one sentence a line."""
    go = "goes" if goes.locations == 1 else "go"
    said = [f"Nobody will be expected anywhere for this trip: {_locations(goes)} of {_travellers(goes)} {go}."]
    if goes.travellers:
        said.append(f"Travellers: {_listed(goes.travellers)}.")
    if way == "cancel":
        said.append("The trip is sent with the status *canceled*; the service removes it and its expected locations.")
    else:
        said.append("The trip is deleted by its id, whatever it holds now.")
    if goes.sent_from_here:
        said.append("What was last sent from here stays in this desk's journal.")
    else:
        said.append("This trip was made elsewhere: the service cannot give it back, and neither can this desk.")
    said.append("The contacts of the travellers stay.")
    return said


def action_label(goes: WhatGoes, way: Way) -> str:
    """What the red button says: what it does, and to which trip."""
    return f"{'Cancel' if way == 'cancel' else 'Delete'} trip {goes.title}"


def doing(goes: WhatGoes, way: Way) -> str:
    """What is being done, as an error says it."""
    return f"{'canceling' if way == 'cancel' else 'deleting'} trip {goes.title}"


def success(goes: WhatGoes, way: Way) -> str:
    """What is said afterwards."""
    done = "canceled" if way == "cancel" else "deleted"
    return f"Trip {goes.title} is {done}: {_locations(goes)} of {_travellers(goes)} removed."


def _names(itinerary: Itinerary | None) -> list[str]:
    return [traveller_name(passenger) for passenger in itinerary.passengers or []] if itinerary else []


def _locations(goes: WhatGoes) -> str:
    if goes.locations is None:
        return "all expected locations"
    return f"{goes.locations:,} expected location{'' if goes.locations == 1 else 's'}"


def _travellers(goes: WhatGoes) -> str:
    number = len(goes.travellers)
    if number == 0:
        return "its travellers"
    return f"{number:,} traveller{'' if number == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    named = list(names)
    shown = "; ".join(plain(name) for name in named[:NAMES_SHOWN])
    rest = len(named) - NAMES_SHOWN
    return f"{shown}; and {rest:,} more" if rest > 0 else shown
