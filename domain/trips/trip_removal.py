"""Cancel and delete trips: what is removed with them, and the requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from client.models.itineraries import Itinerary
from client.vocabulary.itineraries import CANCELED
from domain.edits.removals import CANCEL as TO_CANCEL
from domain.edits.removals import Removal, Target
from domain.runtime.server import server
from domain.text.plain_text import LONGEST_NAME, count, in_short, plain
from domain.trips.known_trip import CANCEL, DELETE
from domain.trips.lookup import LOOKUP_CACHE
from domain.trips.prediction import name_last_first, predict

if TYPE_CHECKING:
    from client import ModificationResult
    from domain.runtime.workspace import Workspace
    from domain.trips.known_trip import KnownTrip

NAMES_SHOWN: Final = 8
KIND: Final = "itinerary"
NO_CONTACTS: Final = {"autoCreateContact": False}
"""Canceling a trip creates no contacts."""
LAST_SENT: Final = "lastSent"
"""Where the journal entry of a deletion has the version last sent from Muster, from which it can be created again."""


@dataclass(frozen=True)
class TripTarget(Target):
    """A trip and what its removal removes. `locations` is None if their number is unknown."""

    locator: str = ""
    travelers: tuple[str, ...] = ()
    locations: int | None = None
    last_sent: Itinerary | None = None

    def canceled(self) -> Itinerary:
        """Return the itinerary with the status that cancels it; for a trip made outside Muster, a minimal one."""
        if self.last_sent is None:
            return Itinerary(pnr=self.locator, itinerary_status=CANCELED)
        update = {"itinerary_status": CANCELED, "pnr": self.last_sent.pnr or self.locator}
        return self.last_sent.model_copy(update=update)

    def with_locator(self, locator: str) -> TripTarget:
        """Return the target with the record locator that a person entered, unless it is empty."""
        return replace(self, locator=locator.strip() or self.locator)


def removal_target(trip: KnownTrip, names: Mapping[str, str]) -> TripTarget:
    """Count the trip's expected locations at the service; if it cannot be read, predict them from the last version.

    `names` are names by external ID.
    """
    named = [name_last_first(each) for each in trip.itinerary.passengers] if trip.itinerary else []
    contacts = {location.contact_external_id or str(location.contact_id) for location in trip.locations}
    locations: int | None = len(trip.locations)
    if trip.error is not None:
        locations = len(predict(trip.itinerary)) if trip.itinerary else None
    return TripTarget(
        subject_id=trip.itinerary_id,
        title=f"trip {trip.locator}" if trip.locator else f"itinerary {trip.itinerary_id}",
        locator=trip.locator or "",
        travelers=tuple(named or sorted(names.get(each, each) for each in contacts)),
        locations=locations,
        last_sent=trip.itinerary,
    )


def consequence_sentences(target: TripTarget, how: str) -> list[str]:
    """Return the sentences of the dialog."""
    sentences = [
        (
            f"The service will remove {_locations_text(target)} of {_travelers_text(target)}. "
            "The trip will have no expected locations."
        )
    ]
    if target.travelers:
        sentences.append(f"Travelers: {_listed(target.travelers)}.")
    sentences.append(how)
    if target.last_sent is not None:
        sentences.append("The Journal keeps the version last sent from Muster, so you can create the trip again.")
    else:
        sentences.append("This trip was created outside Muster. Neither the service nor Muster can restore it.")
    sentences.append("The contacts of the travelers are not deleted.")
    return sentences


class TripRemoval(Removal[TripTarget]):
    """What canceling and deleting have in common."""

    kind = KIND
    noun = ("trip", "trips")
    retry_note = (
        "Removing a trip again is safe. If the trip is already removed, the service reports that it does not exist."
    )
    method: str
    """How the service removes the trip, for the dialog."""

    def consequences(self, workspace: Workspace, targets: Sequence[TripTarget]) -> list[str]:
        """Return what is removed with the trips."""
        del workspace
        return [line for each in targets for line in consequence_sentences(each, self.method)]

    def removed_message(self, targets: Sequence[TripTarget]) -> str:
        """Return the message about removed trips."""
        return " ".join(
            f"{each.title[:1].upper()}{each.title[1:]} is {self.verb.done}: {_locations_text(each)} of "
            f"{_travelers_text(each)} removed."
            for each in targets
        )

    def journal_name(self, target: TripTarget) -> str:
        """Return the record locator."""
        return target.locator

    def invalidate_reads(self) -> None:
        """Discard cached lookups."""
        server().reads.invalidate(LOOKUP_CACHE)


class TripCanceling(TripRemoval):
    """Cancel trips by sending them with the status that cancels them."""

    key = "trip.cancel"
    action = CANCEL
    verb = TO_CANCEL
    icon = ":material/event_busy:"
    method = "Muster sends the trip with the status *canceled*. The service removes it and its expected locations."

    def send(self, workspace: Workspace, target: TripTarget) -> ModificationResult:
        """Update the itinerary with the status that cancels it."""
        itineraries = workspace.client.itineraries
        return itineraries.update(int(target.subject_id or 0), target.canceled(), auto_create_contact=False)

    def journal_request(self, target: TripTarget) -> Mapping[str, Any]:
        """Return the canceled itinerary."""
        return {"itinerary": target.canceled().to_wire(), "parameters": NO_CONTACTS}


class TripDeletion(TripRemoval):
    """Delete trips by their IDs."""

    key = "trip.delete"
    action = DELETE
    icon = ":material/delete_forever:"
    method = "Muster deletes the trip by its ID."

    def send(self, workspace: Workspace, target: TripTarget) -> Any:
        """Delete the itinerary."""
        return workspace.client.itineraries.delete(int(target.subject_id or 0))

    def journal_request(self, target: TripTarget) -> Mapping[str, Any]:
        """Return the ID, and the version last sent from Muster."""
        contents = {} if target.last_sent is None else {LAST_SENT: target.last_sent.to_wire()}
        return {"itinerary_id": str(target.subject_id), **contents}


CANCEL_TRIP: Final = TripCanceling()
DELETE_TRIP: Final = TripDeletion()


def _locations_text(target: TripTarget) -> str:
    if target.locations is None:
        return "all expected locations"
    return count(target.locations, "expected location", "expected locations")


def _travelers_text(target: TripTarget) -> str:
    return count(len(target.travelers), "traveler", "travelers") if target.travelers else "its travelers"


def _listed(names: Iterable[str]) -> str:
    named = list(names)
    shown = "; ".join(plain(in_short(name, LONGEST_NAME)) for name in named[:NAMES_SHOWN])
    rest = len(named) - NAMES_SHOWN
    return f"{shown}; and {rest:,} more" if rest > 0 else shown
