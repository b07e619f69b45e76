"""The messages of a removal before and after it."""

from datetime import UTC, datetime

from client import TimedOut
from client.models.itineraries import ExpectedLocation, Itinerary
from domain.edits.removals import Removal
from domain.trips.known_trip import KnownTrip, TripChange
from domain.trips.trip_import.canceling import trip_title
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget, removal_target
from tests.domain.trips.editor.sample_trips import ANA, BEN, OUT, trip

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def build_known_trip(
    itinerary: Itinerary | None, locations: int = 4, *, is_available: bool = True, locator: str | None = "WSVM7K"
) -> KnownTrip:
    """A known trip with an itinerary, if any, and a number of locations."""
    sent = TripChange(NOW, "ana", "itinerary.create", "succeeded", itinerary, "7", locator, None)
    return KnownTrip(
        itinerary_id=7,
        locator=locator,
        changes=(sent,) if itinerary else (),
        locations=tuple(
            ExpectedLocation(id=each, contact_external_id=f"E{each % 2}") for each in range(1, locations + 1)
        ),
        is_found=True,
        error=None if is_available else TimedOut("no answer"),
        read_at=NOW,
    )


def consequence_sentences(target: TripTarget, removal: Removal[TripTarget]) -> list[str]:
    """The sentences of the dialog about the consequences."""
    return list(removal.consequences(None, [target]))


def test_a_removal_counts_locations_and_names_travelers() -> None:
    """Locations that the service expects now, and travelers that were sent from Muster."""
    text = "\n".join(
        consequence_sentences(removal_target(build_known_trip(trip(OUT, travelers=(ANA, BEN))), {}), CANCEL_TRIP)
    ).replace("\\", "")
    assert "The service will remove 4 expected locations of 2 travelers." in text
    assert "Silva, Ana; Okoro, Ben" in text
    assert "you can create the trip again" in text


def test_the_removal_of_a_trip_created_outside_muster_lists_its_travelers() -> None:
    """Its travelers are listed by name if Muster knows it, otherwise by ID."""
    text = "\n".join(consequence_sentences(removal_target(build_known_trip(None), {"E1": "Silva, Ana"}), DELETE_TRIP))
    assert "E0; Silva, Ana" in text
    assert "created outside Muster" in text
    assert "deletes the trip by its ID" in text


def test_a_very_long_name_leaves_room_for_the_question() -> None:
    text = "\n".join(consequence_sentences(removal_target(build_known_trip(None), {"E1": "x" * 3_000}), DELETE_TRIP))
    assert len(text) < 600
    assert len(trip_title({"id": "7", "locator": "WSVM7K", "who": "x" * 3_000})) < 100


def test_predicted_locations_are_counted_if_the_service_is_unavailable() -> None:
    """If nothing is known, no number is shown."""
    assert removal_target(build_known_trip(trip(OUT), 0, is_available=False), {}).locations == 2
    nothing = removal_target(build_known_trip(None, 0, is_available=False), {})
    assert nothing.locations is None
    assert "will remove all expected locations of its travelers." in consequence_sentences(nothing, CANCEL_TRIP)[0]


def test_a_long_list_of_names_is_shortened_and_counted() -> None:
    many = tuple(ANA.model_copy(update={"employee_id": f"E{each}"}) for each in range(11))
    assert "and 3 more" in "\n".join(
        consequence_sentences(removal_target(build_known_trip(trip(OUT, travelers=many)), {}), CANCEL_TRIP)
    )


def test_names_cannot_format_the_dialog() -> None:
    """A traveler called **bold** is shown as typed."""
    travelers = (ANA.model_copy(update={"first_name": "**x** :red[y]"}),)
    assert ":red[y]" not in "\n".join(
        consequence_sentences(removal_target(build_known_trip(trip(OUT, travelers=travelers)), {}), CANCEL_TRIP)
    )


def test_the_button_and_the_success_name_the_trip() -> None:
    """By its record locator, otherwise by its ID."""
    target = removal_target(build_known_trip(trip(OUT), 1), {})
    assert CANCEL_TRIP.label([target]) == "Cancel trip WSVM7K"
    assert DELETE_TRIP.removed_message([target]) == "Trip WSVM7K is deleted: 1 expected location of 1 traveler removed."
    assert DELETE_TRIP.label([removal_target(build_known_trip(None, locator=None), {})]) == "Delete itinerary 7"
