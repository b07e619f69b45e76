"""Canceling and deleting a trip: what goes with it, in counts and names, and how each is asked of the service."""

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
from domain.trips.lookup import LOOK_UP
from domain.trips.prediction import predict, traveller_name

if TYPE_CHECKING:
    from client import ModificationResult
    from domain.runtime.workspace import Workspace
    from domain.trips.known_trip import KnownTrip

NAMES_SHOWN: Final = 8
KIND: Final = "itinerary"
NO_CONTACTS: Final = {"autoCreateContact": False}
"""No contact is made for a canceled trip."""


@dataclass(frozen=True)
class TripTarget(Target):
    """A trip and what its removal takes away; `locations` is None where nobody could say."""

    locator: str = ""
    travellers: tuple[str, ...] = ()
    locations: int | None = None
    last_sent: Itinerary | None = None

    def canceled(self) -> Itinerary:
        """The trip with the status that cancels it; of a trip made elsewhere, the least that says so."""
        if self.last_sent is None:
            return Itinerary(pnr=self.locator, itinerary_status=CANCELED)
        update = {"itinerary_status": CANCELED, "pnr": self.last_sent.pnr or self.locator}
        return self.last_sent.model_copy(update=update)

    def called(self, locator: str) -> TripTarget:
        """The same trip under the record locator that a person gave."""
        return replace(self, locator=locator.strip() or self.locator)


def what_goes(known: KnownTrip, names: Mapping[str, str]) -> TripTarget:
    """Count what the service expects for the trip now; where it could not be asked, what the last sent one gives.

    `names` are those that this desk knows, by external id.
    """
    named = [traveller_name(each) for each in known.itinerary.passengers] if known.itinerary else []
    contacts = {location.contact_external_id or str(location.contact_id) for location in known.locations}
    locations: int | None = len(known.locations)
    if known.error is not None:
        locations = len(predict(known.itinerary)) if known.itinerary else None
    return TripTarget(
        subject_id=known.itinerary_id,
        title=f"trip {known.locator}" if known.locator else f"itinerary {known.itinerary_id}",
        locator=known.locator or "",
        travellers=tuple(named or sorted(names.get(each, each) for each in contacts)),
        locations=locations,
        last_sent=known.itinerary,
    )


def lines(goes: TripTarget, how: str) -> list[str]:
    """What stands in the dialog, one sentence a line."""
    go = "goes" if goes.locations == 1 else "go"
    said = [f"No one will be expected anywhere for this trip: {_locations(goes)} of {_travellers(goes)} {go}."]
    if goes.travellers:
        said.append(f"Travelers: {_listed(goes.travellers)}.")
    said.append(how)
    if goes.last_sent is not None:
        said.append("What was last sent from Muster stays in its journal.")
    else:
        said.append("This trip was created outside Muster. Neither the service nor Muster can restore it.")
    said.append("The contacts of the travelers stay.")
    return said


class TripRemoval(Removal[TripTarget]):
    """What canceling and deleting trips share."""

    kind = KIND
    noun = ("trip", "trips")
    retry_note = "Removing a trip again is safe: a trip that is already gone is reported as not found."
    method: str
    """How the service removes the trip, in the question."""

    def consequences(self, workspace: Workspace, targets: Sequence[TripTarget]) -> list[str]:
        """Return what goes with the trips."""
        del workspace
        return [line for each in targets for line in lines(each, self.method)]

    def removed_message(self, targets: Sequence[TripTarget]) -> str:
        """Return the message about removed trips, with what went with them."""
        return " ".join(
            f"{each.title[:1].upper()}{each.title[1:]} is {self.verb.done}: {_locations(each)} of "
            f"{_travellers(each)} removed."
            for each in targets
        )

    def journal_name(self, target: TripTarget) -> str:
        """Return the record locator."""
        return target.locator

    def invalidate_reads(self) -> None:
        """Discard the trips that were looked up before."""
        server().reads.invalidate(LOOK_UP)


class TripCanceling(TripRemoval):
    """Canceling trips: each is sent with the status that cancels it."""

    key = "trip.cancel"
    action = CANCEL
    verb = TO_CANCEL
    icon = ":material/event_busy:"
    method = "The trip is sent with the status *canceled*; the service removes it and its expected locations."

    def send(self, workspace: Workspace, target: TripTarget) -> ModificationResult:
        """Update the itinerary with the status that cancels it."""
        itineraries = workspace.client.itineraries
        return itineraries.update(int(target.subject_id or 0), target.canceled(), auto_create_contact=False)

    def journal_request(self, target: TripTarget) -> Mapping[str, Any]:
        """Return the canceled itinerary."""
        return {"itinerary": target.canceled().to_wire(), "parameters": NO_CONTACTS}


class TripDeletion(TripRemoval):
    """Deleting trips by their IDs."""

    key = "trip.delete"
    action = DELETE
    icon = ":material/delete_forever:"
    method = "The trip is deleted by its ID, whatever it contains now."

    def send(self, workspace: Workspace, target: TripTarget) -> Any:
        """Delete the itinerary."""
        return workspace.client.itineraries.delete(int(target.subject_id or 0))

    def journal_request(self, target: TripTarget) -> Mapping[str, Any]:
        """Return the ID."""
        return {"itinerary_id": str(target.subject_id)}


CANCEL_TRIP: Final = TripCanceling()
DELETE_TRIP: Final = TripDeletion()


def _locations(goes: TripTarget) -> str:
    if goes.locations is None:
        return "all expected locations"
    return count(goes.locations, "expected location", "expected locations")


def _travellers(goes: TripTarget) -> str:
    return count(len(goes.travellers), "traveler", "travelers") if goes.travellers else "its travelers"


def _listed(names: Iterable[str]) -> str:
    named = list(names)
    shown = "; ".join(plain(in_short(name, LONGEST_NAME)) for name in named[:NAMES_SHOWN])
    rest = len(named) - NAMES_SHOWN
    return f"{shown}; and {rest:,} more" if rest > 0 else shown
